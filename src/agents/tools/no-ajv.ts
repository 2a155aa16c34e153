/**
 * Replaces `ajv` and `ajv-formats` (aliases in wrangler.toml and vitest.config.ts). The MCP client imports them as its default validator, but
 * they compile code, which Workers forbid; `mcp.ts` passes another validator.
 */
export default function noAjv(): never {
  throw new Error("ajv is not part of the Worker: give the MCP client a `jsonSchemaValidator`.");
}
