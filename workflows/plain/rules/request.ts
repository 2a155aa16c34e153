import { capitalized } from "#workflow-kit/text";

/** Lists of ids name corpora or data that this workflow does not read. */
const isReference = (name: string): boolean => /_ids?$/u.test(name);

/** A choice of a question, as `debate` takes them. */
interface Choice {
  label: string;
  text: string;
}

const isChoices = (value: unknown): value is Choice[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((entry) => typeof entry?.label === "string" && typeof entry?.text === "string");

/** Labels of the choices in an input; null: it has none. */
export const labelsOf = ({ choices }: Readonly<Record<string, unknown>>): string[] | null =>
  isChoices(choices) ? choices.map(({ label }) => label) : null;

/**
 * An input of any workflow as one request: each field under its name, in the input's order. Ids of corpora are left out, because nothing is
 * retrieved.
 */
export function requestText(input: Readonly<Record<string, unknown>>): string {
  const fields = Object.entries(input).filter(([name, value]) => !isReference(name) && value !== null);
  const only = fields.length === 1 && typeof fields[0]![1] === "string";
  if (only) return fields[0]![1] as string;
  return fields.map(([name, value]) => `## ${title(name)}\n\n${shown(value)}`).join("\n\n");
}

const title = (name: string): string => capitalized(name.replaceAll("_", " "));

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (isChoices(value)) return value.map(({ label, text }) => `${label}) ${text}`).join("\n");
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string"))
    return value.map((entry) => `- ${entry}`).join("\n");
  return JSON.stringify(value, null, 1);
}
