import { useEffect } from "preact/hooks";
import { query, useGet } from "../state/api";
import { spoken } from "../state/app";
import { href } from "../state/route";
import type { LinkPage } from "../state/types";
import { Confidence, Quote } from "./mention";
import { EntityLink, Failure, Loading, plural } from "./small";

/** Why two entities are linked: the papers, and in them the sentences. */
export function LinkPanel({ a, b }: { a: string; b: string }) {
  const { data, error, loading } = useGet<LinkPage>(`/api/link.json${query({ a, b })}`);
  useEffect(() => {
    if (!data) return;
    document.title = `${data.a.label} and ${data.b.label} · paperkg`;
    spoken.value = data.relation;
  }, [data]);
  if (error)
    return (
      <>
        <Failure error={error} />
        <p><a href={href("/paths", { a, b })}>How are they connected?</a></p>
      </>
    );
  if (!data || loading) return <Loading />;
  const years = data.years?.length ? ` · ${[...new Set([Math.min(...data.years), Math.max(...data.years)])].join("–")}` : "";
  return (
    <article aria-labelledby="panel-title">
      <p class="kind-line">link</p>
      <h2 id="panel-title" class="pair">
        <EntityLink entity={data.a} /> <EntityLink entity={data.b} />
      </h2>
      <p class="relation">{data.relation}</p>
      <p class="hint">{plural(data.count, "paper")}{years}</p>
      <p class="actions">
        <a class="button" href={href("/paths", { a, b })}>Other ways they are connected</a>
      </p>
      {data.papers.map((p) => (
        <section key={p.paper.id} class="evidence">
          <h3><EntityLink entity={p.paper} note={p.year ? String(p.year) : null} /> <Confidence value={p.confidence} /></h3>
          {p.mentions.length ? p.mentions.map((m, i) => <Quote key={i} mention={m} />) : <p class="hint">Stated by the source of the paper's record; there is no sentence to quote.</p>}
        </section>
      ))}
      {data.count > data.papers.length ? <p class="hint">The first {data.papers.length} of {data.count.toLocaleString("en")} papers.</p> : null}
      <p class="twins">The same as <a href={`/api/link.json${query({ a, b })}`} download>JSON</a></p>
    </article>
  );
}
