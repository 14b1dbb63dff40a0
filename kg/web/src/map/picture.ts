import { radiusScale, toScreen, visibleBox, type Camera, type Size } from "./camera";
import { byWeight, edgeAlpha, edgesInView, stampNodes, strokeEdges } from "./draw";
import { typeUnit, type Label } from "./labels";
import { SHAPES, type Look, type Scene, type View } from "./scene";
import { outlineOf, Sprites } from "./sprites";

export interface Shot {
  scene: Scene;
  look: Look;
  camera: Camera;
  size: Size;
  fitted: number;
  labels: Label[];
  ink: string;
  ground: string;
}

const MOST_EDGES = 60_000;
const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (c) => `&#${c.codePointAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, "\ufffd");

/** What the window shows as SVG text: shapes, lines and labels stay editable. */
export function svg(shot: Shot): string {
  const { scene, look, camera, size, fitted, labels, ink, ground } = shot;
  const view: View = { camera, size, ratio: 1, fitted, window: size };
  const n = (v: number): string => (Math.round(v * 10) / 10).toString();
  const unit = typeUnit(size);
  const at = (i: number): [number, number] => toScreen(camera, size, scene.x[i]!, scene.y[i]!);
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">`,
    `<rect width="100%" height="100%" fill="${escape(ground)}"/>`,
  ];
  const edges = edgesInView(scene, byWeight(scene.weight), view, MOST_EDGES);
  out.push(`<g stroke="${look.edge}" stroke-opacity="${edgeAlpha(scene, edges, view).toFixed(2)}" fill="none">`);
  const widths = new Map<number, string[]>();
  for (const e of edges) {
    const w = Math.min(4, 0.6 + 0.4 * Math.sqrt(scene.weight[e]!));
    const [ax, ay] = at(scene.source[e]!);
    const [bx, by] = at(scene.target[e]!);
    if (!widths.has(w)) widths.set(w, []);
    widths.get(w)!.push(`M${n(ax)} ${n(ay)}L${n(bx)} ${n(by)}`);
  }
  for (const [w, d] of widths) out.push(`<path stroke-width="${n(w)}" d="${d.join("")}"/>`);
  out.push("</g>", `<g stroke="${look.outline}" stroke-width="0.8">`);
  const scale = radiusScale(camera.k, fitted, scene.x.length, size);
  const box = visibleBox(camera, size, 0.02);
  for (let i = scene.x.length - 1; i >= 0; i--) {
    const x = scene.x[i]!, y = scene.y[i]!;
    if (!scene.shown[i] || x < box.minX || x > box.maxX || y < box.minY || y > box.maxY) continue;
    const [px, py] = at(i);
    const r = scene.radius[i]! * scale;
    const fill = look.palette[scene.color[i]!];
    const points = outlineOf(SHAPES[scene.shape[i]!] ?? "circle", r);
    out.push(points ? `<polygon fill="${fill}" points="${points.map(([dx, dy]) => `${n(px + dx)},${n(py + dy)}`).join(" ")}"/>` : `<circle fill="${fill}" cx="${n(px)}" cy="${n(py)}" r="${n(r)}"/>`);
  }
  out.push("</g>", `<g font-family="sans-serif" font-size="${n(12 * unit)}" text-anchor="middle" fill="${escape(ink)}" stroke="${escape(ground)}" stroke-width="3" paint-order="stroke" stroke-linejoin="round">`);
  for (const label of labels) {
    const [px, py] = at(label.node);
    out.push(`<text x="${n(px)}" y="${n(py + scene.radius[label.node]! * scale + 1 + 12 * unit)}">${escape(label.text)}</text>`);
  }
  out.push("</g></svg>");
  return out.join("\n");
}

/** What the window shows as PNG, at twice its size where that stays reasonable. */
export async function png(shot: Shot): Promise<Blob> {
  const { scene, look, camera, size, fitted, labels, ink, ground } = shot;
  const ratio = size.width * size.height > 4e6 ? 1 : 2;
  const view: View = { camera, size, ratio, fitted, window: size };
  const canvas = new OffscreenCanvas(size.width * ratio, size.height * ratio);
  const ctx = canvas.getContext("2d")!;
  ctx.scale(ratio, ratio);
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, size.width, size.height);
  const edges = edgesInView(scene, byWeight(scene.weight), view, MOST_EDGES);
  ctx.strokeStyle = look.edge;
  ctx.globalAlpha = edgeAlpha(scene, edges, view);
  strokeEdges(ctx, scene, view, edges, 0, edges.length);
  ctx.globalAlpha = 1;
  stampNodes(ctx, scene, view, look, new Sprites(look.palette, look.outline, ratio));
  const scale = radiusScale(camera.k, fitted, scene.x.length, size);
  ctx.font = `${12 * typeUnit(size)}px system-ui, sans-serif`;
  ctx.textAlign = "center";
  ctx.textBaseline = "top";
  ctx.lineJoin = "round";
  ctx.lineWidth = 3;
  ctx.strokeStyle = ground;
  ctx.fillStyle = ink;
  for (const label of labels) {
    const [px, py] = toScreen(camera, size, scene.x[label.node]!, scene.y[label.node]!);
    const top = py + scene.radius[label.node]! * scale + 2;
    ctx.strokeText(label.text, px, top);
    ctx.fillText(label.text, px, top);
  }
  return canvas.convertToBlob({ type: "image/png" });
}

/** Hands a file to the user. */
export function save(name: string, content: Blob | string, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
