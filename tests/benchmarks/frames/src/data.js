// One made-up graph for all: clusters of clusters, positions given, two edges a node, most of them short.
export function make(count) {
  let seed = 20260101;
  const random = () => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) / 4294967296);
  const bell = () => random() + random() + random() + random() - 2;
  const groups = Math.max(4, Math.round(Math.sqrt(count) / 2));
  const centres = Array.from({ length: groups }, () => [random() * 60000 + 2700, random() * 60000 + 2700]);
  const nodes = [];
  for (let i = 0; i < count; i++) {
    const group = Math.floor(random() * random() * groups);
    const [cx, cy] = centres[group];
    const spread = 60000 / Math.sqrt(groups) / 2.2;
    nodes.push({ id: i, x: cx + bell() * spread, y: cy + bell() * spread, group, size: Math.max(1, Math.round(30 / (1 + i / 20))), label: `Node number ${i}` });
  }
  const byGroup = Array.from({ length: groups }, () => []);
  for (const n of nodes) byGroup[n.group].push(n.id);
  const edges = [];
  for (let i = 0; i < count; i++)
    for (let j = 0; j < 2; j++) {
      const near = byGroup[nodes[i].group];
      const other = random() < 0.85 ? near[Math.floor(random() * random() * near.length)] : Math.floor(random() * count);
      if (other !== i) edges.push({ source: i, target: other, weight: 1 + Math.floor(random() * random() * 5) });
    }
  return { nodes, edges };
}

export const COLORS = ["#4269d0", "#efb118", "#ff725c", "#6cc5b0", "#3ca951", "#ff8ab7", "#a463f2", "#97bbf5", "#9c6b4e", "#9498a0"];
