import { useEffect, useMemo, useState } from "preact/hooks";
import type { ColorBy } from "../map/graph";
import { meta, spoken } from "../state/app";
import { change, choose, go, href, lastMap, list, param, route } from "../state/route";
import { ExportMenu } from "./export";
import { filterCount, Filters, noFilters } from "./filters";
import { Legend } from "./legend";
import { MapCanvas, type MapHandle } from "./mapcanvas";
import { Panel, panelWanted } from "./panel";
import { usePaths } from "./paths";
import { Failure, Loading, Menu, plural } from "./small";
import { useSource } from "./source";

const NONE = new Uint8Array(0);

/** Map and panel: the page behind /map, /entity, /link and /paths. */
export function MapPage() {
  const { path, params } = route.value;
  const paths = usePaths(path === "/paths" ? param("a") : "", path === "/paths" ? param("b") : "");
  const source = useSource(paths.data);
  const { graph } = source;
  const [handle, setHandle] = useState<MapHandle | null>(null);
  const [listing, setListing] = useState(false);
  const [found, setFound] = useState<string[]>([]);
  const [hiddenKinds, setHiddenKinds] = useState<ReadonlySet<string>>(new Set());
  const hide = list("hide");
  const pinned = list("pin");
  const lens = param("lens") || "all";
  const colorBy = (param("color") || (path === "/map" && lens !== "all" ? "community" : "kind")) as ColorBy;
  const shown = useMemo(() => (graph ? graph.shown(new Set(hide), hiddenKinds) : NONE), [graph, hide.join("\n"), hiddenKinds]);
  useEffect(() => {
    if (path === "/map") lastMap.value = href("/map", {}, params);
  }, [path, params]);
  useEffect(() => {
    if (!panelWanted(false)) document.title = "Map · paperkg";
    if (graph) spoken.value = `${plural(graph.count, "node")} on the map`;
  }, [graph]);

  const [id, a, b, q] = ["id", "a", "b", "q"].map(param) as [string, string, string, string];
  const selected = id ? [id] : a && b && path !== "/paths" ? [a, b] : [];
  const marked = q && !id ? [...pinned, ...found] : pinned;
  const focus = (one: string): void => {
    const at = graph?.index.get(one);
    if (at === undefined || !shown[at]) go(href("/entity", { id: one }));
    else handle?.view.focus([at]);
  };
  const select = (one: string): void => {
    setListing(false);
    if (path === "/entity") change({ id: one, centre: param("centre") || param("id"), a: null, b: null });
    else if (path === "/link" || path === "/paths") go(href("/entity", { id: one }));
    else choose(q ? { id: one, q } : { id: one });
  };
  const edge = (from: string, to: string): void => {
    setListing(false);
    if (path === "/map") choose({ a: from, b: to });
    else go(href("/link", { a: from, b: to }));
  };
  const clear = (): void => {
    setListing(false);
    if (path === "/map" && panelWanted(false)) choose({});
  };
  const community = (which: number): void => {
    if (!graph) return;
    const nodes: number[] = [];
    graph.columns.nodes.community.forEach((c, i) => c === which && nodes.length < 400 && nodes.push(i));
    handle?.view.focus(nodes);
  };
  const toggleKind = (kind: string): void => {
    const next = new Set(hiddenKinds);
    if (!next.delete(kind)) next.add(kind);
    setHiddenKinds(next);
  };
  return (
    <main class={`map-page ${panelWanted(listing) ? "with-panel" : ""}`} id="main">
      <section class="stage" aria-label="Map">
        <h1 class="sr">{path === "/map" ? "Map" : path === "/paths" ? "Paths" : path === "/link" ? "Link" : "Neighbourhood"}</h1>
        {graph && graph.count ? (
          <MapCanvas
            graph={graph} graphKey={source.key} colorBy={colorBy} shown={shown} selected={selected} pinned={marked}
            camera={path === "/map" ? param("view") : ""} onSelect={select} onEdge={edge} onClear={clear} onHandle={setHandle}
            onOpen={(one) => (path === "/map" ? go(href("/entity", { id: one })) : change({ expand: [...new Set([...list("expand"), one])] }))}
            onMoved={(view) => path === "/map" && change({ view }, true)}
          />
        ) : null}
        <div class="map-top">
          {path === "/map" ? <LensBar lens={lens} /> : <a class="button" href={lastMap.value}>← Map</a>}
          <div class="tools">
            {path === "/map" ? <Menu label={`Filter${filterCount() ? ` (${filterCount()})` : ""}`}><Filters /></Menu> : null}
            <button type="button" aria-pressed={listing} onClick={() => { if (!listing && path === "/map") choose({}); setListing(!listing); }}>List</button>
            <ExportMenu handle={handle} />
          </div>
        </div>
        <Says source={source} />
        {graph && graph.count ? (
          <div class="map-bottom">
            <Legend graph={graph} colorBy={colorBy} hiddenKinds={hiddenKinds} onKind={toggleKind} onCommunity={community} />
            {hide.length ? <button type="button" onClick={() => change({ hide: null })}>Show {hide.length} hidden</button> : null}
            <div class="zoom" role="group" aria-label="Zoom">
              <button type="button" aria-label="Zoom in" onClick={() => handle?.view.zoomBy(1.6)}>+</button>
              <button type="button" aria-label="Zoom out" onClick={() => handle?.view.zoomBy(1 / 1.6)}>−</button>
              <button type="button" aria-label="Fit the whole graph" onClick={() => handle?.view.fitAll()}>⤢</button>
            </div>
          </div>
        ) : null}
      </section>
      <Panel graph={graph} shown={shown} listing={listing} paths={paths} onFocus={focus} onFound={setFound} onClose={clear} />
    </main>
  );
}

