import { expect, it } from "vitest";
import { readOtlpSettings } from "#services/otlp-settings";

it("exports nothing without an endpoint", () => {
  expect(readOtlpSettings({ OTEL_SERVICE_NAME: "parley" })).toBeNull();
});

it("reads the variables of OpenTelemetry", () => {
  expect(
    readOtlpSettings({
      OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com/otlp/",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi, x-tenant = a=b",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "TRUE",
    }),
  ).toEqual({
    url: "https://collector.example.com/otlp/v1/traces",
    headers: { authorization: "Basic YTpi", "x-tenant": "a=b" },
    service_name: "parley",
    capture_content: true,
    timeout_ms: 10_000,
  });
});

it.each([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "no-value-hush"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=%E0%A4%A"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "bad name=hush"],
  ["OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "SPAN_AND_EVENT"],
])("names %s when it is invalid, and does not quote it", (variable, value) => {
  const read = () => readOtlpSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example.com", [variable]: value });
  expect(read).toThrow(new RegExp(`^Configuration: ${variable} must .*\\.$`));
  expect(read).not.toThrow(/hush/);
});
