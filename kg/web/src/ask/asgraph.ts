import type { Columns, Entity, RdfTerm, SparqlJson } from "../state/types";

export const ID = "https://w3id.org/paperkg/id/";
const NAMES = /[#/](?:prefLabel|name|title|label)$/;
const MOST = 2_000;

/** `type/key` of an entity's IRI, or null. */
export const shortOf = (iri: string): string | null => (iri.startsWith(ID) ? iri.slice(ID.length) : null);

export function entityOf(iri: string, known?: Record<string, Entity>): Entity | null {
  const id = shortOf(iri);
  if (!id) return null;
  const found = known?.[iri];
  if (found) return found;
  const type = id.split("/")[0]!;
  return { id, iri, kind: type === "repo" ? "repository" : type, label: id.slice(type.length + 1) };
}

class Builder {
  readonly columns: Columns = {
    nodes: { id: [], label: [], kind: [], x: [], y: [], size: [], community: [], year: [] },
    edges: { source: [], target: [], weight: [], type: [] },
    edge_types: [],
  };
  private readonly at = new Map<string, number>();

  node(e: Entity): number {
    const { nodes } = this.columns;
    let i = this.at.get(e.id);
    if (i === undefined) {
      i = nodes.id.length;
      this.at.set(e.id, i);
      nodes.id.push(e.id);
      nodes.label.push(e.label);
      nodes.kind.push(e.kind);
      nodes.x.push(0);
      nodes.y.push(0);
      nodes.size.push(1);
      nodes.community.push(null);
      nodes.year.push(null);
    }
    return i;
  }

  link(a: number, b: number, name: string): void {
    if (a === b) return;
    const { edges, edge_types, nodes } = this.columns;
    let type = edge_types.indexOf(name);
    if (type < 0) type = edge_types.push(name) - 1;
    edges.source.push(a);
    edges.target.push(b);
    edges.weight.push(1);
    edges.type.push(type);
    nodes.size[a]!++;
    nodes.size[b]!++;
  }

  get full(): boolean {
    return this.columns.nodes.id.length >= MOST;
  }
}

/** Rows of a SELECT as a graph: entities of one row are linked, the first with each other one. */
export function ofRows(json: SparqlJson): Columns {
  const build = new Builder();
  const vars = json.head.vars ?? [];
  for (const row of json.results?.bindings ?? []) {
    if (build.full) break;
    const cells = vars.flatMap((v) => {
      const term: RdfTerm | undefined = row[v];
      if (term?.type !== "uri") return [];
      const entity = entityOf(term.value, json.entities);
      if (!entity) return [];
      // a column ?xName, ?xLabel or ?name beside ?x tells what to call it
      const label = entity.label !== entity.id.slice(entity.id.indexOf("/") + 1) ? entity.label : labelIn(row, v, vars) ?? entity.label;
      return [[v, build.node({ ...entity, label })] as const];
    });
    for (const [v, i] of cells.slice(1)) build.link(cells[0]![1], i, v);
  }
  return build.columns;
}

function labelIn(row: Record<string, RdfTerm>, v: string, vars: string[]): string | null {
  const next = vars[vars.indexOf(v) + 1];
  for (const name of [`${v}Label`, `${v}Name`, `${v}Title`, ...(next && /name|label|title/i.test(next) ? [next] : [])])
    if (row[name]?.type === "literal") return row[name]!.value;
  return null;
}

const TRIPLE = /^<([^>]*)>\s+<([^>]*)>\s+(?:<([^>]*)>|"((?:[^"\\]|\\.)*)"(?:@[\w-]+|\^\^<[^>]*>)?)\s*\.\s*$/;
const ESCAPES: Record<string, string> = { t: "\t", n: "\n", r: "\r", b: "\b", f: "\f", '"': '"', "'": "'", "\\": "\\" };
const unescape = (text: string): string =>
  text.replace(/\\(?:u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|(.))/g, (_, u: string, U: string, c: string) => {
    const code = u ?? U;
    return code ? String.fromCodePoint(Math.min(0x10ffff, parseInt(code, 16))) : (ESCAPES[c] ?? c);
  });

export type Triple = [string, string, { type: "uri" | "literal"; value: string }];

/** Lines of N-Triples; a line that is none is left out. */
export function triples(text: string): Triple[] {
  return text.split("\n").flatMap((line): Triple[] => {
    const m = TRIPLE.exec(line);
    if (!m) return [];
    return [[unescape(m[1]!), unescape(m[2]!), m[3] !== undefined ? { type: "uri", value: unescape(m[3]) } : { type: "literal", value: unescape(m[4] ?? "") }]];
  });
}

/** Statements among entities as a graph, named by the labels the statements give. */
export function ofTriples(all: Triple[]): Columns {
  const names = new Map<string, string>();
  for (const [s, p, o] of all) if (o.type === "literal" && NAMES.test(p) && !names.has(s)) names.set(s, o.value);
  const build = new Builder();
  const entity = (iri: string): Entity | null => {
    const e = entityOf(iri);
    return e && { ...e, label: names.get(iri) ?? e.label };
  };
  for (const [s, p, o] of all) {
    if (build.full) break;
    const a = entity(s);
    const b = o.type === "uri" ? entity(o.value) : null;
    if (a && b) build.link(build.node(a), build.node(b), p.replace(/^.*[#/]/, ""));
  }
  return build.columns;
}
