import type { Action } from "#workflow-kit/action";
import { jsonFormat, markdownFormat, type OutputFormat } from "#llm";

/** A person's edit travels in step results: it stays well under what the platform keeps. Characters. */
export const LONGEST_EDIT = 200_000;

/** How an action's output must look, and what is checked of it. */
export function outputFormat<Input, Output>(action: Action<Input, Output>, input: Input): OutputFormat<Output> {
  const check = (output: Output) => action.check?.(output, input) ?? [];
  if (action.output) return jsonFormat(action.name, action.output, check);
  // An action without a schema makes a text: its Output is string.
  const tidy = (action.tidy ?? ((text: Output) => text)) as (text: unknown) => Output;
  return tidied(tidy, check);
}

/** A text in which models may wrap what was asked for: that is taken out, and judged. */
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

/** What is wrong with an output that a person wrote, in sentences; it must pass what a model's must. */
export function faultsOf<Input, Output>(action: Action<Input, Output>, input: Input, output: unknown): string[] {
  const length = JSON.stringify(output).length;
  if (length > LONGEST_EDIT) return [`It has ${length} characters as JSON, and ${LONGEST_EDIT} is the most.`];
  const format = outputFormat(action, input);
  const parsed = format.type === "json" ? format.parse(output) : format.parse(String(output));
  return parsed.ok ? [] : parsed.problems;
}
