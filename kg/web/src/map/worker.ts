/// <reference lib="webworker" />
/** Draws the map away from the page's thread, so that moving it never waits for a drawing. */
import { byWeight, edgeAlpha, edgesInView, stampNodes, strokeEdges } from "./draw";
import type { Drawn, Look, Scene, ToWorker, View } from "./scene";
import { Sprites } from "./sprites";

const QUICK_EDGES = 1_500;
const MAX_EDGES = 120_000;
const PART = 4_000;

let scene: Scene | null = null;
let order: Uint32Array = new Uint32Array(0);
let look: Look = { palette: ["#888"], edge: "#888", outline: "#fff" };
let sprites = new Sprites([], "", 1);
let spriteRatio = 0;
let newest = 0;

/** Lets waiting messages in, so that a newer view stops an older drawing. */
const pause = (): Promise<void> =>
  new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      go();
    };
    port2.postMessage(0);
  });

async function draw(view: View, id: number): Promise<void> {
  if (!scene) return;
  const start = performance.now();
  if (spriteRatio !== view.ratio) {
    sprites = new Sprites(look.palette, look.outline, view.ratio);
    spriteRatio = view.ratio;
  }
  const edges = edgesInView(scene, order, view, MAX_EDGES);
  if (edges.length > 4 * QUICK_EDGES) {
    // something to see at once: all nodes, the heaviest edges
    await picture(view, id, edges.subarray(0, QUICK_EDGES), false, start);
    if (id !== newest) return;
  }
  await picture(view, id, edges, true, start);
}

async function picture(view: View, id: number, edges: Uint32Array, complete: boolean, start: number): Promise<void> {
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(view.size.width * view.ratio)),
    Math.max(1, Math.round(view.size.height * view.ratio)),
  );
  const ctx = canvas.getContext("2d", { willReadFrequently: true })!;
  ctx.scale(view.ratio, view.ratio);
  ctx.strokeStyle = look.edge;
  ctx.globalAlpha = edgeAlpha(scene!, edges, view);
  for (let at = 0; at < edges.length; at += PART) {
    strokeEdges(ctx, scene!, view, edges, at, Math.min(at + PART, edges.length));
    if (edges.length > PART) {
      await pause();
      if (id !== newest) return;
    }
  }
  ctx.globalAlpha = 1;
  stampNodes(ctx, scene!, view, look, sprites);
  const bitmap = canvas.transferToImageBitmap();
  const answer: Drawn = { type: "drawn", id, bitmap, view, complete, ms: performance.now() - start };
  postMessage(answer, { transfer: [bitmap] });
}

addEventListener("message", (event: MessageEvent<ToWorker>) => {
  const message = event.data;
  if (message.type === "scene") {
    scene = message.scene;
    order = byWeight(scene.weight);
  } else if (message.type === "paint") {
    if (scene) Object.assign(scene, { color: message.color, shown: message.shown });
  } else if (message.type === "look") {
    look = message.look;
    spriteRatio = 0;
  } else {
    newest = message.id;
    void draw(message.view, message.id);
  }
});
