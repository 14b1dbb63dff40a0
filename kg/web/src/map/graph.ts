import type { Columns } from "../state/types";
import { AGES, AGE_BASE, GROUPS, GROUP_BASE, KIND_NAMES, OTHER_COLOR, kindLook } from "./palette";
import { SHAPES, type Scene } from "./scene";

const PAPER_HANDICAP = 6;

export type ColorBy = "kind" | "community" | "year";

/** The graph on the page: columns with the most important node first, and a way to grow. */
export class Graph {
  readonly index = new Map<string, number>();
  private readonly known = new Set<string>();
  constructor(readonly columns: Columns) {
    columns.nodes.id.forEach((id, i) => this.index.set(id, i));
  }

  get count(): number {
    return this.columns.nodes.id.length;
  }

  /** This graph with another's nodes and edges added; what both have is taken once. */
  merged(more: Columns): Graph {
    const { nodes, edges, edge_types } = this.columns;
    const out: Columns = {
      ...this.columns,
      nodes: Object.fromEntries(Object.entries(nodes).map(([k, v]) => [k, [...v]])) as unknown as Columns["nodes"],
      edges: { source: [...edges.source], target: [...edges.target], weight: [...edges.weight], type: [...edges.type] },
      edge_types: [...edge_types],
    };
    const grown = new Graph(out);
    for (let e = 0; e < edges.source.length; e++) grown.known.add(grown.key(e));
    const place = more.nodes.id.map((id, i) => {
      const have = grown.index.get(id);
      if (have !== undefined) return have;
      const at = out.nodes.id.length;
      for (const column of Object.keys(out.nodes) as (keyof Columns["nodes"])[])
        (out.nodes[column] as unknown[]).push(more.nodes[column]?.[i] ?? null);
      grown.index.set(id, at);
      return at;
    });
    const types = more.edge_types.map((name) => {
      const at = out.edge_types.indexOf(name);
      return at >= 0 ? at : out.edge_types.push(name) - 1;
    });
    for (let e = 0; e < more.edges.source.length; e++) {
      const at = out.edges.source.length;
      out.edges.source.push(place[more.edges.source[e]!]!);
      out.edges.target.push(place[more.edges.target[e]!]!);
      out.edges.type.push(types[more.edges.type[e]!] ?? 0);
      out.edges.weight.push(more.edges.weight[e] ?? 1);
      const key = grown.key(at);
      if (!grown.known.has(key)) grown.known.add(key);
      else for (const column of Object.values(out.edges)) (column as number[]).pop();
    }
    return grown;
  }

  private key(e: number): string {
    const { source, target, type } = this.columns.edges;
    const a = source[e]!, b = target[e]!;
    return `${Math.min(a, b)} ${Math.max(a, b)} ${this.columns.edge_types[type[e]!] ?? ""}`;
  }

  /** How many nodes of each kind, most frequent first. */
  kinds(): [string, number][] {
    const counts = new Map<string, number>();
    for (const kind of this.columns.nodes.kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    return [...counts].sort((a, b) => b[1] - a[1]);
  }

  /** Which nodes show: not hidden by name, not of a hidden kind. */
  shown(hidden: ReadonlySet<string>, hiddenKinds: ReadonlySet<string>): Uint8Array {
    const { id, kind } = this.columns.nodes;
    return Uint8Array.from(id, (one, i) => (hidden.has(one) || hiddenKinds.has(kind[i]!) ? 0 : 1));
  }

  /** Palette index of each node. */
  colors(by: ColorBy): Uint8Array {
    const { kind, community, year } = this.columns.nodes;
    if (by === "community") {
      const rank = new Map((this.columns.communities ?? []).map((c, i) => [c.id, i]));
      return Uint8Array.from(community, (c) => {
        if (c === null || c === undefined || c < 0) return OTHER_COLOR;
        return GROUP_BASE + ((rank.get(c) ?? c) % GROUPS);
      });
    }
    if (by === "year") {
      const [from, to] = this.years();
      const step = Math.max(1, to - from);
      return Uint8Array.from(year, (y) => (y === null ? OTHER_COLOR : AGE_BASE + Math.round(((y - from) / step) * (AGES - 1))));
    }
    return Uint8Array.from(kind, (k) => {
      const at = KIND_NAMES.indexOf(k);
      return at < 0 ? OTHER_COLOR : at;
    });
  }

  years(): [number, number] {
    let from = Infinity, to = -Infinity;
    for (const y of this.columns.nodes.year)
      if (y !== null) {
        from = Math.min(from, y);
        to = Math.max(to, y);
      }
    return Number.isFinite(from) ? [from, to] : [0, 0];
  }

  /**
   * Who gets a label first: what many papers share. A paper's size counts its authors, and its title is long,
   * so among other things it must be well connected to win.
   */
  labelOrder(): Uint32Array {
    const { size, kind } = this.columns.nodes;
    const mixed = kind.some((k) => k !== "paper");
    const weight = (i: number): number => (mixed && kind[i] === "paper" ? size[i]! / PAPER_HANDICAP : size[i]!);
    return Uint32Array.from(size.keys()).sort((a, b) => weight(b) - weight(a) || a - b);
  }

  /** Flat arrays for the renderer. */
  scene(by: ColorBy, shown: Uint8Array): Scene {
    const { nodes, edges } = this.columns;
    let mean = 0;
    for (const s of nodes.size) mean += Math.sqrt(1 + s);
    mean = mean / Math.max(1, nodes.size.length) || 1;
    return {
      x: Float32Array.from(nodes.x),
      y: Float32Array.from(nodes.y),
      radius: Float32Array.from(nodes.size, (s) => Math.min(3.2, 0.55 + 0.45 * (Math.sqrt(1 + s) / mean))),
      shape: Uint8Array.from(nodes.kind, (k) => Math.max(0, SHAPES.indexOf(kindLook(k).shape))),
      color: this.colors(by),
      shown,
      source: Uint32Array.from(edges.source),
      target: Uint32Array.from(edges.target),
      weight: Float32Array.from(edges.weight, (w) => w || 1),
    };
  }
}
