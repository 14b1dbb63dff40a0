import { useMemo, useState } from "preact/hooks";
import { Graph } from "../map/graph";
import { arrange } from "../map/local";
import { save } from "../map/picture";
import { asApiError, type ApiError } from "../state/api";
import { go, href } from "../state/route";
import type { Columns, RdfTerm, SparqlJson } from "../state/types";
import { MapCanvas } from "../ui/mapcanvas";
import { EntityLink, Failure, OutLink, plural } from "../ui/small";
import { entityOf, ofRows, ofTriples, triples, type Triple } from "./asgraph";
import { file, type Answer, type Ask } from "./run";

const PAGE = 200;
const TABLES: [string, string][] = [["csv", "CSV"], ["json", "JSON"], ["tsv", "TSV"], ["xml", "XML"]];
const GRAPHS: [string, string][] = [["ttl", "Turtle"], ["nt", "N-Triples"], ["jsonld", "JSON-LD"]];

/** An answer as a table or a graph, and as a file. */
export function AnswerView({ answer, ask }: { answer: Answer; ask: Ask }) {
  const [as, setAs] = useState<"table" | "graph">(answer.form === "graph" ? "graph" : "table");
  const [error, setError] = useState<ApiError | null>(null);
  const parsed = useMemo(() => (answer.form === "graph" ? triples(answer.ntriples) : []), [answer]);
  const columns = useMemo((): Columns | null => (answer.form === "table" ? ofRows(answer.json) : answer.form === "graph" ? ofTriples(parsed) : null), [answer]);
  if (answer.form === "boolean") return <p class="message" role="status">{answer.value ? "Yes" : "No"}: {Math.round(answer.ms)} ms</p>;
  const count = answer.form === "table" ? (answer.json.results?.bindings.length ?? 0) : parsed.length;
  const download = (format: string): void => {
    file(ask, format).then((blob) => save(`${"name" in ask ? ask.name : "answer"}.${format}`, blob), (e: unknown) => setError(asApiError(e)));
  };
  return (
    <section class="answer" aria-label="Answer">
      <div class="answer-head">
        <p role="status"><strong>{plural(count, answer.form === "table" ? "row" : "statement")}</strong> in {Math.round(answer.ms)} ms</p>
        <div role="group" aria-label="Show as" class="tools">
          <button type="button" aria-pressed={as === "table"} onClick={() => setAs("table")}>Table</button>
          <button type="button" aria-pressed={as === "graph"} onClick={() => setAs("graph")}>Graph</button>
          {(answer.form === "table" ? TABLES : GRAPHS).map(([format, label]) => <button key={format} type="button" aria-label={`Download ${label}`} onClick={() => download(format)}>↓ {label}</button>)}
        </div>
      </div>
      {error ? <Failure error={error} /> : null}
      {as === "graph" ? <AnswerGraph columns={columns} /> : answer.form === "table" ? <Rows json={answer.json} /> : <Statements all={parsed} />}
    </section>
  );
}

function Cell({ term, json }: { term: RdfTerm | undefined; json?: SparqlJson }) {
  if (!term) return null;
  if (term.type === "uri") {
    const entity = entityOf(term.value, json?.entities);
    return entity ? <EntityLink entity={entity} /> : <OutLink to={term.value}>{term.value}</OutLink>;
  }
  return <span dir="auto">{term.value}{term["xml:lang"] ? <span class="hint"> @{term["xml:lang"]}</span> : null}</span>;
}

const isNumber = (t: RdfTerm | undefined): boolean => /#(integer|decimal|double|float|int|long)$/.test(t?.datatype ?? "");

function Rows({ json }: { json: SparqlJson }) {
  const [limit, setLimit] = useState(PAGE);
  const [order, setOrder] = useState<[string, 1 | -1] | null>(null);
  const vars = json.head.vars ?? [];
  const rows = json.results?.bindings ?? [];
  const sorted = useMemo(() => {
    if (!order) return rows;
    const [v, sign] = order;
    const key = (r: Record<string, RdfTerm>): string => r[v]?.value ?? "";
    return [...rows].sort((a, b) => sign * (isNumber(a[v]) && isNumber(b[v]) ? Number(key(a)) - Number(key(b)) : key(a).localeCompare(key(b))));
  }, [rows, order]);
  if (!rows.length) return <p class="message">No row matches. Look at the names and numbers in the query, or loosen a condition.</p>;
  return (
    <>
      <div class="table" tabIndex={0} role="region" aria-label="Rows">
        <table>
          <thead>
            <tr>
              {vars.map((v) => (
                <th key={v} scope="col" aria-sort={order?.[0] === v ? (order[1] === 1 ? "ascending" : "descending") : undefined}>
                  <button type="button" class="link" onClick={() => setOrder(order?.[0] === v && order[1] === 1 ? [v, -1] : [v, 1])}>
                    {v}{order?.[0] === v ? (order[1] === 1 ? " ↑" : " ↓") : ""}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, limit).map((row, i) => <tr key={i}>{vars.map((v) => <td key={v} class={isNumber(row[v]) ? "number" : undefined}><Cell term={row[v]} json={json} /></td>)}</tr>)}
          </tbody>
        </table>
      </div>
      {rows.length > limit ? <button type="button" onClick={() => setLimit(limit + 5 * PAGE)}>More rows ({(rows.length - limit).toLocaleString("en")} left)</button> : null}
    </>
  );
}

function Statements({ all }: { all: Triple[] }) {
  const [limit, setLimit] = useState(PAGE);
  return (
    <>
      <div class="table" tabIndex={0} role="region" aria-label="Statements">
        <table>
          <thead><tr><th scope="col">subject</th><th scope="col">property</th><th scope="col">value</th></tr></thead>
          <tbody>{all.slice(0, limit).map(([s, p, o], i) => <tr key={i}><td><Cell term={{ type: "uri", value: s }} /></td><td title={p}>{p.replace(/^.*[#/]/, "")}</td><td><Cell term={o} /></td></tr>)}</tbody>
        </table>
      </div>
      {all.length > limit ? <button type="button" onClick={() => setLimit(limit + 5 * PAGE)}>More</button> : null}
    </>
  );
}

const nothing = (): void => undefined;

function AnswerGraph({ columns }: { columns: Columns | null }) {
  const graph = useMemo(() => (columns && columns.nodes.id.length ? new Graph(arrange(columns, new Map())) : null), [columns]);
  const shown = useMemo(() => (graph ? graph.shown(new Set(), new Set()) : new Uint8Array(0)), [graph]);
  if (!graph) return <p class="message">There is no entity of the graph in this answer. Select IRIs of papers, people, methods or data sets, or use CONSTRUCT.</p>;
  return (
    <div class="stage answer-graph">
      <MapCanvas graph={graph} graphKey="answer" colorBy="kind" shown={shown} selected={[]} pinned={[]} camera=""
        onSelect={(id) => go(href("/entity", { id }))} onOpen={(id) => go(href("/entity", { id }))} onEdge={(a, b) => go(href("/link", { a, b }))}
        onClear={nothing} onMoved={nothing} onHandle={nothing} />
      <p class="says">{plural(graph.count, "entity", "entities")}, {plural(graph.columns.edges.source.length, "link")}. The first entity of a row is linked with the others of the row.</p>
    </div>
  );
}
