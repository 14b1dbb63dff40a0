import { useEffect } from "preact/hooks";
import { entityPath, query, useGet } from "../state/api";
import { spoken } from "../state/app";
import { change, href } from "../state/route";
import type { Entity, EntityPage, PathsPage } from "../state/types";
import { Search } from "./search";
import { EntityLink, Failure, Loading } from "./small";

const useEntity = (id: string): Entity | null => {
  const { data } = useGet<EntityPage>(id ? `/api/entity/${entityPath(id)}.json` : null);
  return data && data.entity.id === id ? data.entity : null;
};

/** "How are A and B connected?": two boxes and the paths between them. */
export function PathsPanel({ a, b, paths }: { a: string; b: string; paths: ReturnType<typeof usePaths> }) {
  const from = useEntity(a);
  const to = useEntity(b);
  const { data, error, loading } = paths;
  useEffect(() => {
    document.title = "How are they connected? · paperkg";
    if (data) spoken.value = data.paths.length ? `${data.paths.length} paths found` : "No path found";
  }, [data]);
  return (
    <article aria-labelledby="panel-title">
      <h2 id="panel-title">How are they connected?</h2>
      <div class="pickers">
        <Search key="a" label="From" placeholder="From: a name or title" value={from} keep onChoose={(e) => change({ a: e.id })} />
        <button type="button" class="swap" title="The other way round" aria-label="Swap the two" onClick={() => change({ a: b || null, b: a || null })}>⇅</button>
        <Search key="b" label="To" placeholder="To: a name or title" value={to} keep onChoose={(e) => change({ b: e.id })} />
      </div>
      {!a || !b ? <p class="hint">Choose two people, methods, data sets or papers.</p> : null}
      {error ? <Failure error={error} /> : null}
      {loading ? <Loading what="Looking for paths" /> : null}
      {data && !loading && !data.paths.length ? <p class="message">{data.why_none ?? "They are not connected in this graph."}</p> : null}
      {!loading && data?.paths.map((path, i) => (
        <section key={i} class="path">
          <h3>Path {i + 1}</h3>
          <p>{path.words}</p>
          <ol>
            {path.steps.map((step, j) => (
              <li key={j}>
                {j === 0 ? <EntityLink entity={step.from} /> : null}
                <p class="step">
                  <span>{step.words || step.relation}</span> <a class="why" href={href("/link", { a: step.from.id, b: step.to.id })}>why<span class="sr"> {step.from.label} and {step.to.label}</span></a>
                </p>
                <EntityLink entity={step.to} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {a && b && data ? <p class="twins">The same as <a href={`/api/paths.json${query({ a, b, k: 3 })}`} download>JSON</a></p> : null}
    </article>
  );
}

export const usePaths = (a: string, b: string) => useGet<PathsPage>(a && b ? `/api/paths.json${query({ a, b, k: 3 })}` : null);
