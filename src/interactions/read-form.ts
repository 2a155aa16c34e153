import type { InteractionRow } from "../store/rows";

const BOOLEANS: Record<string, boolean> = {
  true: true,
  on: true,
  yes: true,
  "1": true,
  false: false,
  off: false,
  no: false,
  "0": false,
};

/**
 * The body of an answer from the fields of a form: `answers[q1]` or just `q1` for a question, and the other fields by their name.
 * Numbers and booleans are read as their question has them. A field that was left empty counts as absent.
 */
export function readForm(
  row: Pick<InteractionRow, "questions" | "answer_schema">,
  form: URLSearchParams,
): Record<string, unknown> {
  const types = new Map(
    (JSON.parse(row.questions) as { id: string; type: string }[]).map(({ id, type }) => [id, type]),
  );
  const { properties = {} } = JSON.parse(row.answer_schema) as { properties?: Record<string, unknown> };
  const body: Record<string, unknown> = {};
  const answers: Record<string, unknown> = {};
  for (const [name, text] of form) {
    if (text === "") continue;
    const question =
      /^answers\[(.+)\]$/.exec(name)?.[1] ?? (types.has(name) && !Object.hasOwn(properties, name) ? name : undefined);
    if (question === undefined) body[name] = text;
    else answers[question] = coerce(text, types.get(question));
  }
  return Object.hasOwn(properties, "answers") ? { answers, ...body } : body;
}

/** A text that is not of the type stays a text, for the schema to refuse. */
function coerce(text: string, type: string | undefined): unknown {
  if (type === "boolean") return BOOLEANS[text.toLowerCase()] ?? text;
  if (type === "number") return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
  return text;
}
