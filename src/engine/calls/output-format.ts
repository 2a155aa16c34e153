import type { Action } from "#workflow-kit/action";
import { jsonFormat, markdownFormat, type OutputFormat } from "#llm";

/** A person's edit is part of step results, so it stays well under the platform's limit for these. Characters. */
export const MAX_EDIT_LENGTH = 200_000;

/** The form of an action's output, with the action's checks. */
export function outputFormat<Input, Output>(action: Action<Input, Output>, input: Input): OutputFormat<Output> {
  const check = (output: Output) => action.check?.(output, input) ?? [];
  if (action.output) return jsonFormat(action.name, action.output, check);
  // Without a schema, Output is string.
  const tidy = (action.tidy ?? ((text: Output) => text)) as (text: unknown) => Output;
  return tidied(tidy, check);
}

/** A text format that first extracts the requested text (`tidy`), then checks it. */
function tidied<Output>(tidy: (text: unknown) => Output, check: (output: Output) => string[]): OutputFormat<Output> {
  const document = markdownFormat() as Extract<OutputFormat<string>, { type: "markdown" }>;
  return {
    type: "markdown",
    parse(text) {
      const parsed = document.parse(text);
      if (!parsed.ok) return parsed;
      const value = tidy(parsed.value);
      const problems = check(value);
      return problems.length ? { ok: false, problems } : { ok: true, value };
    },
  };
}

/** The errors of an output that a person wrote, in sentences; the same checks apply as to a model's output. */
export function errorsOf<Input, Output>(action: Action<Input, Output>, input: Input, output: unknown): string[] {
  const length = JSON.stringify(output).length;
  if (length > MAX_EDIT_LENGTH) return [`It has ${length} characters as JSON, and ${MAX_EDIT_LENGTH} is the most.`];
  const format = outputFormat(action, input);
  const parsed = format.type === "json" ? format.parse(output) : format.parse(String(output));
  return parsed.ok ? [] : parsed.problems;
}
