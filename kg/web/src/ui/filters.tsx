import { meta } from "../state/app";
import { change, FILTERS, param, type Filter } from "../state/route";
import { kindLook } from "../map/palette";
import { Search } from "./search";
import { useGet } from "../state/api";
import { entityPath } from "../state/api";
import type { EntityPage } from "../state/types";

export const filterCount = (): number => FILTERS.filter((f) => param(f) !== "").length;
export const noFilters = (): Record<Filter, null> => Object.fromEntries(FILTERS.map((f) => [f, null])) as Record<Filter, null>;

/** What part of the graph the map shows; every field is a parameter of the address. */
export function Filters() {
  const about = meta.value;
  const topic = param("topic");
  const named = useGet<EntityPage>(topic ? `/api/entity/${entityPath(topic.includes("/") ? topic : `topic/${topic}`)}.json` : null);
  const kinds = new Set(param("kinds").split(",").filter(Boolean));
  const confidence = Number(param("min_confidence") || 0);
  const [from, to] = about?.years ?? [1950, 2100];
  const year = (name: "year_from" | "year_to", label: string) => (
    <label>
      {label}
      <input type="number" min={from} max={to} value={param(name)} placeholder={String(name === "year_from" ? from : to)} onChange={(e) => change({ [name]: e.currentTarget.value })} />
    </label>
  );
  return (
    <form class="filters" onSubmit={(e) => e.preventDefault()}>
      <Search label="Topic" kind="topic" placeholder="Any topic" keep value={named.data && topic ? named.data.entity : null} onChoose={(e) => change({ topic: e.id })} />
      {topic ? <button type="button" class="link" onClick={() => change({ topic: null })}>any topic</button> : null}
      <div class="row">
        {year("year_from", "From year")}
        {year("year_to", "To year")}
      </div>
      {about?.venues.length ? (
        <label>
          Venue
          <select value={param("venue")} onChange={(e) => change({ venue: e.currentTarget.value })}>
            <option value="">Any venue</option>
            {about.venues.map((v) => <option key={v.id} value={v.id}>{v.label} ({v.count.toLocaleString("en")})</option>)}
          </select>
        </label>
      ) : null}
      <fieldset>
        <legend>Kinds</legend>
        {(about?.kinds ?? []).map((kind) => (
          <label key={kind} class="check">
            <input
              type="checkbox" checked={!kinds.size || kinds.has(kind)}
              onChange={(e) => {
                const next = new Set(kinds.size ? kinds : (about?.kinds ?? []));
                if (e.currentTarget.checked) next.add(kind);
                else next.delete(kind);
                change({ kinds: next.size === about?.kinds.length ? null : [...next].join(",") });
              }}
            />
            {kindLook(kind).plural}
          </label>
        ))}
      </fieldset>
      <label>
        Role
        <select value={param("role")} onChange={(e) => change({ role: e.currentTarget.value })}>
          <option value="">Any role</option>
          {(about?.roles ?? []).map((role) => <option key={role} value={role}>{role}</option>)}
        </select>
      </label>
      <label class="check">
        <input type="checkbox" checked={param("has_code") === "1"} onChange={(e) => change({ has_code: e.currentTarget.checked ? 1 : null })} />
        Only papers with code
      </label>
      <label>
        Confidence at least {Math.round(confidence * 100)} %
        <input type="range" min={0} max={0.95} step={0.05} value={confidence} onChange={(e) => change({ min_confidence: Number(e.currentTarget.value) ? e.currentTarget.value : null })} />
      </label>
      <button type="button" disabled={!filterCount()} onClick={() => change(noFilters())}>Clear filters</button>
    </form>
  );
}
