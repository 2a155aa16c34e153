import { createViteServer } from "vitest/node";
import { command } from "./lib/command.ts";
import { CHECK, writeOrCheck } from "./lib/generated.ts";
import { ROOT } from "./lib/wrangler.ts";

const { values } = command({
  name: "openapi",
  what: "Writes openapi/openapi.json from the code.",
  options: CHECK,
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

writeOrCheck({ "openapi/openapi.json": await generate() }, "openapi", values);