function LensBar({ lens }: { lens: string }) {
  return (
    <nav class="lenses" aria-label="Lenses">
      {(meta.value?.lenses ?? []).map((l) => (
        <a key={l.name} href={href("/map", { lens: l.name === "all" ? null : l.name, view: null, id: null, a: null, b: null, q: null, color: null }, route.value.params)}
          aria-current={l.name === lens ? "page" : undefined}>
          {l.title}
        </a>
      ))}
    </nav>
  );
}

/** One line on what is seen, or why nothing is. */
function Says({ source }: { source: ReturnType<typeof useSource> }) {
  const { graph, error, loading } = source;
  const { path } = route.value;
  const lens = meta.value?.lenses.find((l) => l.name === (param("lens") || "all"));
  if (error) return <div class="says"><Failure error={error} /></div>;
  if (!graph) return loading ? <div class="says"><Loading what="Loading the map" /></div> : null;
  if (!graph.count)
    return (
      <div class="says message" role="status">
        <p><strong>Nothing to show here.</strong></p>
        {path !== "/map" ? null : filterCount() && !lens?.empty ? (
          <p>No part of the graph passes the filters. <button type="button" class="link" onClick={() => change(noFilters())}>Clear filters</button></p>
        ) : (
          <p>{lens?.empty ?? graph.columns.empty ?? "The graph has nothing for this lens."}</p>
        )}
      </div>
    );
  const { node, edge, total, cut, edges } = graph.columns;
  return (
    <p class="says" role="status">
      {path === "/map" && node ? <span>{[node, edge].filter(Boolean).join(" ")} </span> : null}
      <span class="count">{plural(graph.count, "node")}{total && total.nodes > graph.count ? ` of ${total.nodes.toLocaleString("en")}` : ""}, {plural(edges.source.length, "link")}.</span>
      {cut ? <span> {cut[0]!.toUpperCase() + cut.slice(1)}.</span> : null}
      {loading ? <span> Loading…</span> : null}
    </p>
  );
}
