import { useEffect, useState } from "preact/hooks";
import { kindLook } from "../map/palette";
import { entityPath, useGet } from "../state/api";
import { looked, spoken } from "../state/app";
import { change, choose, go, href, list, param, route, toggle } from "../state/route";
import type { EntityPage, Fact, Group } from "../state/types";
import { Confidence, Quote } from "./mention";
import { EntityLink, Failure, KindIcon, Loading, OutLink, plural } from "./small";

const FOLDED = 8; // rows of a group that show at first

/** All that is known of one entity, and what to do with it on the map. */
export function EntityPanel({ id, onFocus }: { id: string; onFocus(id: string): void }) {
  const { data, error, loading } = useGet<EntityPage>(`/api/entity/${entityPath(id)}.json`);
  useEffect(() => {
    if (!data || data.entity.id !== id) return;
    looked(data.entity);
    document.title = `${data.entity.label} · paperkg`;
    spoken.value = `${kindLook(data.entity.kind).title} ${data.entity.label}`;
  }, [data, id]);
  if (error) return <Failure error={error} />;
  if (!data || (loading && data.entity.id !== id)) return <Loading />;
  const { entity, aliases, facts, links_out, groups, decided } = data;
  const path = entityPath(id);
  return (
    <article aria-labelledby="panel-title">
      <p class="kind-line"><KindIcon kind={entity.kind} /> {kindLook(entity.kind).title}</p>
      <h2 id="panel-title" dir="auto">{entity.label}</h2>
      {aliases.length ? <Aliases names={aliases} /> : null}
      <Actions id={id} onFocus={onFocus} />
      {links_out.length ? (
        <p class="links-out">
          {links_out.map((l) => <OutLink key={l.href} to={l.href}>{l.label}</OutLink>)}
        </p>
      ) : null}
      {facts.length ? <dl class="facts">{facts.map((f, i) => <FactRow key={i} fact={f} />)}</dl> : null}
      {groups.filter((g) => g.total > 0).map((g) => <GroupList key={g.title + g.relation} group={g} centre={id} />)}
      {decided?.length ? (
        <details class="decided">
          <summary>How this was told apart ({decided.length})</summary>
          <ul>{decided.map((d, i) => <li key={i}>{typeof d === "string" ? d : JSON.stringify(d)}</li>)}</ul>
        </details>
      ) : null}
      <p class="twins">
        The same as <a href={`/api/entity/${path}.json`} download>JSON</a> <a href={`/api/entity/${path}.ttl`} download>Turtle</a>{" "}
        <a href={`/api/entity/${path}.jsonld`} download>JSON-LD</a> <a href={`/api/entity/${path}.csv`} download>CSV</a>
        <br />
        <span class="iri">{entity.iri}</span>
      </p>
    </article>
  );
}

function Aliases({ names }: { names: string[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? names : names.slice(0, 6);
  return (
    <p class="aliases">
      also {shown.map((n, i) => <span key={i} dir="auto">{n}</span>)}
      {names.length > shown.length ? <button type="button" class="link" onClick={() => setAll(true)}>{names.length - shown.length} more</button> : null}
    </p>
  );
}

function Actions({ id, onFocus }: { id: string; onFocus(id: string): void }) {
  const { path, params } = route.value;
  const pinned = list("pin").includes(id);
  const hops = param("hops") || "1";
  const own = path === "/entity" && params.get("centre") === null;
  const expanded = list("expand").includes(id);
  const local = path !== "/map";
  return (
    <div class="actions" role="group" aria-label="On the map">
      <button type="button" onClick={() => onFocus(id)}>Show</button>
      {local ? (
        <button type="button" aria-pressed={expanded} onClick={() => toggle("expand", id)}>Expand</button>
      ) : (
        <a class="button" href={href("/entity", { id })}>Neighbourhood</a>
      )}
      {local && own ? (
        <button type="button" aria-pressed={hops === "2"} onClick={() => change({ hops: hops === "2" ? null : 2 })}>2 hops</button>
      ) : null}
      <button type="button" aria-pressed={pinned} onClick={() => toggle("pin", id)}>Pin</button>
      <button type="button" onClick={() => { const hide = [...new Set([...list("hide"), id])]; if (path === "/map") { choose({}); change({ hide }, true); } else change({ hide }); }}>Hide</button>
      <button type="button" onClick={() => go(href("/paths", { a: id }))}>Connect to…</button>
    </div>
  );
}

function FactRow({ fact }: { fact: Fact }) {
  const { label, value, entity, href: out, confidence, evidence } = fact;
  return (
    <>
      <dt>{label}</dt>
      <dd dir="auto" class={String(value).length > 200 ? "long" : undefined}>
        {entity ? <EntityLink entity={entity} /> : out ? <OutLink to={out}>{value}</OutLink> : String(value)}
        <Confidence value={confidence} />
        {evidence?.length ? (
          <details>
            <summary>{plural(evidence.length, "quote")}</summary>
            {evidence.map((m, i) => <Quote key={i} mention={m} />)}
          </details>
        ) : null}
      </dd>
    </>
  );
}

function GroupList({ group, centre }: { group: Group; centre: string }) {
  const [all, setAll] = useState(false);
  const shown = all ? group.items : group.items.slice(0, FOLDED);
  return (
    <section class="group">
      <h3>{group.title} <span class="count">{group.total.toLocaleString("en")}</span></h3>
      <ul class="rows">
        {shown.map((item) => (
          <li key={item.id + (item.role ?? "")}>
            <EntityLink entity={item} note={[item.role, item.year, item.note].filter(Boolean).join(" · ")} />
            <Confidence value={item.confidence} />
            <a class="why" href={linkHref(centre, item.id)} title="The papers and sentences behind this link">
              why<span class="sr"> {item.label} is linked</span>
            </a>
          </li>
        ))}
      </ul>
      {group.items.length > shown.length ? (
        <button type="button" class="link" onClick={() => setAll(true)}>Show {group.items.length - shown.length} more</button>
      ) : null}
      {all && group.total > group.items.length ? <p class="hint">The first {group.items.length} of {group.total.toLocaleString("en")}; ask for all under Ask.</p> : null}
    </section>
  );
}

/** The page that explains a link, beside what is on the map now. */
export function linkHref(a: string, b: string): string {
  const { path, params } = route.value;
  if (path === "/map") return href("/map", { id: null, q: null, a, b }, params);
  return href("/link", { a, b });
}
