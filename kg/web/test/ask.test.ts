import { describe, expect, it } from "vitest";
import { entityOf, ofRows, ofTriples, triples } from "../src/ask/asgraph";
import { formOf, isGraph } from "../src/ask/run";

const ID = "https://w3id.org/paperkg/id/";

describe("formOf", () => {
  it("looks past comments, strings, IRIs and prefixes", () => {
    expect(formOf("# construct\nPREFIX select: <http://x/ask#describe>\nSELECT ?s WHERE { ?s ?p 'ask' }")).toBe("SELECT");
    expect(isGraph("DESCRIBE <http://x/select>")).toBe(true);
    expect(isGraph("construct where { ?s ?p ?o }")).toBe(true);
    expect(formOf("ASK { ?s ?p ?o }")).toBe("ASK");
    expect(formOf("")).toBeNull();
  });
});

describe("answers as graphs", () => {
  it("links the entities of a row and names them by the column beside", () => {
    const uri = (value: string) => ({ type: "uri", value });
    const made = ofRows({
      head: { vars: ["paper", "title", "method"] },
      results: { bindings: [{ paper: uri(`${ID}paper/x`), title: { type: "literal", value: "A title" }, method: uri(`${ID}method/m`) }, { paper: uri("http://elsewhere/x"), method: uri(`${ID}method/m`) }] },
    });
    expect(made.nodes.id).toEqual(["paper/x", "method/m"]);
    expect(made.nodes.label[0]).toBe("A title");
    expect(made.edges.source).toEqual([0]);
    expect(made.edge_types).toEqual(["method"]);
  });
  it("reads N-Triples with escapes and leaves broken lines out", () => {
    const text = [
      `<${ID}paper/x> <http://purl.org/dc/terms/title> "say \\"hi\\" \\u00e9\\n"@en .`,
      `<${ID}paper/x> <https://w3id.org/paperkg/ontology#usesMethod> <${ID}method/m> .`,
      "no triple at all",
    ].join("\n");
    const all = triples(text);
    expect(all).toHaveLength(2);
    expect(all[0]![2]).toEqual({ type: "literal", value: 'say "hi" é\n' });
    const made = ofTriples(all);
    expect(made.nodes.label).toEqual(['say "hi" é\n', "m"]);
    expect(made.edge_types).toEqual(["usesMethod"]);
  });
  it("knows entities by their IRI alone", () => {
    expect(entityOf(`${ID}repo/github.com/a/b`)).toMatchObject({ id: "repo/github.com/a/b", kind: "repository", label: "github.com/a/b" });
    expect(entityOf("javascript:alert(1)")).toBeNull();
  });
});
