import { radiusScale, visibleBox } from "./camera";
import type { Look, Scene, View } from "./scene";
import { Sprites } from "./sprites";

type Ctx = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const EDGES_A_STROKE = 400;
const SAMPLED = 4_000; // edges whose length is looked at
const MIN_STAMP = 1.4; // below this radius (CSS pixels) a node is a plain small square

/** Edges whose box touches the view, heaviest first up to `limit`; `order` is by falling weight. */
export function edgesInView(scene: Scene, order: Uint32Array, view: View, limit: number): Uint32Array {
  const box = visibleBox(view.camera, view.size);
  const { x, y, source, target, shown } = scene;
  const found = new Uint32Array(Math.min(limit, order.length));
  let n = 0;
  for (let j = 0; j < order.length && n < found.length; j++) {
    const e = order[j]!;
    const a = source[e]!;
    const b = target[e]!;
    if (!shown[a] || !shown[b]) continue;
    const ax = x[a]!, bx = x[b]!, ay = y[a]!, by = y[b]!;
    if ((ax < box.minX && bx < box.minX) || (ax > box.maxX && bx > box.maxX)) continue;
    if ((ay < box.minY && by < box.minY) || (ay > box.maxY && by > box.maxY)) continue;
    found[n++] = e;
  }
  return found.subarray(0, n);
}

/** How strongly edges show: the more of the view their lines cover, the fainter, so that a crowd is no black field. */
export function edgeAlpha(scene: Scene, edges: Uint32Array, view: View): number {
  const { x, y, source, target } = scene;
  const most = Math.max(view.size.width, view.size.height) / view.camera.k;
  const step = Math.max(1, Math.floor(edges.length / SAMPLED));
  let length = 0;
  for (let i = 0; i < edges.length; i += step) {
    const a = source[edges[i]!]!, b = target[edges[i]!]!;
    length += Math.min(most, Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!));
  }
  // The map fills about half of the window it fits; nearer, all of it.
  const area = Math.min(view.size.width * view.size.height, (view.window.width * view.window.height * (view.camera.k / view.fitted) ** 2) / 2);
  const cover = (length * step * view.camera.k) / area;
  return Math.min(0.55, Math.max(0.02, 0.3 / Math.max(cover, 0.1)));
}

/** Strokes part of the edges; lines of like weight share a path. */
export function strokeEdges(ctx: Ctx, scene: Scene, view: View, edges: Uint32Array, from: number, to: number): void {
  const { x, y, source, target, weight } = scene;
  const { camera: c, size: s } = view;
  const ox = s.width / 2 - c.x * c.k;
  const oy = s.height / 2 - c.y * c.k;
  const near = Math.min(2, Math.max(0.8, c.k / view.fitted / 4));
  for (let i = from; i < to; ) {
    const w = weight[edges[i]!]!;
    ctx.beginPath();
    let n = 0;
    for (; i < to && n < EDGES_A_STROKE && weight[edges[i]!] === w; i++, n++) {
      const a = source[edges[i]!]!;
      const b = target[edges[i]!]!;
      ctx.moveTo(x[a]! * c.k + ox, y[a]! * c.k + oy);
      ctx.lineTo(x[b]! * c.k + ox, y[b]! * c.k + oy);
    }
    ctx.lineWidth = near * Math.min(4, 0.6 + 0.4 * Math.sqrt(w));
    ctx.stroke();
  }
}

/** Stamps the nodes in view, the least important first so that the others lie on top. */
export function stampNodes(ctx: Ctx, scene: Scene, view: View, look: Look, sprites: Sprites): void {
  const { x, y, radius, shape, color, shown } = scene;
  const { camera: c, size: s } = view;
  const ox = s.width / 2 - c.x * c.k;
  const oy = s.height / 2 - c.y * c.k;
  const scale = radiusScale(c.k, view.fitted, x.length, view.window);
  let last = -1;
  for (let i = x.length - 1; i >= 0; i--) {
    if (!shown[i]) continue;
    const px = x[i]! * c.k + ox;
    const py = y[i]! * c.k + oy;
    const r = radius[i]! * scale;
    if (px < -r || py < -r || px > s.width + r || py > s.height + r) continue;
    const ink = color[i]!;
    if (r < MIN_STAMP) {
      if (ink !== last) ctx.fillStyle = look.palette[ink] ?? "#888";
      last = ink;
      ctx.fillRect(px - r, py - r, 2 * r, 2 * r);
    } else {
      const [sprite, half] = sprites.get(shape[i]!, ink, r);
      ctx.drawImage(sprite, px - half, py - half, 2 * half, 2 * half);
    }
  }
}

/** Edge numbers by falling weight; equal weights keep their order. */
export function byWeight(weight: Float32Array): Uint32Array {
  const order = new Uint32Array(weight.length);
  for (let i = 0; i < order.length; i++) order[i] = i;
  return order.sort((a, b) => weight[b]! - weight[a]! || a - b);
}
