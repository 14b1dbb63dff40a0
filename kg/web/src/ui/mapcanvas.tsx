import { useEffect, useRef, useState } from "preact/hooks";
import type { ColorBy, Graph } from "../map/graph";
import { kindLook, lookOf } from "../map/palette";
import type { Scene } from "../map/scene";
import { MapView } from "../map/view";
import { isDark } from "../state/app";
import { plural } from "./small";

export interface MapHandle {
  view: MapView;
  scene: Scene;
}

interface Props {
  graph: Graph;
  /** Another graph is fitted to the window; one that only grew is not. */
  graphKey: string;
  colorBy: ColorBy;
  shown: Uint8Array;
  selected: string[];
  pinned: string[];
  camera: string;
  onSelect(id: string): void;
  onEdge(a: string, b: string): void;
  onOpen(id: string): void;
  onClear(): void;
  onMoved(camera: string): void;
  onHandle(handle: MapHandle | null): void;
}

const parse = (text: string): { x: number; y: number; k: number } | undefined => {
  const [x, y, k] = text.split(",").map(Number);
  return x !== undefined && y !== undefined && k !== undefined && [x, y, k].every(Number.isFinite) && k > 0 ? { x, y, k } : undefined;
};

interface Hover {
  title: string;
  note: string;
  x: number;
  y: number;
}

/** The canvas with its hover card; everything it draws is also in the list and the panel. */
export function MapCanvas(props: Props) {
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<MapView | null>(null);
  const scene = useRef<Scene | null>(null);
  const now = useRef(props);
  now.current = props;
  const [card, setCard] = useState<Hover | null>(null);
  const { graph, graphKey, colorBy, shown, selected, pinned, camera } = props;

  useEffect(() => {
    const view = new MapView(host.current!, lookOf(isDark.peek()), {
      select: (i) => now.current.onSelect(idOf(i)),
      open: (i) => now.current.onOpen(idOf(i)),
      selectEdge: (e) => {
        const { source, target } = now.current.graph.columns.edges;
        now.current.onEdge(idOf(source[e]!), idOf(target[e]!));
      },
      clear: () => now.current.onClear(),
      hover: (hit) => setCard(hit ? describe(now.current.graph, hit) : null),
      covered: () => [...(host.current?.parentElement?.querySelectorAll(".lenses, .tools, .says, .legend, .zoom") ?? [])].map((e) => e.getBoundingClientRect()),
      moved: (c) => now.current.onMoved(`${Math.round(c.x)},${Math.round(c.y)},${Number(c.k.toPrecision(4))}`),
    });
    const idOf = (i: number): string => now.current.graph.columns.nodes.id[i] ?? "";
    map.current = view;
    const stop = isDark.subscribe((dark) => view.setLook(lookOf(dark)));
    return () => {
      stop();
      now.current.onHandle(null);
      view.destroy();
    };
  }, []);

  const shownKey = useRef("");
  const painted = useRef<ColorBy>(colorBy);
  useEffect(() => {
    const made = graph.scene(colorBy, shown);
    const grown = shownKey.current === graphKey;
    scene.current = made;
    painted.current = colorBy;
    map.current!.setScene(made, graph.columns.nodes.label, graph.labelOrder(), grown ? undefined : parse(camera), grown);
    shownKey.current = graphKey;
    props.onHandle({ view: map.current!, scene: made });
    Object.assign(window, { paperkg: { view: map.current, graph, scene: made } }); // for the browser's console
  }, [graph]);

  useEffect(() => {
    if (!scene.current || (scene.current.shown === shown && painted.current === colorBy)) return;
    painted.current = colorBy;
    scene.current.color = graph.colors(colorBy);
    scene.current.shown = shown;
    map.current!.repaint();
  }, [colorBy, shown]);

  useEffect(() => {
    const places = (ids: string[]): number[] => ids.map((id) => graph.index.get(id)).filter((i): i is number => i !== undefined && shown[i] === 1);
    map.current!.mark(places(selected), places(pinned));
  }, [graph, shown, selected.join("\n"), pinned.join("\n")]);

  return (
    <div class="map-host" ref={host} tabIndex={0} role="application" aria-label={`Map of ${plural(graph.count, "node")}. Arrow keys move, plus and minus zoom, 0 fits. The same as a list: the List button.`}>
      {card ? (
        <div class={`hover-card ${card.x > (host.current?.clientWidth ?? 0) / 2 ? "left" : ""}`} ref={(e) => { if (e) Object.assign(e.style, { left: `${card.x}px`, top: `${card.y}px` }); }}>
          <strong dir="auto">{card.title}</strong>
          <span>{card.note}</span>
        </div>
      ) : null}
    </div>
  );
}

function describe(graph: Graph, hit: { node: number; edge: number; x: number; y: number }): Hover {
  const { nodes, edges, edge_types } = graph.columns;
  if (hit.node >= 0) {
    const kind = kindLook(nodes.kind[hit.node]!).title;
    const year = nodes.year[hit.node];
    return { title: nodes.label[hit.node]!, note: [kind, year, plural(nodes.size[hit.node]!, nodes.kind[hit.node] === "paper" ? "link" : "paper")].filter(Boolean).join(" · "), x: hit.x, y: hit.y };
  }
  const e = hit.edge;
  const weight = edges.weight[e] ?? 1;
  return {
    title: `${nodes.label[edges.source[e]!]} — ${nodes.label[edges.target[e]!]}`,
    note: [edge_types[edges.type[e]!], weight > 1 ? plural(weight, "paper") : null, "click for the papers and sentences"].filter(Boolean).join(" · "),
    x: hit.x, y: hit.y,
  };
}
