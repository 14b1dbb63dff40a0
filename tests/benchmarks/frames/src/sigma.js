import Graph from "graphology";
import Sigma from "sigma";
import { COLORS } from "./data.js";

export function start(element, { nodes, edges }, lib) {
  const graph = new Graph({ multi: true });
  for (const n of nodes) graph.addNode(n.id, { x: n.x, y: n.y, size: 1 + Math.sqrt(n.size), label: n.label, color: COLORS[n.group % 10] });
  for (const e of edges) graph.addEdge(e.source, e.target, { size: e.weight / 2, color: "#bbb" });
  const sigma = new Sigma(graph, element, { hideEdgesOnMove: lib === "sigma-hide", hideLabelsOnMove: lib === "sigma-hide", labelRenderedSizeThreshold: 4 });
  return new Promise((go) => sigma.once("afterRender", go));
}
