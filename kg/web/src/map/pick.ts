import Flatbush from "flatbush";
import type { Scene } from "./scene";

/** Finds the node or edge under the pointer through spatial indexes, each built when first asked. */
export class Picker {
  private nodes: Flatbush | null = null;
  private edges: Flatbush | null = null;
  constructor(private readonly scene: Scene) {}

  /** Nearest shown node whose symbol (or its surroundings, `slack` world units) holds the point, or -1. */
  node(x: number, y: number, slack: number, radius: (i: number) => number): number {
    const { scene } = this;
    if (!scene.x.length) return -1;
    if (!this.nodes) {
      this.nodes = new Flatbush(scene.x.length);
      for (let i = 0; i < scene.x.length; i++) this.nodes.add(scene.x[i]!, scene.y[i]!);
      this.nodes.finish();
    }
    const reach = slack + radius(0);
    let best = -1;
    let distance = Infinity;
    for (const i of this.nodes.neighbors(x, y, 24, Math.max(reach, slack * 4), (i) => scene.shown[i] === 1)) {
      const d = Math.hypot(scene.x[i]! - x, scene.y[i]! - y) - radius(i);
      if (d < slack && d < distance) {
        best = i;
        distance = d;
      }
    }
    return best;
  }

  /** Nearest of a few edges within `slack` world units of the point, or -1. */
  among(edges: readonly number[], x: number, y: number, slack: number): number {
    const { scene } = this;
    let best = -1;
    let distance = slack;
    for (const e of edges) {
      const a = scene.source[e]!, b = scene.target[e]!;
      const d = toSegment(x, y, scene.x[a]!, scene.y[a]!, scene.x[b]!, scene.y[b]!);
      if (d < distance) {
        best = e;
        distance = d;
      }
    }
    return best;
  }

  /** Nearest shown edge within `slack` world units of the point, or -1. */
  edge(x: number, y: number, slack: number): number {
    const { scene } = this;
    const m = scene.source.length;
    if (!m) return -1;
    if (!this.edges) {
      this.edges = new Flatbush(m);
      for (let e = 0; e < m; e++) {
        const a = scene.source[e]!, b = scene.target[e]!;
        this.edges.add(
          Math.min(scene.x[a]!, scene.x[b]!), Math.min(scene.y[a]!, scene.y[b]!),
          Math.max(scene.x[a]!, scene.x[b]!), Math.max(scene.y[a]!, scene.y[b]!),
        );
      }
      this.edges.finish();
    }
    const hits = this.edges.search(x - slack, y - slack, x + slack, y + slack, (e) =>
      scene.shown[scene.source[e]!] === 1 && scene.shown[scene.target[e]!] === 1);
    return this.among(hits, x, y, slack);
  }
}

/** Distance of a point from a line between two points. */
export function toSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const dx = bx - ax, dy = by - ay;
  const length = dx * dx + dy * dy;
  const t = length ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
