import cytoscape from "cytoscape";
import { COLORS } from "./data.js";

export function start(container, { nodes, edges }, lib) {
  const fast = lib === "cytoscape-fast";
  const cy = cytoscape({
    container,
    elements: [
      ...nodes.map((n) => ({ data: { id: `n${n.id}`, label: n.label, color: COLORS[n.group % 10], size: 30 + 10 * Math.sqrt(n.size) }, position: { x: n.x, y: n.y } })),
      ...edges.map((e, i) => ({ data: { id: `e${i}`, source: `n${e.source}`, target: `n${e.target}`, w: 4 * e.weight } })),
    ],
    style: [
      { selector: "node", style: { "background-color": "data(color)", width: "data(size)", height: "data(size)", label: "data(label)", "min-zoomed-font-size": 8 } },
      { selector: "edge", style: { width: "data(w)", "line-color": "#aaa", "curve-style": "haystack" } },
    ],
    layout: { name: "preset" },
    textureOnViewport: fast,
    hideEdgesOnViewport: fast,
    pixelRatio: 1,
  });
  return new Promise((go) => cy.ready(() => cy.one("render", go)));
}
