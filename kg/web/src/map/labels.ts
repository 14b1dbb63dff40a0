import { radiusScale, toScreen, type Camera, type Size } from "./camera";
import type { Scene } from "./scene";

export interface Label {
  node: number;
  text: string;
  width: number;
}

const CELL = 8;
export const LABEL_HEIGHT = 14;

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

/** Labels that do not overlap: `forced` whatever happens, then `first`, then nodes by importance (their order). */
export function placeLabels(
  scene: Scene,
  names: readonly string[],
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
  const placed: Label[] = [];
  const done = new Set<number>();
  const put = (i: number, force: boolean): void => {
    if (done.has(i) || !scene.shown[i]) return;
    const [px, py] = toScreen(camera, size, scene.x[i]!, scene.y[i]!);
    if (px < 0 || py < 0 || px > size.width || py > size.height) return;
    const text = shorten(names[i] ?? "", force ? 60 : 38);
    if (!text) return;
    const width = measure(text);
    const r = scene.radius[i]! * scale;
    if (!grid.take(px - width / 2 - 4, py + r + 1, width + 8, LABEL_HEIGHT + 2, force)) return;
    done.add(i);
    placed.push({ node: i, text, width });
  };
  for (const i of forced) put(i, true);
  for (const i of first) put(i, false);
  const room = (size.width * size.height) / 9_000;
  const limit = Math.min(most, placed.length + Math.ceil(room));
  let misses = 0;
  for (let i = 0; i < scene.x.length && placed.length < limit && misses < 3_000; i++) {
    const before = placed.length;
    put(i, false);
    if (placed.length === before) misses += inView(scene, i, camera, size) ? 1 : 0;
  }
  return placed;
}

function inView(scene: Scene, i: number, camera: Camera, size: Size): boolean {
  const [px, py] = toScreen(camera, size, scene.x[i]!, scene.y[i]!);
  return px >= 0 && py >= 0 && px <= size.width && py <= size.height;
}
