import type { OtlpSettings } from "../otlp-settings";
import { chunksOf } from "#core/chunks";

/** The part of the OpenTelemetry protocol that is used: spans in the JSON encoding (ids in hex, times and integers as text). */

export type AttributeValue = string | number | boolean | null;
export type Attributes = Record<string, AttributeValue>;

export interface SpanEvent {
  name: string;
  /** Milliseconds since the epoch. */
  at: number;
  attributes: Attributes;
}

export interface Span {
  /** 32 hexadecimal digits. */
  trace_id: string;
  /** 16 hexadecimal digits. */
  span_id: string;
  parent_id: string | null;
  name: string;
  kind: "internal" | "client";
  /** Milliseconds since the epoch. */
  started_at: number;
  ended_at: number;
  /** Null values are left out; whole numbers are sent as integers. */
  attributes: Attributes;
  events: SpanEvent[];
  /** The error, in a few words; null: none. */
  failure: string | null;
}

/** The collector did not accept the spans. */
export class ExportError extends Error {
  override name = "ExportError";
  constructor(
    message: string,
    /** Whether it may accept them later (OTLP/HTTP: 429, 502, 503, 504, or no answer). */
    readonly retryable: boolean,
  ) {
    super(message);
  }
}

/** Spans per request: collectors refuse bodies of several megabytes. */
const BATCH = 200;
const RETRYABLE = [408, 429, 502, 503, 504];

/**
 * Sends spans to the collector.
 * @throws ExportError
 */
export async function exportSpans(spans: readonly Span[], settings: OtlpSettings, version: string): Promise<void> {
  for (const chunk of chunksOf(spans, BATCH)) {
    await post(tracesData(chunk, settings.service_name, version), settings);
  }
}

async function post(body: unknown, settings: OtlpSettings): Promise<void> {
  let response: Response;
  try {
    response = await fetch(settings.url, {
      method: "POST",
      headers: { ...settings.headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(settings.timeout_ms),
    });
    await response.body?.cancel();
  } catch (error) {
    throw new ExportError(`the collector could not be reached: ${(error as Error).name}`, true);
  }
  if (!response.ok) {
    throw new ExportError(`the collector answered ${response.status}`, RETRYABLE.includes(response.status));
  }
}

/** The body of a request: `ExportTraceServiceRequest`. */
export function tracesData(spans: readonly Span[], service: string, version: string) {
  const resource = { attributes: encode({ "service.name": service, "service.version": version }) };
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "parley", version }, spans: spans.map(encodeSpan) }] }],
  };
}

const KINDS = { internal: 1, client: 3 };
const ERROR = 2;

const encodeSpan = (span: Span) => ({
  traceId: span.trace_id,
  spanId: span.span_id,
  ...(span.parent_id === null ? {} : { parentSpanId: span.parent_id }),
  name: span.name,
  kind: KINDS[span.kind],
  startTimeUnixNano: nanos(span.started_at),
  endTimeUnixNano: nanos(span.ended_at),
  attributes: encode(span.attributes),
  events: span.events.map(({ name, at, attributes }) => ({
    name,
    timeUnixNano: nanos(at),
    attributes: encode(attributes),
  })),
  status: span.failure === null ? {} : { code: ERROR, message: span.failure },
});

const nanos = (ms: number) => `${ms}000000`;

const encode = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === null ? [] : [{ key, value: encodeValue(value) }]));

function encodeValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
