/** The view of the map: which world point stands in the middle, and pixels per world unit. */
export interface Camera {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

export const toScreen = (c: Camera, s: Size, x: number, y: number): [number, number] => [
  (x - c.x) * c.k + s.width / 2,
  (y - c.y) * c.k + s.height / 2,
];

export const toWorld = (c: Camera, s: Size, px: number, py: number): [number, number] => [
  (px - s.width / 2) / c.k + c.x,
  (py - s.height / 2) / c.k + c.y,
];

/** Part of the world a camera shows, widened by `margin` (0.5: half a window on each side). */
export function visibleBox(c: Camera, s: Size, margin = 0): Box {
  const w = (s.width * (0.5 + margin)) / c.k;
  const h = (s.height * (0.5 + margin)) / c.k;
  return { minX: c.x - w, minY: c.y - h, maxX: c.x + w, maxY: c.y + h };
}

/** Camera that shows a whole box with some air; a point gets `closest` pixels per unit. */
export function fit(box: Box, s: Size, closest = 0.12): Camera {
  const pad = Math.min(48, s.width / 8, s.height / 8);
  const k = Math.min(
    (s.width - 2 * pad) / Math.max(box.maxX - box.minX, 1e-9),
    (s.height - 2 * pad) / Math.max(box.maxY - box.minY, 1e-9),
    closest,
  );
  return { x: (box.minX + box.maxX) / 2, y: (box.minY + box.maxY) / 2, k };
}

/** The camera after zooming by `factor` about a point of the window, which stays where it is. */
export function zoomAt(c: Camera, s: Size, px: number, py: number, factor: number, range: [number, number]): Camera {
  const k = Math.min(range[1], Math.max(range[0], c.k * factor));
  const [wx, wy] = toWorld(c, s, px, py);
  return { x: wx - (px - s.width / 2) / k, y: wy - (py - s.height / 2) / k, k };
}

export function boxOf(x: ArrayLike<number>, y: ArrayLike<number>, which?: Iterable<number>): Box {
  const box = { minX: Infinity, minY: Infinity, maxX: -Infinity, maxY: -Infinity };
  const add = (i: number) => {
    box.minX = Math.min(box.minX, x[i]!);
    box.maxX = Math.max(box.maxX, x[i]!);
    box.minY = Math.min(box.minY, y[i]!);
    box.maxY = Math.max(box.maxY, y[i]!);
  };
  if (which) for (const i of which) add(i);
  else for (let i = 0; i < x.length; i++) add(i);
  return Number.isFinite(box.minX) ? box : { minX: 0, minY: 0, maxX: 65535, maxY: 65535 };
}

/** Pixels of a node's radius at a zoom: grows slower than the map, so that near views stay open. */
export function radiusScale(k: number, fitted: number, count: number, s: Size): number {
  const spacing = Math.sqrt((s.width * s.height) / Math.max(count, 1));
  const base = Math.min(7, Math.max(0.75, spacing * 0.16));
  return Math.min(9, base * Math.pow(Math.max(k / fitted, 0.2), 0.55));
}
