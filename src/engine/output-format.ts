import type { Action } from "./action";
import { jsonFormat, markdownFormat, type OutputFormat } from "../llm";

/** How an action's output must look, and what is checked of it. */
export function outputFormat<Input, Output>(action: Action<Input, Output>, input: Input): OutputFormat<Output> {
  const check = (output: Output) => action.check?.(output, input) ?? [];
  if (action.output) return jsonFormat(action.name, action.output, check);
  // An action without a schema makes a Markdown document: its Output is string.
  return markdownFormat(check as (text: string) => string[]) as OutputFormat<Output>;
}

/** What is wrong with an output that a person wrote, in sentences; it must pass what a model's must. */
export function faultsOf<Input, Output>(action: Action<Input, Output>, input: Input, output: unknown): string[] {
  const format = outputFormat(action, input);
  const parsed = format.type === "json" ? format.parse(output) : format.parse(String(output));
  return parsed.ok ? [] : parsed.problems;
}
