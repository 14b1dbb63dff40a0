import { make } from "./data.js";

const pages = {
  vis: () => import("./vis.js"),
  "vis-hide": () => import("./vis.js"),
  cytoscape: () => import("./cytoscape.js"),
  "cytoscape-fast": () => import("./cytoscape.js"),
  sigma: () => import("./sigma.js"),
  "sigma-hide": () => import("./sigma.js"),
  "force-graph": () => import("./force-graph.js"),
  "force-graph-lod": () => import("./force-graph.js"),
  pixi: () => import("./pixi.js"),
  own: () => import("./own.js"),
};

const asked = new URLSearchParams(location.search);
const lib = asked.get("lib");
const data = make(Number(asked.get("n")));
const { start } = await pages[lib]();
window.began = performance.now();
await start(document.getElementById("graph"), data, lib);
// two frames later what was drawn stands on the screen
await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
window.ready = performance.now() - window.began;
