import { MapView } from "../../../../kg/web/src/map/view";
import { COLORS } from "./data.js";

export function start(element, { nodes, edges }) {
  const map = new MapView(element, { palette: COLORS, edge: "#888888", outline: "#ffffff" }, {});
  const column = (Kind, of) => Kind.from(nodes, of);
  const scene = {
    x: column(Float32Array, (n) => n.x),
    y: column(Float32Array, (n) => n.y),
    radius: column(Float32Array, (n) => 0.6 + 0.4 * Math.sqrt(n.size)),
    shape: column(Uint8Array, (n) => n.group % 3),
    color: column(Uint8Array, (n) => n.group % 10),
    shown: column(Uint8Array, () => 1),
    source: Uint32Array.from(edges, (e) => e.source),
    target: Uint32Array.from(edges, (e) => e.target),
    weight: Float32Array.from(edges, (e) => e.weight),
  };
  map.setScene(scene, nodes.map((n) => n.label), Uint32Array.from(nodes, (_, i) => i));
  window.map = map;
  return new Promise((go) => {
    const look = () => (map.state().complete ? go() : setTimeout(look, 5));
    look();
  });
}
