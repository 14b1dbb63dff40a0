import { SHAPES, type Shape } from "./scene";

type Ctx = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const corners = (n: number, turn: number, r: number): [number, number][] =>
  Array.from({ length: n }, (_, i) => {
    const a = turn + (i * 2 * Math.PI) / n;
    return [Math.cos(a) * r, Math.sin(a) * r];
  });

/** Corner points of a shape about the origin, or null for round ones. */
export function outlineOf(shape: Shape, r: number): [number, number][] | null {
  switch (shape) {
    case "square":
      return corners(4, Math.PI / 4, r * 1.2);
    case "diamond":
      return corners(4, 0, r * 1.3);
    case "triangle":
      return corners(3, -Math.PI / 2, r * 1.35);
    case "hexagon":
      return corners(6, 0, r * 1.12);
    case "star":
      return corners(10, -Math.PI / 2, r * 1.3).map(([x, y], i) => (i % 2 ? [x * 0.5, y * 0.5] : [x, y]));
    default:
      return null;
  }
}

/** Adds a shape to the current path. */
export function trace(ctx: Ctx, shape: Shape, x: number, y: number, r: number): void {
  const points = outlineOf(shape, r);
  if (!points) {
    ctx.moveTo(x + r, y);
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  points.forEach(([dx, dy], i) => (i ? ctx.lineTo(x + dx, y + dy) : ctx.moveTo(x + dx, y + dy)));
  ctx.closePath();
}

/** Small pictures of nodes, drawn once per shape, colour and radius: stamping them is far cheaper than paths. */
export class Sprites {
  private readonly made = new Map<number, ImageBitmap>();
  constructor(
    private readonly palette: string[],
    private readonly outline: string,
    private readonly ratio: number,
  ) {}

  /** Picture for a radius in CSS pixels and the half of its side in CSS pixels. */
  get(shape: number, color: number, radius: number): [ImageBitmap, number] {
    const step = Math.min(255, Math.round(radius * 2));
    const half = step / 2 + step * 0.2 + 1.5;
    const key = (step << 16) | (color << 8) | shape;
    let sprite = this.made.get(key);
    if (!sprite) {
      const side = Math.max(1, Math.ceil(half * 2 * this.ratio));
      const canvas = new OffscreenCanvas(side, side);
      const ctx = canvas.getContext("2d")!;
      ctx.scale(this.ratio, this.ratio);
      ctx.beginPath();
      const kind = SHAPES[shape] ?? "circle";
      trace(ctx, kind, half, half, step / 2);
      ctx.lineWidth = step > 8 ? 1.5 : 0.8;
      ctx.strokeStyle = this.outline;
      ctx.fillStyle = this.palette[color] ?? "#888";
      ctx.stroke();
      ctx.fill();
      sprite = canvas.transferToImageBitmap();
      this.made.set(key, sprite);
    }
    return [sprite, half];
  }
}
