import { describe, expect, it } from "vitest";
import { fit, toScreen, toWorld, zoomAt } from "../src/map/camera";
import { Graph } from "../src/map/graph";
import { placeLabels, typeUnit } from "../src/map/labels";
import { arrange } from "../src/map/local";
import { Picker, toSegment } from "../src/map/pick";
import { fitBetween } from "../src/map/pictures";
import { edgeAlpha } from "../src/map/draw";
import { svg } from "../src/map/picture";
import type { Columns } from "../src/state/types";

const size = { width: 800, height: 600 };

export function columns(ids: string[], links: [number, number][], types = ["uses"]): Columns {
  return {
    nodes: {
      id: ids, label: ids.map((i) => `Label of ${i}`), kind: ids.map((i) => i.split("/")[0]!),
      x: ids.map((_, i) => (i * 7919) % 60000), y: ids.map((_, i) => (i * 104729) % 60000),
      size: ids.map(() => 1), community: ids.map(() => 0), year: ids.map(() => 2025),
    },
    edges: { source: links.map((l) => l[0]), target: links.map((l) => l[1]), weight: links.map(() => 1), type: links.map(() => 0) },
    edge_types: types,
  };
}

describe("camera", () => {
  it("keeps the point under the pointer when zooming, within its range", () => {
    const camera = { x: 1000, y: 2000, k: 0.02 };
    const before = toWorld(camera, size, 123, 456);
    const after = zoomAt(camera, size, 123, 456, 3, [0.001, 1]);
    expect(after.k).toBeCloseTo(0.06);
    toWorld(after, size, 123, 456).forEach((v, i) => expect(v).toBeCloseTo(before[i]!));
    expect(zoomAt(camera, size, 0, 0, 1e9, [0.001, 1]).k).toBe(1);
  });
  it("fits a box into the window", () => {
    const camera = fit({ minX: 0, minY: 0, maxX: 60000, maxY: 60000 }, size);
    for (const [x, y] of [[0, 0], [60000, 60000]] as const) {
      const [px, py] = toScreen(camera, size, x, y);
      expect(px >= 0 && px <= size.width && py >= 0 && py <= size.height).toBe(true);
    }
  });
});

describe("the whole in the window", () => {
  it("keeps clear of wide things at the top and at the foot", () => {
    const box = { minX: 0, minY: 0, maxX: 60000, maxY: 60000 };
    const bare = fitBetween(box, size, []);
    const camera = fitBetween(box, size, [{ x: 0, y: 0, width: 500, height: 100 }, { x: 0, y: 480, width: 500, height: 120 }]);
    expect(camera.k).toBeLessThan(bare.k);
    const [, top] = toScreen(camera, size, 0, 0);
    const [, foot] = toScreen(camera, size, 0, 60000);
    expect(top).toBeGreaterThan(80);
    expect(foot).toBeLessThan(540);
    expect(fitBetween(box, size, [{ x: 760, y: 500, width: 40, height: 100 }]).k).toBe(bare.k);
  });
  it("draws lines fainter the more they cover", () => {
    const line = (count: number) => {
      const ids = Array.from({ length: 2 * count }, (_, i) => `paper/${i}`);
      const graph = new Graph(columns(ids, Array.from({ length: count }, (_, i) => [2 * i, 2 * i + 1] as [number, number])));
      const camera = fit({ minX: 0, minY: 0, maxX: 60000, maxY: 60000 }, size);
      const view = { camera, size, ratio: 1, fitted: camera.k, window: size };
      return edgeAlpha(graph.scene("kind", graph.shown(new Set(), new Set())), Uint32Array.from(Array(count).keys()), view);
    };
    expect(line(5)).toBe(0.55);
    expect(line(20_000)).toBeLessThan(0.1);
    expect(line(20_000)).toBeGreaterThanOrEqual(0.02);
  });
});

