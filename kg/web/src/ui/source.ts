import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Graph } from "../map/graph";
import { arrange } from "../map/local";
import { asApiError, entityPath, get, query, useGet, type ApiError } from "../state/api";
import { filterText, list, param, route } from "../state/route";
import type { Columns, PathsPage } from "../state/types";

export interface Source {
  graph: Graph | null;
  error: ApiError | null;
  loading: boolean;
  /** Changes when another graph is shown, not when it only grows. */
  key: string;
}

/** Address of the map with the filters of the page, in any of its formats. */
export const mapUrl = (format = "json"): string => {
  const lens = param("lens") || "all";
  const text = filterText.value;
  return `/api/map/${encodeURIComponent(lens)}.${format}${text ? `?${text}` : ""}`;
};

const neighbours = (id: string, hops: string): string => `/api/neighbours/${entityPath(id)}.json${query({ hops, limit: 250 })}`;

/** Addresses whose nodes and edges make the graph of a page other than the map. */
function parts(): string[] {
  const { path } = route.value;
  const hops = param("hops") || "1";
  const own = path === "/link" ? [param("a"), param("b")] : path === "/entity" ? [centre()] : [];
  return [...own.filter(Boolean).map((id) => neighbours(id, path === "/entity" ? hops : "1")), ...list("expand").map((id) => neighbours(id, "1"))];
}

/** The entity a neighbourhood was opened on; looking at its neighbours does not move it. */
export const centre = (): string => param("centre") || param("id");

/** The graph a page shows: the whole map, a neighbourhood grown by hand, or the nodes of some paths. */
export function useSource(paths: PathsPage | null): Source {
  const { path } = route.value;
  const whole = useGet<Columns>(path === "/map" ? mapUrl() : null);
  const wholeGraph = useMemo(() => (whole.data ? new Graph(whole.data) : null), [whole.data]);
  const local = useLocal(path === "/map" ? [] : parts(), path === "/paths" ? paths : null);
  if (path === "/map") return { graph: wholeGraph, error: whole.error, loading: whole.loading, key: mapUrl() };
  return { ...local, key: path === "/entity" ? `entity ${centre()}` : path + param("a") + param("b") };
}

const empty = (): Columns => ({
  nodes: { id: [], label: [], kind: [], x: [], y: [], size: [], community: [], year: [] },
  edges: { source: [], target: [], weight: [], type: [] },
  edge_types: [],
});

/** The steps of paths as a graph. */
export function ofPaths(page: PathsPage): Columns {
  const out = empty();
  const at = new Map<string, number>();
  const add = (e: { id: string; label: string; kind: string }): number => {
    const have = at.get(e.id);
    if (have !== undefined) return have;
    at.set(e.id, out.nodes.id.length);
    out.nodes.id.push(e.id);
    out.nodes.label.push(e.label);
    out.nodes.kind.push(e.kind);
    out.nodes.x.push(0);
    out.nodes.y.push(0);
    out.nodes.size.push(1);
    out.nodes.community.push(null);
    out.nodes.year.push(null);
    return at.get(e.id)!;
  };
  for (const path of page.paths)
    for (const step of path.steps) {
      out.edges.source.push(add(step.from));
      out.edges.target.push(add(step.to));
      out.edges.weight.push(Math.max(1, step.papers.length));
      let type = out.edge_types.indexOf(step.relation);
      if (type < 0) type = out.edge_types.push(step.relation) - 1;
      out.edges.type.push(type);
    }
  return out;
}

function useLocal(urls: string[], paths: PathsPage | null): Omit<Source, "key"> {
  const [state, set] = useState<Omit<Source, "key">>({ graph: null, error: null, loading: urls.length > 0 });
  const settled = useRef({ first: "", places: new Map<string, [number, number]>() });
  const key = urls.join("\n") + (paths ? JSON.stringify([paths.a.id, paths.b.id]) : "");
  useEffect(() => {
    if (!urls.length && !paths) return set({ graph: null, error: null, loading: false });
    const stop = new AbortController();
    set((old) => ({ ...old, error: null, loading: true }));
    Promise.all(urls.map((url) => get<Columns>(url, stop.signal))).then(
      (all) => {
        if (stop.signal.aborted) return;
        let graph = new Graph(paths ? ofPaths(paths) : empty());
        for (const columns of all) graph = graph.merged(columns);
        // what was there when the page grows stays where the reader saw it
        const first = (urls[0] ?? "") + (paths?.a.id ?? "");
        if (settled.current.first !== first) settled.current = { first, places: new Map() };
        const columns = arrange(graph.columns, settled.current.places);
        graph = new Graph(columns);
        columns.nodes.id.forEach((id, i) => settled.current.places.set(id, [columns.nodes.x[i]!, columns.nodes.y[i]!]));
        set({ graph, error: null, loading: false });
      },
      (error: unknown) => !stop.signal.aborted && set({ graph: null, error: asApiError(error), loading: false }),
    );
    return () => stop.abort();
  }, [key]);
  return state;
}
