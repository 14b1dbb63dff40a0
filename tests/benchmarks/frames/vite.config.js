import { defineConfig } from "vite";

export default defineConfig({
  build: { chunkSizeWarningLimit: 4000 },
  // the explorer's own renderer comes from its sources and shares this folder's copy of its one library
  resolve: { alias: { flatbush: new URL("./node_modules/flatbush/index.js", import.meta.url).pathname } },
  worker: { format: "es" },
  server: { fs: { allow: ["../../.."] } },
});
