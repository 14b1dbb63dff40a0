import { useEffect, useRef } from "preact/hooks";
import type { Graph } from "../map/graph";
import { change, param, route } from "../state/route";
import { EntityPanel } from "./entity";
import { LinkPanel } from "./link";
import { NodeList } from "./nodelist";
import { PathsPanel, type usePaths } from "./paths";
import { ResultsPanel } from "./results";

interface Props {
  graph: Graph | null;
  shown: Uint8Array;
  listing: boolean;
  paths: ReturnType<typeof usePaths>;
  onFocus(id: string): void;
  onFound(ids: string[]): void;
  onClose(): void;
}

/** Whether the address asks for something beside the map. */
export const panelWanted = (listing: boolean): boolean =>
  listing || route.value.path === "/paths" || ["id", "a", "q"].some((name) => param(name) !== "");

/** The side of the page that reads: one entity, one link, paths, results, or the map as a list. */
export function Panel({ graph, shown, listing, paths, onFocus, onFound, onClose }: Props) {
  const root = useRef<HTMLElement>(null);
  const { path } = route.value;
  const [id, a, b, q] = ["id", "a", "b", "q"].map(param) as [string, string, string, string];
  const key = [path === "/paths", id, a, b, q].join("|");
  useEffect(() => root.current?.scrollTo(0, 0), [key]);
  if (!panelWanted(listing)) return null;
  const body =
    path === "/paths" && !id ? <PathsPanel a={a} b={b} paths={paths} />
    : id ? <EntityPanel id={id} onFocus={onFocus} />
    : a && b ? <LinkPanel a={a} b={b} />
    : q ? <ResultsPanel q={q} onFound={onFound} />
    : graph ? <NodeList graph={graph} shown={shown} />
    : null;
  return (
    <aside class="panel" ref={root} aria-label="Details" tabIndex={-1}
      onKeyDown={(e) => { if (e.key === "Escape" && !e.defaultPrevented && path === "/map") onClose(); }}>
      {id && q && path === "/map" ? <button type="button" class="link" onClick={() => change({ id: null })}>← results</button> : null}
      {path === "/map" ? <button type="button" class="close" aria-label="Close" title="Close (Esc)" onClick={onClose}>×</button> : null}
      {body}
    </aside>
  );
}
