import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import { bodies, type Document, type Media, type Operation, type Special } from "./schemas.ts";
import { nearly, wildText, wildValue } from "./wild.ts";

const JSON_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/vnd.acme+json",
  "Application/JSON",
];
const OTHER_TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/x-ndjson",
  "application/jsonl",
  "",
  "json",
  "application/json, text/plain",
];

const types = (own: string) =>
  fc.oneof(
    { weight: 16, arbitrary: fc.constant(own) },
    { weight: 2, arbitrary: fc.constantFrom(...JSON_TYPES) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_TYPES) },
    { weight: 1, arbitrary: fc.constant(null) },
  );

/** Bytes that are not JSON, or unusual JSON, written as latin1, which can represent any byte. */
const rawBodies = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "nul",
    '{"a":1,}',
    '{"a":1}{"b":2}',
    '"\\ud800"',
    '{"workflow":"requirements","workflow":"debate"}',
    "\xff\xfe{\x00}\x00",
    "\xef\xbb\xbf{}",
    '{"a":"\xc3\x28"}',
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    "1e999",
    "-",
    "\x00",
  ),
  fc.string({ unit: "binary-ascii", maxLength: 60 }),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1")),
);

/** What a line is, of operations that take nothing but lines. */
const LINES: Record<string, Media> = { addItems: { schema: { $ref: "#/components/schemas/DatasetItem" } } };

/** Larger than any body except a document. Bytes. */
const TOO_LARGE = 1_100_000;

const text = (value: unknown) => ({ text: JSON.stringify(value) ?? "null" });

/** Form fields: those of answers, and others. */
const forms = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          "decision",
          "comment",
          "answered_by",
          "q1",
          "answers[q1]",
          "additions[notes]",
          "additions[a][0][b]",
          "edited_content",
        ),
        wildText,
      ),
      fc.oneof(fc.constantFrom("approve", "revise", "reject", "yes"), wildText),
    ),
    { maxLength: 6 },
  )
  .map((fields) => ({
    text: String(new URLSearchParams(fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()]))),
  }));

/** A body: a text, bytes written as latin1, or so many blanks; null: none. */
export type Body = { text: string } | { raw: string } | { size: number } | null;

export interface Content {
  type: string | null;
  body: Body;
}

/**
 * Content types and bodies of an operation: valid, nearly valid, and wild ones.
 * @param document OpenAPI
 * @param special generators of properties by name
 */
export function bodyOf(
  { requestBody, operationId }: Operation,
  document: Document,
  special: Special,
): Arbitrary<Content> {
  const content: Record<string, Media> = requestBody?.content ?? {};
  const [first] = Object.entries(content);
  const wild = fc.oneof(
    { weight: 3, arbitrary: wildValue.map(text) },
    { weight: 2, arbitrary: rawBodies.map((raw) => ({ raw })) },
    { weight: 1, arbitrary: fc.constant({ size: TOO_LARGE }) },
  );
  if (!first)
    return fc.oneof(
      { weight: 5, arbitrary: fc.constant({ type: null, body: null }) },
      { weight: 1, arbitrary: fc.record({ type: types("application/json"), body: wild }) },
    );
  const each = Object.entries(content).map(([type, media]) => {
    if (type === "application/x-www-form-urlencoded") return fc.record({ type: types(type), body: forms });
    const valid = type.includes("ndjson") ? null : bodies(media, document, special);
    const schema = LINES[operationId] ?? Object.values(content)[0] ?? {};
    const lines = fc.array(bodies(schema, document, special), { maxLength: 5 });
    const body = valid
      ? fc.oneof(
          { weight: 10, arbitrary: valid.map(text) },
          { weight: 8, arbitrary: nearly(valid).map(text) },
          { weight: 2, arbitrary: wild },
        )
      : fc.oneof(
          { weight: 3, arbitrary: lines.map((all) => ({ text: all.map((one) => JSON.stringify(one)).join("\n") })) },
          { weight: 1, arbitrary: rawBodies.map((raw) => ({ raw })) },
        );
    return fc.record({ type: types(type), body });
  });
  return fc.oneof(...each);
}
