import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY, type SimulationNodeDatum } from "d3-force";
import type { Columns } from "../state/types";

interface Body extends SimulationNodeDatum {
  id: string;
}

const MOST = 900; // nodes; above this the positions of the whole map are kept
const STEP = 2_200; // world units between linked nodes

/** Positions for a small graph, computed to the end before it is shown; nodes in `settled` stay where they are. */
export function arrange(columns: Columns, settled: ReadonlyMap<string, [number, number]>): Columns {
  const { nodes, edges } = columns;
  const n = nodes.id.length;
  if (!n || n > MOST) return columns;
  const bodies: Body[] = nodes.id.map((id, i) => {
    const at = settled.get(id);
    // a spiral to start from: the same graph always gets the same picture
    const turn = i * 2.399963;
    const far = STEP * 0.4 * Math.sqrt(i);
    return at ? { id, x: at[0], y: at[1], fx: at[0], fy: at[1] } : { id, x: 32768 + far * Math.cos(turn), y: 32768 + far * Math.sin(turn) };
  });
  for (let e = 0; e < edges.source.length; e++) {
    const a = bodies[edges.source[e]!]!, b = bodies[edges.target[e]!]!;
    // a newcomer starts beside the neighbour that is already there
    for (const [here, there] of [[a, b], [b, a]] as const)
      if (here.fx === undefined && there.fx !== undefined && settled.size) {
        here.x = (there.x ?? 0) + Math.cos(e) * STEP;
        here.y = (there.y ?? 0) + Math.sin(e) * STEP;
      }
  }
  const links = edges.source.map((s, e) => ({ source: s, target: edges.target[e]! }));
  const simulation = forceSimulation(bodies)
    .force("link", forceLink(links).distance(STEP).strength(0.25))
    .force("charge", forceManyBody().strength(-STEP * 5).theta(1.1).distanceMax(STEP * 12))
    .force("x", forceX(32768).strength(0.035))
    .force("y", forceY(32768).strength(0.06))
    .force("collide", forceCollide(STEP * 0.32))
    .stop();
  simulation.tick(n > 300 ? 120 : 250);
  return { ...columns, nodes: { ...nodes, x: bodies.map((b) => b.x ?? 0), y: bodies.map((b) => b.y ?? 0) } };
}
