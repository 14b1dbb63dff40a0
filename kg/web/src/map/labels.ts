import { radiusScale, toScreen, type Camera, type Size } from "./camera";
import type { Scene } from "./scene";

export interface Label {
  node: number;
  text: string;
  width: number;
}

const CELL = 8;
const LINE = 14; // pixels a label is high where the unit is 1
const LABEL_AREA = 13_000; // square pixels of window for each label, where the unit is 1
const FAR = 2; // zoom, against the whole, from which titles are written longer

/** Size of the map's type: 1 up to a window of 1350 pixels, more on a wall of pixels, where 12 would be a whisper. */
export const typeUnit = (s: Size): number => Math.min(2, Math.max(1, Math.min(s.width / 2400, s.height / 1350)));
export const labelHeight = (s: Size): number => LINE * typeUnit(s);

/** Which cells of the window are taken; placing a label is a look at a few cells. */
export class Grid {
  private readonly taken: Uint8Array;
  private readonly columns: number;
  private readonly rows: number;
  constructor(size: Size) {
    this.columns = Math.ceil(size.width / CELL) + 1;
    this.rows = Math.ceil(size.height / CELL) + 1;
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  /** Takes a rectangle if it is free (or `force`), and tells whether it did. */
  take(x: number, y: number, width: number, height: number, force = false): boolean {
    const c0 = Math.max(0, Math.floor(x / CELL));
    const c1 = Math.min(this.columns - 1, Math.floor((x + width) / CELL));
    const r0 = Math.max(0, Math.floor(y / CELL));
    const r1 = Math.min(this.rows - 1, Math.floor((y + height) / CELL));
    if (c1 < c0 || r1 < r0) return false;
    if (!force)
      for (let r = r0; r <= r1; r++)
        for (let c = c0; c <= c1; c++) if (this.taken[r * this.columns + c]) return false;
    for (let r = r0; r <= r1; r++) this.taken.fill(1, r * this.columns + c0, r * this.columns + c1 + 1);
    return true;
  }
}

export const shorten = (text: string, most = 38): string => {
  const points = [...text];
  return points.length <= most ? text : points.slice(0, most - 1).join("").trimEnd() + "…";
};

/** Labels that do not overlap: `forced` whatever happens, then `first`, then the others in the given order. */
export function placeLabels(
  scene: Scene,
  names: readonly string[],
  order: Uint32Array,
  camera: Camera,
  size: Size,
  fitted: number,
  measure: (text: string) => number,
  forced: Iterable<number>,
  first: Iterable<number>,
  most: number,
  covered: readonly { x: number; y: number; width: number; height: number }[] = [],
): Label[] {
  const grid = new Grid(size);
  for (const box of covered) grid.take(box.x, box.y, box.width, box.height, true);
  const scale = radiusScale(camera.k, fitted, scene.x.length, size);
  const unit = typeUnit(size);
  const longest = camera.k < FAR * fitted ? 28 : 38;
  const placed: Label[] = [];
  const done = new Set<number>();
  const put = (i: number, force: boolean): void => {
    if (done.has(i) || !scene.shown[i]) return;
    const [px, py] = toScreen(camera, size, scene.x[i]!, scene.y[i]!);
    if (px < 0 || py < 0 || px > size.width || py > size.height) return;
    const text = shorten(names[i] ?? "", force ? 60 : longest);
    if (!text) return;
    const width = measure(text);
    if (!force && (px < width / 2 || px + width / 2 > size.width)) return; // half a word says nothing
    const r = scene.radius[i]! * scale;
    if (!grid.take(px - width / 2 - 4, py + r + 1, width + 8, LINE * unit + 2, force)) return;
    done.add(i);
    placed.push({ node: i, text, width });
  };
  for (const i of forced) put(i, true);
  for (const i of first) put(i, false);
  const room = (size.width * size.height) / (LABEL_AREA * unit * unit);
  const limit = Math.min(most, placed.length + Math.ceil(room));
  let misses = 0;
  for (let at = 0; at < order.length && placed.length < limit && misses < 3_000; at++) {
    const before = placed.length;
    const i = order[at]!;
    put(i, false);
    if (placed.length === before) misses += inView(scene, i, camera, size) ? 1 : 0;
  }
  return placed;
}

function inView(scene: Scene, i: number, camera: Camera, size: Size): boolean {
  const [px, py] = toScreen(camera, size, scene.x[i]!, scene.y[i]!);
  return px >= 0 && py >= 0 && px <= size.width && py <= size.height;
}
