import type { DocumentReference } from "#workflow-kit/artifact";
import type { DatasetItem } from "#workflow-kit/datasets";
import type { Trial } from "./trials";

/** Most characters of a request, and of an answer, that a judge or a rater reads. */
export const MAX_REQUEST_LENGTH = 20_000;
export const MAX_ANSWER_LENGTH = 40_000;

/** A text as judges and raters read it. */
export interface Material {
  text: string;
  /** Characters that were cut off; the text says so. */
  left_out: number;
}

/** The beginning of a text, with a last line that says how much is missing. */
export function bounded(text: string, most: number): Material {
  const characters = [...text];
  const left_out = Math.max(0, characters.length - most);
  if (left_out === 0) return { text, left_out };
  const kept = characters.slice(0, most).join("");
  return { text: `${kept}\n\n[${left_out} more characters are left out here.]`, left_out };
}

/** Fields of inputs that name data and say nothing to a reader. */
const isReference = (name: string): boolean => /_ids?$/u.test(name);

/** The input of an item, texts before lists; the names of its fields stand above their contents unless there is one only. */
export function requestOf({ input }: Pick<DatasetItem, "input">): string {
  const fields = Object.entries(input).filter(([name, value]) => !isReference(name) && value !== null);
  const [only] = fields;
  if (fields.length === 1 && typeof only![1] === "string") return only![1];
  const texts = fields.filter(([, value]) => typeof value === "string");
  const others = fields.filter(([, value]) => typeof value !== "string");
  return [...texts, ...others].map(([name, value]) => `**${humanize(name)}**\n\n${shown(value)}`).join("\n\n");
}

const humanize = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return value.map((entry) => `- ${entry}`).join("\n");
  if (Array.isArray(value) && value.every((entry) => typeof entry?.label === "string"))
    return value.map(({ label, text }) => `- ${label}) ${text}`).join("\n");
  if (Array.isArray(value) && value.every(isFlat))
    return value.map((entry) => `- ${Object.values(entry).join(": ")}`).join("\n");
  return fenced(value);
}

/** An object of texts alone, such as a source with its words. */
const isFlat = (entry: unknown): entry is Record<string, string> =>
  typeof entry === "object" && entry !== null && Object.values(entry).every((value) => typeof value === "string");

const fenced = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

interface AnsweringOutput {
  answer?: unknown;
  rationale?: readonly string[];
  calls?: readonly unknown[];
  document?: DocumentReference | null;
}

/**
 * The document that holds a trial's answer; null: the output itself does. A debate's document is the whole case, which would show how the
 * answer was made.
 */
export function answerDocument({ workflow, output }: Pick<Trial, "workflow" | "output">): DocumentReference | null {
  const { document = null } = (output ?? {}) as AnsweringOutput;
  return workflow === "debate" ? null : document;
}

/** The answer of a completed trial as text. null: it gave none. */
export function answerOf({
  workflow,
  output,
  contents,
}: Pick<Trial, "workflow" | "output" | "contents">): string | null {
  const { answer = null, rationale = [], calls = [] } = (output ?? {}) as AnsweringOutput;
  const document = answerDocument({ workflow, output });
  const written = document ? contents[document.artifact_id] : answer;
  const text = typeof written === "string" ? written : written === null || written === undefined ? "" : fenced(written);
  const reasons = document === null && text !== "" ? rationale.map((point) => `- ${point}`).join("\n") : "";
  const called = calls.length > 0 && !text.includes('"calls"') ? fenced({ calls }) : "";
  const whole = [text, reasons, called].filter((part) => part.trim() !== "").join("\n\n");
  return whole === "" ? null : whole;
}

/** The names of models in a request: `<provider>/<model>`, and the model alone. Longer names first. */
export function modelNames(models: readonly unknown[]): string[] {
  const names = models.flatMap(textsIn).flatMap((text) => {
    const slash = text.indexOf("/");
    return slash > 0 && !/\s/u.test(text) ? [text, text.slice(slash + 1)] : [];
  });
  return [...new Set(names)].filter(({ length }) => length > 2).toSorted((a, b) => b.length - a.length);
}

const textsIn = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

/** A text without these names, in whatever case they stand. */
export const withoutNames = (text: string, names: readonly string[]): string =>
  names.reduce(
    (rest, name) => rest.replaceAll(new RegExp(name.replaceAll(/[$()*+.?[\\\]^{|}]/gu, "\\$&"), "giu"), "[a model]"),
    text,
  );
