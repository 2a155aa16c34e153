import { defineConfig } from "@hey-api/openapi-ts";

/** `npm run sdk` writes src/generated from the OpenAPI document. */
export default defineConfig({
  input: "../../openapi/openapi.json",
  output: { path: "src/generated", clean: true, module: { extension: ".ts" } },
  logs: { level: "error", file: false },
  plugins: [
    "@hey-api/typescript",
    { name: "@hey-api/client-fetch", throwOnError: true },
    { name: "@hey-api/sdk", responseStyle: "data" },
  ],
});
