import { useMemo, useState } from "preact/hooks";
import type { Graph } from "../map/graph";
import { EntityLink, plural } from "./small";

const PAGE = 100;

/** The map as a list: for the keyboard, for a screen reader, and for a quick scan. */
export function NodeList({ graph, shown }: { graph: Graph; shown: Uint8Array }) {
  const [limit, setLimit] = useState(PAGE);
  const [text, setText] = useState("");
  const { nodes } = graph.columns;
  const rows = useMemo(() => {
    const wanted = text.trim().toLowerCase();
    const found: number[] = [];
    for (let i = 0; i < nodes.id.length; i++) if (shown[i] && (!wanted || nodes.label[i]!.toLowerCase().includes(wanted))) found.push(i);
    return found;
  }, [graph, shown, text]);
  return (
    <article aria-labelledby="panel-title">
      <h2 id="panel-title">On the map</h2>
      <label>
        Only names with
        <input type="search" value={text} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      <p class="hint" role="status">{plural(rows.length, "node")}, most important first</p>
      <ol class="rows">
        {rows.slice(0, limit).map((i) => (
          <li key={nodes.id[i]}>
            <EntityLink entity={{ id: nodes.id[i]!, iri: "", kind: nodes.kind[i]!, label: nodes.label[i]! }} note={String(nodes.size[i])} />
          </li>
        ))}
      </ol>
      {rows.length > limit ? <button type="button" onClick={() => setLimit(limit + PAGE)}>More</button> : null}
    </article>
  );
}
