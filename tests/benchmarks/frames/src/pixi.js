import { Application, Container, Graphics, Sprite } from "pixi.js";
import { COLORS } from "./data.js";

export async function start(element, { nodes, edges }) {
  const app = new Application();
  await app.init({ resizeTo: element, background: "#ffffff", antialias: false, preference: "webgl" });
  element.append(app.canvas);
  const world = new Container();
  const k = Math.min(innerWidth, innerHeight) / 68000;
  world.scale.set(k);
  app.stage.addChild(world);
  for (let at = 0; at < edges.length; at += 5000) {
    const lines = new Graphics();
    for (const e of edges.slice(at, at + 5000)) lines.moveTo(nodes[e.source].x, nodes[e.source].y).lineTo(nodes[e.target].x, nodes[e.target].y);
    lines.stroke({ width: 1, color: "#999999", alpha: 0.3, pixelLine: true });
    world.addChild(lines);
  }
  const dot = app.renderer.generateTexture(new Graphics().circle(8, 8, 8).fill("#ffffff"));
  for (const n of nodes) {
    const sprite = new Sprite(dot);
    sprite.anchor.set(0.5);
    sprite.position.set(n.x, n.y);
    sprite.scale.set((1 + Math.sqrt(n.size)) / 8 / k / 2);
    sprite.tint = COLORS[n.group % 10];
    world.addChild(sprite);
  }
  let from = null;
  app.canvas.addEventListener("pointerdown", (e) => (from = [e.clientX - world.x, e.clientY - world.y]));
  addEventListener("pointermove", (e) => from && world.position.set(e.clientX - from[0], e.clientY - from[1]));
  addEventListener("pointerup", () => (from = null));
}
