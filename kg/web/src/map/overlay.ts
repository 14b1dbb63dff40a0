import type { Size } from "./camera";
import { labelHeight, typeUnit, type Label } from "./labels";
import { SHAPES, type Look, type Scene } from "./scene";
import { trace } from "./sprites";

const MOST_MARKED = 800; // neighbours drawn live round a selection
const MOST_NAMED = 120;

type Place = (node: number) => [number, number];

/** What is drawn on every frame above the picture: the selection, its links, pins and labels. */
export class Overlay {
  /** The type of labels in a window of this size. */
  static font(size: Size): string {
    return `${12 * typeUnit(size)}px system-ui, 'Segoe UI', 'Noto Sans', sans-serif`;
  }

  /** Edges of the selection as last drawn. */
  liveEdges: number[] = [];
  private key = "";
  private near: number[] = [];
  private ink = { text: "", halo: "", accent: "" };

  constructor(private readonly look: Look) {}

  /** Draws the marks; returns the nodes whose labels must show, and those whose labels come first. */
  marks(
    ctx: CanvasRenderingContext2D, scene: Scene, selected: number[], pinned: number[], hovered: number, scale: number, place: Place,
  ): [number[], number[]] {
    this.colours(ctx);
    this.gather(scene, selected);
    if (selected.length) {
      ctx.strokeStyle = this.ink.accent;
      ctx.globalAlpha = 0.75;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      for (const e of this.liveEdges) {
        ctx.moveTo(...place(scene.source[e]!));
        ctx.lineTo(...place(scene.target[e]!));
      }
      ctx.stroke();
      ctx.globalAlpha = 1;
      for (const i of this.near) this.node(ctx, scene, i, scale, place, 1);
    }
    for (const i of selected) this.ring(ctx, scene, i, scale, place, 3);
    for (const i of pinned) if (scene.shown[i]) this.ring(ctx, scene, i, scale, place, 1.5);
    if (hovered >= 0) this.ring(ctx, scene, hovered, scale, place, 1.5);
    return [[...selected, ...(hovered >= 0 ? [hovered] : [])], [...pinned, ...this.near.slice(0, MOST_NAMED)]];
  }

  labels(ctx: CanvasRenderingContext2D, labels: Label[], scene: Scene, size: Size, scale: number, place: Place, only: Set<number> | null): void {
    ctx.font = Overlay.font(size);
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    ctx.lineJoin = "round";
    ctx.lineWidth = 3 * typeUnit(size);
    ctx.strokeStyle = this.ink.halo;
    ctx.fillStyle = this.ink.text;
    for (const label of labels) {
      const [x, y] = place(label.node);
      const top = y + Math.max(1, scene.radius[label.node]! * scale) + 2;
      if (only && !only.has(label.node)) continue;
      if (x < -label.width || y < -labelHeight(size) || x > size.width + label.width || y > size.height) continue;
      ctx.strokeText(label.text, x, top);
      ctx.fillText(label.text, x, top);
    }
  }

  private colours(ctx: CanvasRenderingContext2D): void {
    const style = getComputedStyle(ctx.canvas);
    this.ink = {
      text: style.getPropertyValue("--ink").trim() || "#222",
      halo: style.getPropertyValue("--ground").trim() || "#fff",
      accent: style.getPropertyValue("--accent").trim() || "#06c",
    };
  }

  /** Links of the marked nodes: all of a single one, only those among them of several. */
  private gather(scene: Scene, selected: number[]): void {
    const key = `${selected.join()}/${scene.source.length}/${scene.x.length}`;
    if (key === this.key) return;
    this.key = key;
    this.liveEdges = [];
    const near = new Set<number>();
    if (!selected.length) {
      this.near = [];
      return;
    }
    const chosen = new Set(selected);
    for (let e = 0; e < scene.source.length && this.liveEdges.length < MOST_MARKED; e++) {
      const a = scene.source[e]!, b = scene.target[e]!;
      const hits = (chosen.has(a) ? 1 : 0) + (chosen.has(b) ? 1 : 0);
      if (hits < (selected.length > 1 ? 2 : 1) || !scene.shown[a] || !scene.shown[b]) continue;
      this.liveEdges.push(e);
      near.add(a).add(b);
    }
    this.near = [...near].filter((i) => !chosen.has(i)).sort((a, b) => a - b);
  }

  private node(ctx: CanvasRenderingContext2D, scene: Scene, i: number, scale: number, place: Place, grow: number): void {
    const [x, y] = place(i);
    ctx.beginPath();
    trace(ctx, SHAPES[scene.shape[i]!] ?? "circle", x, y, Math.max(2, scene.radius[i]! * scale) * grow);
    ctx.fillStyle = this.look.palette[scene.color[i]!] ?? "#888";
    ctx.fill();
  }

  private ring(ctx: CanvasRenderingContext2D, scene: Scene, i: number, scale: number, place: Place, width: number): void {
    this.node(ctx, scene, i, scale, place, 1);
    const [x, y] = place(i);
    const r = Math.max(3, scene.radius[i]! * scale) + 3;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.lineWidth = width + 2;
    ctx.strokeStyle = this.ink.halo;
    ctx.stroke();
    ctx.lineWidth = width;
    ctx.strokeStyle = this.ink.accent;
    ctx.stroke();
  }
}
