import { DataSet } from "vis-data/esnext";
import { Network } from "vis-network/esnext";
import { COLORS } from "./data.js";

export function start(element, { nodes, edges }, lib) {
  const data = {
    nodes: new DataSet(nodes.map((n) => ({ id: n.id, x: n.x / 10, y: n.y / 10, label: n.label, shape: "dot", size: 4 + Math.sqrt(n.size), color: COLORS[n.group % 10] }))),
    edges: new DataSet(edges.map((e, i) => ({ id: i, from: e.source, to: e.target, width: e.weight / 2 }))),
  };
  const network = new Network(element, data, {
    physics: false,
    layout: { improvedLayout: false },
    edges: { smooth: false, color: "#aaa" },
    interaction: { hideEdgesOnDrag: lib === "vis-hide" },
  });
  network.fit();
  return new Promise((go) => network.once("afterDrawing", go));
}
