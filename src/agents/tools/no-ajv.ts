/**
 * Stands in for `ajv` and `ajv-formats` (aliases in wrangler.toml and vitest.config.ts): the MCP client imports them for a default that
 * it is never left to, since they compile code, which Workers forbid. Whoever makes a client names another validator (`mcp.ts`).
 */
export default function noAjv(): never {
  throw new Error("ajv is not part of the Worker: give the MCP client a `jsonSchemaValidator`.");
}