describe("labels", () => {
  it("go to what many papers share before long titles, and never over the window's side", () => {
    const ids = [...Array.from({ length: 60 }, (_, i) => `paper/${i}`), ...Array.from({ length: 10 }, (_, i) => `method/${i}`)];
    const made = columns(ids, []);
    made.nodes.size = ids.map((id) => (id.startsWith("paper") ? 30 : 12)); // a paper's size counts its authors
    const graph = new Graph(made);
    const order = [...graph.labelOrder()].map((i) => ids[i]!);
    expect(order.slice(0, 10).every((id) => id.startsWith("method"))).toBe(true);
    const scene = graph.scene("kind", graph.shown(new Set(), new Set()));
    const camera = fit({ minX: 0, minY: 0, maxX: 60000, maxY: 60000 }, size);
    const placed = placeLabels(scene, made.nodes.label, graph.labelOrder(), camera, size, camera.k, (t) => t.length * 7, [], [], 500);
    expect(placed.length).toBeGreaterThan(10);
    for (const l of placed) {
      const [x] = toScreen(camera, size, scene.x[l.node]!, scene.y[l.node]!);
      expect(x - l.width / 2 >= 0 && x + l.width / 2 <= size.width).toBe(true);
    }
    const alone = columns(["paper/a", "paper/b"], []);
    alone.nodes.size = [1, 9];
    expect([...new Graph(alone).labelOrder()]).toEqual([1, 0]);
  });
  it("grow with the screen", () => {
    expect(typeUnit({ width: 360, height: 740 })).toBe(1);
    expect(typeUnit({ width: 1440, height: 900 })).toBe(1);
    expect(typeUnit({ width: 3840, height: 2100 })).toBeGreaterThan(1.5);
  });

  it("never overlap, except forced ones, and keep clear of what covers the map", () => {
    const graph = new Graph(columns(Array.from({ length: 400 }, (_, i) => `paper/${i}`), []));
    const scene = graph.scene("kind", graph.shown(new Set(), new Set()));
    const camera = fit({ minX: 0, minY: 0, maxX: 60000, maxY: 60000 }, size);
    const bar = { x: 0, y: 0, width: 800, height: 80 };
    const placed = placeLabels(scene, graph.columns.nodes.label, graph.labelOrder(), camera, size, camera.k, (t) => t.length * 7, [], [], 500, [bar]);
    expect(placed.length).toBeGreaterThan(10);
    const boxes = placed.map((l) => {
      const [x, y] = toScreen(camera, size, scene.x[l.node]!, scene.y[l.node]!);
      return [x - l.width / 2, y, x + l.width / 2, y + 14] as const;
    });
    for (const [i, a] of boxes.entries()) {
      expect(a[3]).toBeGreaterThan(80);
      for (const b of boxes.slice(i + 1)) expect(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]).toBe(true);
    }
  });
});

describe("picking", () => {
  it("finds the node and the edge under the pointer, and not a hidden one", () => {
    const graph = new Graph(columns(["paper/a", "method/b", "person/c"], [[0, 1]]));
    const scene = graph.scene("kind", graph.shown(new Set(), new Set()));
    const picker = new Picker(scene);
    expect(picker.node(scene.x[1]! + 3, scene.y[1]!, 20, () => 10)).toBe(1);
    const middle = [(scene.x[0]! + scene.x[1]!) / 2, (scene.y[0]! + scene.y[1]!) / 2] as const;
    expect(picker.edge(...middle, 5)).toBe(0);
    scene.shown[1] = 0;
    expect(picker.node(scene.x[1]!, scene.y[1]!, 20, () => 10)).toBe(-1);
    expect(picker.edge(...middle, 5)).toBe(-1);
    expect(toSegment(0, 5, -10, 0, 10, 0)).toBe(5);
  });
});

describe("graph", () => {
  it("merges by id and takes the same edge once, whichever way it was told", () => {
    const one = new Graph(columns(["paper/a", "method/b"], [[0, 1]]));
    const both = one.merged(columns(["method/b", "paper/a", "person/c"], [[0, 1], [2, 1]], ["uses"]));
    expect(both.columns.nodes.id).toEqual(["paper/a", "method/b", "person/c"]);
    expect(both.columns.edges.source.map((s, e) => [s, both.columns.edges.target[e]])).toEqual([[0, 1], [2, 0]]);
    expect(both.columns.edges.weight).toHaveLength(2);
    const other = both.merged(columns(["paper/a", "method/b"], [[0, 1]], ["proposes"]));
    expect(other.columns.edge_types).toEqual(["uses", "proposes"]);
    expect(other.columns.edges.source).toHaveLength(3);
    expect(one.count).toBe(2);
  });
  it("lays a small graph out the same way each time and leaves settled nodes alone", () => {
    const some = columns(["paper/a", "method/b", "person/c"], [[0, 1], [0, 2]]);
    const first = arrange(some, new Map());
    expect(arrange(some, new Map()).nodes.x).toEqual(first.nodes.x);
    const settled = new Map([["paper/a", [1, 2] as [number, number]]]);
    expect(arrange(some, settled).nodes.x[0]).toBe(1);
  });
});

describe("svg", () => {
  it("escapes names and leaves hidden nodes out", () => {
    const some = columns(["paper/a", "paper/b"], [[0, 1]]);
    some.nodes.label[0] = `</text><script>alert(1)</script>&"\u0000\ud83d`;
    const graph = new Graph(some);
    const scene = graph.scene("kind", graph.shown(new Set(["paper/b"]), new Set()));
    const camera = fit({ minX: 0, minY: 0, maxX: 60000, maxY: 60000 }, size);
    const text = svg({ scene, look: { palette: ["#111"], edge: "#222", outline: "#fff" }, camera, size, fitted: camera.k, labels: [{ node: 0, text: some.nodes.label[0], width: 9 }], ink: "#000", ground: "#fff" });
    expect(text).not.toContain("<script");
    expect(text.match(/<polygon/g)).toHaveLength(1);
    expect(text).not.toContain("\u0000");
    expect(text).not.toContain("<path");
  });
});
