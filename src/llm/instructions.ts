import type { AnswerFormat, Message } from "./request";
import { exchangeMessages, promptedTools, type ToolRound } from "./tools";
import type { ModelCall, OutputFormat, OutputMode } from "./types";

/** Maximum of problems shown for repair; more do not help the model. */
const PROBLEMS_SHOWN = 20;

/** Why an answer is unusable. */
export interface OutputProblem {
  code: "output_invalid" | "output_truncated" | "output_empty";
  /** The answer as it was read. */
  text: string;
  /** In sentences; none unless `output_invalid`. */
  problems: string[];
  /** Of `output_truncated`: hidden reasoning left the answer too little of the bound. */
  reasoned?: boolean;
  /** Of `output_truncated`: the bound that was sent. */
  bound?: number | undefined;
}

/** How a request is made from a call. */
export interface RequestShape {
  output_mode: OutputMode;
  /** How tools are declared to the model; `none` when the call has none. */
  tools: "native" | "prompt" | "none";
  /** Whether it may still use them. */
  may_use_tools: boolean;
}

/**
 * The messages that request an answer, or its repair after a flawed one. Constant parts come first.
 * @param exchanges the rounds of tools so far
 */
export function conversation<T>(
  call: ModelCall<T>,
  shape: RequestShape,
  exchanges: readonly ToolRound[],
  flaw: OutputProblem | null,
): Message[] {
  const formInstructions =
    call.output.type === "json" && shape.output_mode !== "json_schema" ? [formInstruction(call.output.schema)] : [];
  const tools = shape.tools === "prompt" ? [promptedTools(call.tools!)] : [];
  const system: Message = { role: "system", content: [call.system, ...formInstructions, ...tools].join("\n\n") };
  const so_far = exchanges.flatMap((exchange, at) =>
    exchangeMessages(exchange, shape.tools, !shape.may_use_tools && at === exchanges.length - 1),
  );
  if (flaw === null) return [system, { role: "user", content: call.user }, ...so_far];
  if (flaw.code !== "output_invalid") {
    // No usable answer to show, and some models refuse two consecutive messages of one role.
    const hint = flaw.code === "output_truncated" ? SHORTER : AGAIN;
    return [system, { role: "user", content: `${call.user}\n\n${hint}` }, ...so_far];
  }
  return [
    system,
    { role: "user", content: call.user },
    ...so_far,
    { role: "assistant", content: flaw.text },
    { role: "user", content: repairInstruction(call.output, shape.output_mode, flaw.problems) },
  ];
}

/** The format that an output mode asks for; none for Markdown and for the mode `text`. */
export function answerFormat<T>(output: OutputFormat<T>, output_mode: OutputMode): AnswerFormat | undefined {
  if (output.type === "markdown" || output_mode === "text") return undefined;
  if (output_mode === "json_object") return { type: "json_object" };
  return { type: "json_schema", name: output.name, schema: output.schema };
}

/** At most `PROBLEMS_SHOWN` problems, and the number of the others. */
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

function repairInstruction<T>(output: OutputFormat<T>, output_mode: OutputMode, problems: string[]): string {
  const list = shownProblems(problems)
    .map((problem) => `- ${problem}`)
    .join("\n");
  if (output.type === "markdown")
    return `Your answer can't be used as it is:\n\n${list}\n\nGive the whole document again with this mended, and nothing else.`;
  // A server may accept `response_format` and ignore it; then its model sees the schema here for the first time.
  const schema =
    output_mode === "json_schema"
      ? `\n\nThe object must follow this JSON Schema:\n\n${JSON.stringify(output.schema)}`
      : "";
  return `Your answer can't be used as it is:\n\n${list}\n\nGive the whole JSON object again with this mended, and nothing else.${schema}`;
}
