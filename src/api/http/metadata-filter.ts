import { z } from "@hono/zod-openapi";
import { boundMetadata, MOST_METADATA } from "#services/fields/metadata";

const PARAMETER = /^metadata\[([A-Za-z0-9_.-]{1,64})\]$/;

/** Brings `metadata[key]=value` parameters together under `metadata`; a badly written one stays, to be refused by its name. */
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
  .refine(boundMetadata, `At most ${MOST_METADATA} entries.`)
  .optional()
  .openapi({
    description: `\`metadata[key]=value\`: runs with this entry. Several, at most ${MOST_METADATA}, must all be met.`,
    example: { customer: "42" },
    param: { style: "deepObject", explode: true },
  });
