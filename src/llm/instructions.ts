import type { ChatMessage, ChatRequest } from "./chat";
import { exchangeMessages, promptedTools, type Exchange } from "./tools";
import type { ModelCall, OutputFormat, Rung } from "./types";

/** More would not help a model that got so much wrong. */
const PROBLEMS_SHOWN = 20;

/** Why an answer could not be used. */
export interface Flaw {
  code: "output_invalid" | "output_truncated" | "output_empty";
  /** The answer as it was read. */
  text: string;
  /** In sentences; none unless `output_invalid`. */
  problems: string[];
}

/** What a request has to go by besides the call itself. */
export interface RequestShape {
  rung: Rung;
  /** How the model is told of tools; `none` when the call has none. */
  tools: "native" | "prompt" | "none";
  /** Whether it may still use them. */
  may_use_tools: boolean;
}

/**
 * The conversation that asks for an answer, or after a flawed one for a better: what does not change comes first.
 * @param exchanges the rounds of tools so far
 */
export function conversation<T>(
  call: ModelCall<T>,
  shape: RequestShape,
  exchanges: readonly Exchange[],
  flaw: Flaw | null,
): ChatMessage[] {
  const untold =
    call.output.type === "json" && shape.rung !== "json_schema" ? [formInstruction(call.output.schema)] : [];
  const tools = shape.tools === "prompt" ? [promptedTools(call.tools!)] : [];
  const system: ChatMessage = { role: "system", content: [call.system, ...untold, ...tools].join("\n\n") };
  const so_far = exchanges.flatMap((exchange, at) =>
    exchangeMessages(exchange, shape.tools, !shape.may_use_tools && at === exchanges.length - 1),
  );
  if (flaw === null) return [system, { role: "user", content: call.user }, ...so_far];
  if (flaw.code !== "output_invalid") {
    // There is no answer worth showing, and some models refuse two messages of one role in a row.
    const hint = flaw.code === "output_truncated" ? SHORTER : AGAIN;
    return [system, { role: "user", content: `${call.user}\n\n${hint}` }, ...so_far];
  }
  return [
    system,
    { role: "user", content: call.user },
    ...so_far,
    { role: "assistant", content: flaw.text },
    { role: "user", content: repairInstruction(call.output, shape.rung, flaw.problems) },
  ];
}

/** The `response_format` of a rung; none for Markdown and for the rung `text`. */
export function responseFormat<T>(output: OutputFormat<T>, rung: Rung): ChatRequest["response_format"] {
  if (output.type === "markdown" || rung === "text") return undefined;
  if (rung === "json_object") return { type: "json_object" };
  return { type: "json_schema", json_schema: { name: output.name, strict: true, schema: output.schema } };
}

/** At most `PROBLEMS_SHOWN` of the problems, and how many there are besides. */
export const shownProblems = (problems: string[]): string[] =>
  problems.length <= PROBLEMS_SHOWN
    ? problems
    : [
        ...problems.slice(0, PROBLEMS_SHOWN),
        `There are ${problems.length - PROBLEMS_SHOWN} more problems of this kind.`,
      ];

const SHORTER =
  "An earlier answer to this was cut off because it grew too long. Give the whole answer again, and make it much shorter: " +
  "keep what matters most, say each thing once, and be sure to reach the end.";
const AGAIN = "An earlier answer to this was empty. Give the answer now, in the form that is asked for.";

const formInstruction = (schema: Record<string, unknown>) => `# Form of the answer

Answer with one JSON object and nothing else: no introduction, no comment, no code fence. It must follow this JSON Schema, with every property present:

${JSON.stringify(schema)}`;

function repairInstruction<T>(output: OutputFormat<T>, rung: Rung, problems: string[]): string {
  const list = shownProblems(problems)
    .map((problem) => `- ${problem}`)
    .join("\n");
  if (output.type === "markdown")
    return `Your answer can't be used as it is:\n\n${list}\n\nGive the whole document again with this mended, and nothing else.`;
  // A server may take `response_format` and ignore it: then this is the first that its model hears of the schema.
  const schema =
    rung === "json_schema" ? `\n\nThe object must follow this JSON Schema:\n\n${JSON.stringify(output.schema)}` : "";
  return `Your answer can't be used as it is:\n\n${list}\n\nGive the whole JSON object again with this mended, and nothing else.${schema}`;
}
