import { fileURLToPath } from "node:url";
import license from "rollup-plugin-license";
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    target: "es2022",
    modulePreload: { polyfill: false }, // the polyfill would be needed by browsers older than those that run the worker
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0, // the page's policy allows only files of its own server
  },
  worker: { format: "es" },
  plugins: [
    license({
      thirdParty: {
        output: {
          file: fileURLToPath(new URL("./dist/licenses.txt", import.meta.url)),
          encoding: "utf-8",
          template: (found) =>
            found
              .map((d) => `${d.name} ${d.version} (${d.license})\n\n${d.licenseText ?? d.author?.text() ?? ""}\n`)
              .join(`\n${"-".repeat(78)}\n\n`),
        },
      },
    }),
  ],
  server: { proxy: { "/api": "http://127.0.0.1:8000", "/sparql": "http://127.0.0.1:8000", "/id": "http://127.0.0.1:8000" } },
});
