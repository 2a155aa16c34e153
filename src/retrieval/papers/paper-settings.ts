import { z } from "zod";
import { readVariables } from "#core/configuration";

export interface PaperSettings {
  /** Base URL of the API. */
  url: string;
  /** null: requests share the public limit. */
  api_key: string | null;
  /** Minimum time between the starts of two requests. Milliseconds. */
  interval_ms: number;
  /** Timeout of one request. Milliseconds. */
  timeout_ms: number;
}

export const paperVariables = z.object({
  /** Set to use a proxy. */
  SEMANTIC_SCHOLAR_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .default("https://api.semanticscholar.org"),
  SEMANTIC_SCHOLAR_API_KEY: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces")
    .default(""),
  /** The public limit is one request per second; your own key may allow more. */
  SEMANTIC_SCHOLAR_INTERVAL_MS: z.coerce.number("must be a number of milliseconds").int().min(0).default(1000),
  SEMANTIC_SCHOLAR_TIMEOUT_MS: z.coerce
    .number("must be a number of milliseconds")
    .int()
    .min(100)
    .max(60_000)
    .default(15_000),
});

/**
 * Reads the settings of the source of papers from the environment.
 * @throws as `readVariables`
 */
export function readPaperSettings(vars: Record<string, unknown>): PaperSettings {
  const data = readVariables(paperVariables, vars);
  return {
    url: data.SEMANTIC_SCHOLAR_URL.replace(/\/+$/, ""),
    api_key: data.SEMANTIC_SCHOLAR_API_KEY || null,
    interval_ms: data.SEMANTIC_SCHOLAR_INTERVAL_MS,
    timeout_ms: data.SEMANTIC_SCHOLAR_TIMEOUT_MS,
  };
}
