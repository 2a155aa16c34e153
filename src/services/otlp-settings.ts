import { z } from "zod";
import { readVariables } from "#core/configuration";

/** Where traces go: a collector that takes OTLP over HTTP, as JSON. The file is in the root of services because settings.ts imports it. */
export interface OtlpSettings {
  /** URL of the traces signal. */
  url: string;
  headers: Readonly<Record<string, string>>;
  service_name: string;
  /** Whether spans carry inputs and answers. */
  capture_content: boolean;
  timeout_ms: number;
}

/** The environment variables that OpenTelemetry defines. */
export const otlpVariables = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  /** `name=value` pairs, separated by commas, the values percent-encoded. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().default("").transform(readHeaders),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce.number("must be a number of milliseconds").int().positive().default(10_000),
  OTEL_SERVICE_NAME: z.string().min(1).default("parley"),
  OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: z
    .string()
    .default("false")
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(["true", "false"], "must be true or false"))
    .transform((text) => text === "true"),
});

/**
 * @returns null when no endpoint is configured; then nothing is exported
 * @throws Error that names the variable and the error, and never quotes a value
 */
export function readOtlpSettings(vars: Record<string, unknown>): OtlpSettings | null {
  const settings = readVariables(otlpVariables, vars);
  if (!settings.OTEL_EXPORTER_OTLP_ENDPOINT) return null;
  return {
    url: `${settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, "")}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS,
    service_name: settings.OTEL_SERVICE_NAME,
    capture_content: settings.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT,
    timeout_ms: settings.OTEL_EXPORTER_OTLP_TIMEOUT,
  };
}

function readHeaders(text: string, ctx: z.RefinementCtx): Record<string, string> {
  try {
    const pairs = text.split(",").filter((pair) => pair.trim() !== "");
    const headers = pairs.map((pair): [string, string] => {
      const at = pair.indexOf("=");
      return [pair.slice(0, Math.max(at, 0)).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    });
    void new Headers(headers); // throws on an invalid name or value
    return Object.fromEntries(headers);
  } catch {
    ctx.addIssue({
      code: "custom",
      message: "must be name=value pairs, separated by commas, the values percent-encoded",
    });
    return z.NEVER;
  }
}
