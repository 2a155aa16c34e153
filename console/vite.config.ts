import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { ERRORS } from "../src/core/errors.ts";

/** The module `virtual:error-help`: how to fix each error, by its code. The table itself is the server's, with its schemas. */
const errorHelp = (): Plugin => ({
  name: "error help",
  resolveId: (id) => (id === "virtual:error-help" ? `\0${id}` : undefined),
  load: (id) =>
    id === "\0virtual:error-help"
      ? `export default ${JSON.stringify(Object.fromEntries(Object.entries(ERRORS).map(([code, { help }]) => [code, help])))}`
      : undefined,
});

export default defineConfig({
  root: import.meta.dirname,
  base: "/console/",
  plugins: [errorHelp()],
  resolve: {
    alias: {
      "@parley/sdk": join(import.meta.dirname, "../clients/typescript/src/index.ts"),
      // Its variant for browsers asks the document for the names of characters, and a worker has none.
      "decode-named-character-reference": fileURLToPath(import.meta.resolve("decode-named-character-reference")),
    },
  },
  worker: { format: "es" },
  build: {
    target: "es2022",
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0, // the page's policy loads nothing from data: but pictures
    reportCompressedSize: false,
  },
});
