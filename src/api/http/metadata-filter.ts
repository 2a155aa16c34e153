import { z } from "@hono/zod-openapi";
import { hasFewEntries, MAX_METADATA } from "#services/fields/metadata";

/** Without `__proto__`, which a schema of records drops: the filter would match every run. */
const PARAMETER = /^metadata\[(?!__proto__\])([A-Za-z0-9_.-]{1,64})\]$/;

/** Collects `metadata[key]=value` parameters under `metadata`; a malformed one stays, so that it is refused by its name. */
export function collectMetadata(query: unknown): unknown {
  const entries = Object.entries(query as Record<string, unknown>).map(([name, value]) => ({
    name,
    value,
    key: PARAMETER.exec(name)?.[1],
  }));
  const metadata = entries.filter(({ key }) => key !== undefined).map(({ key, value }) => [key, value]);
  const others = entries.filter(({ key }) => key === undefined).map(({ name, value }) => [name, value]);
  return { ...Object.fromEntries(others), ...(metadata.length && { metadata: Object.fromEntries(metadata) }) };
}

export const metadataFilter = z
  .record(z.string(), z.string())
  .refine(hasFewEntries, `At most ${MAX_METADATA} entries.`)
  .optional()
  .openapi({
    description: `\`metadata[key]=value\`: runs with this entry. Of several, at most ${MAX_METADATA}, all must match.`,
    example: { customer: "42" },
    param: { style: "deepObject", explode: true },
  });
