import { useEffect } from "preact/hooks";
import { kindLook } from "../map/palette";
import { meta, metaError } from "../state/app";
import { href } from "../state/route";
import { Failure, KindIcon, Loading } from "./small";

const KEYS: [string, string][] = [
  ["/", "go to the search box"],
  ["↑ ↓ Enter", "move through and open results"],
  ["Esc", "close the list, then the panel"],
  ["← ↑ → ↓", "move the map (with Shift: further)"],
  ["+ − 0", "zoom in, zoom out, fit the whole"],
  ["double click", "open a node's neighbourhood, or expand it there"],
  ["Ctrl Enter", "run the query on the Ask page"],
];

/** What is in the graph, what the lenses mean, the keys, and where files and licences are. */
export function AboutPage() {
  const about = meta.value;
  useEffect(() => void (document.title = "About · paperkg"), []);
  if (metaError.value) return <main class="page" id="main"><Failure error={metaError.value} /></main>;
  if (!about) return <main class="page" id="main"><Loading /></main>;
  return (
    <main class="page" id="main">
      <h1>About this graph</h1>
      <p>Graph <strong>{about.graph.path}</strong>{about.graph.built ? `, built ${about.graph.built}` : ""}; paperkg {about.version}. Everything on these pages comes from this computer.</p>
      <ul class="counts">
        {Object.entries(about.graph.counts).map(([kind, count]) => (
          <li key={kind}><KindIcon kind={kind} /> <strong>{Number(count).toLocaleString("en")}</strong> {kindLook(kind).plural}</li>
        ))}
      </ul>
      <h2>Lenses</h2>
      <dl class="wide">
        {about.lenses.map((l) => (
          <>
            <dt><a href={href("/map", { lens: l.name })}>{l.title}</a></dt>
            <dd>{l.node} {l.edge}{l.empty ? <em> {l.empty}</em> : null}</dd>
          </>
        ))}
      </dl>
      <h2>Keys</h2>
      <dl class="wide">{KEYS.map(([key, does]) => <><dt><kbd>{key}</kbd></dt><dd>{does}</dd></>)}</dl>
      <h2>Files</h2>
      <p>
        Each page has a twin for programs: see the links at its foot. The SPARQL endpoint is <a href="/sparql">/sparql</a>.
        The libraries in this page and their licences: <a href="/licenses.txt" target="_blank">licenses.txt</a>.
      </p>
      <h2>Prefixes</h2>
      <dl class="wide">{Object.entries(about.prefixes).map(([p, iri]) => <><dt>{p}:</dt><dd class="iri">{iri}</dd></>)}</dl>
    </main>
  );
}
