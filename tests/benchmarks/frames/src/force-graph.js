import ForceGraph from "force-graph";
import { COLORS } from "./data.js";

// lod: while the view moves, only the heaviest links and the most important nodes are drawn
export function start(element, { nodes, edges }, lib) {
  let moving = false;
  let timer = 0;
  const lod = lib === "force-graph-lod";
  const graph = new ForceGraph(element)
    .graphData({ nodes: nodes.map((n) => ({ ...n, fx: n.x, fy: n.y })), links: edges.map((e) => ({ ...e })) })
    .cooldownTicks(0)
    .warmupTicks(0)
    .autoPauseRedraw(true)
    .nodeVal((n) => 20 * n.size)
    .nodeColor((n) => COLORS[n.group % 10])
    .nodeLabel("label")
    .linkColor(() => "rgba(120,120,120,.25)")
    .linkWidth((e) => e.weight / 2);
  if (lod) {
    graph.linkVisibility((e) => !moving || e.weight >= 5).nodeVisibility((n) => !moving || n.id < 2500);
    graph.onZoom(() => {
      moving = true;
      clearTimeout(timer);
      timer = setTimeout(() => {
        moving = false;
        graph.linkVisibility(graph.linkVisibility());
      }, 150);
    });
  }
  graph.centerAt(32768, 32768).zoom(Math.min(innerWidth, innerHeight) / 68000);
  return new Promise((go) => graph.onRenderFramePost(() => go()));
}
