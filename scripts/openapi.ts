import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createViteServer } from "vitest/node";
import { command } from "./lib/command.ts";
import { ROOT } from "./lib/wrangler.ts";

const FILE = join(ROOT, "openapi/openapi.json");

const { values } = command({
  name: "openapi",
  what: "Writes openapi/openapi.json from the code.",
  options: { check: { type: "boolean", help: "writes nothing, and fails when the file differs from the code" } },
});

const markdownAsText = {
  name: "markdown-as-text",
  enforce: "pre" as const,
  transform: (code: string, id: string) => (id.endsWith(".md") ? `export default ${JSON.stringify(code)};` : undefined),
};

/** Generates the document from the app's routes, without a server. */
async function generate() {
  const vite = await createViteServer({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    plugins: [markdownAsText],
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { createApp } = await vite.ssrLoadModule("/src/api/http/app.ts");
    const { openApiDocument } = await vite.ssrLoadModule("/src/api/http/openapi.ts");
    const { workflows } = await vite.ssrLoadModule("/workflows/index.ts");
    const noServices = () => {
      throw new Error("The document needs no services.");
    };
    return `${JSON.stringify(openApiDocument(createApp(noServices), workflows), null, 2)}\n`;
  } finally {
    await vite.close();
  }
}

const document = await generate();
if (!values.check) {
  writeFileSync(FILE, document);
} else if (readFileSync(FILE, "utf8") !== document) {
  process.stderr.write("openapi/openapi.json differs from the code. Run `npm run openapi` and commit the result.\n");
  process.exitCode = 1;
}
