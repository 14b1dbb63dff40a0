import { useEffect } from "preact/hooks";
import { useState } from "preact/hooks";
import { kindLook } from "../map/palette";
import { query, useGet } from "../state/api";
import { spoken } from "../state/app";
import { change, param } from "../state/route";
import type { SearchPage } from "../state/types";
import { EntityLink, Failure, Loading, plural } from "./small";

const FACETS: [string, string][] = [["kind", "Kind"], ["topic", "Topic"], ["year", "Year"], ["venue", "Venue"], ["has_code", "Code"], ["role", "Role"], ["confidence", "Confidence"]];
const PAGE = 40;
/** Facets whose parameter has another name in the address. */
const NAMES: Record<string, string> = { kind: "kind", topic: "topic", venue: "venue", has_code: "has_code", role: "role", confidence: "min_confidence" };

const filters = (): Record<string, string> =>
  Object.fromEntries(["kind", "topic", "year_from", "year_to", "venue", "has_code", "role", "min_confidence"].map((k) => [k, param(k)]));

/** All hits of a search with its facets; the map marks them. */
export function ResultsPanel({ q, onFound }: { q: string; onFound(ids: string[]): void }) {
  const [limit, setLimit] = useState(PAGE);
  const words = q === "*" ? "" : q;
  const url = `/api/search.json${query({ q: words, ...filters(), limit })}`;
  const { data, error, loading } = useGet<SearchPage>(url);
  useEffect(() => {
    document.title = `${words || "Everything"} · paperkg`;
    if (!data) return;
    onFound(data.items.map((i) => i.id));
    spoken.value = plural(data.total, "result");
  }, [data]);
  useEffect(() => setLimit(PAGE), [q]);
  return (
    <article aria-labelledby="panel-title">
      <h2 id="panel-title">{words ? <>Results for “{words}”</> : "All that is here"}</h2>
      {error ? <Failure error={error} /> : null}
      {!data && loading ? <Loading what="Searching" /> : null}
      {data ? (
        <>
          <p class="hint">
            {plural(data.total, "result")}
            {typeof data.took_ms === "number" ? ` in ${Math.round(data.took_ms)} ms` : ""}; marked on the map
            {data.suggestion ? <>. Did you mean <button type="button" class="link" onClick={() => change({ q: data.suggestion! })}>{data.suggestion}</button>?</> : null}
          </p>
          {FACETS.map(([name, title]) => <FacetBox key={name} name={name} title={title} values={data.facets[name] ?? []} />)}
          <ul class="rows">
            {data.items.map((item) => <li key={item.id}><EntityLink entity={item} note={[item.matched && item.matched !== item.label ? `also ${item.matched}` : null, item.note ?? item.year].filter(Boolean).join(" · ")} /></li>)}
          </ul>
          {data.total > data.items.length ? <button type="button" disabled={loading} onClick={() => setLimit(limit + PAGE)}>More</button> : null}
          <p class="twins">The same as <a href={url} download>JSON</a> <a href={url.replace(".json", ".csv")} download>CSV</a></p>
        </>
      ) : null}
    </article>
  );
}

function FacetBox({ name, title, values }: { name: string; title: string; values: SearchPage["facets"][string] }) {
  const [all, setAll] = useState(false);
  const now = name === "year" ? (param("year_from") === param("year_to") ? param("year_from") : "") : param(NAMES[name]!);
  if (!values.length || (values.length === 1 && !now)) return null;
  const pick = (value: string): void => {
    const next = now === value ? null : value;
    change(name === "year" ? { year_from: next, year_to: next } : { [NAMES[name]!]: next });
  };
  return (
    <div class="facet" role="group" aria-label={title}>
      <span class="facet-title">{title}</span>
      {values.slice(0, all ? 60 : 6).map((v) => (
        <button key={String(v.value)} type="button" class="chip" aria-pressed={now === String(v.value)} onClick={() => pick(String(v.value))}>
          {name === "kind" ? kindLook(String(v.value)).plural : v.label} <span class="count">{v.count.toLocaleString("en")}</span>
        </button>
      ))}
      {values.length > 6 && !all ? <button type="button" class="link" onClick={() => setAll(true)}>more</button> : null}
    </div>
  );
}
