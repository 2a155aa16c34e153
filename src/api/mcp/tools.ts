/** The tools: one that starts each workflow, and those that follow and answer a run. */
import { type CallToolResult, inputRequired, inputResponse, type Tool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { idPattern } from "#core/ids";
import { searchSchema } from "#services/corpora/requests";
import { toJsonSchema } from "#services/runs/describe-workflow";
import { noFieldsSchema, retryRunSchema } from "#services/runs/requests";
import type { PresentedInteraction } from "#services/interactions/schema";
import { answerOf, inputRequestOf } from "./elicitation";
import { operate, refuse, OperationError, type Send } from "../in-process/operations";
import type { McpRequest } from "./protocol";
import { answerQuestion, openQuestions, parse, readRun } from "../in-process/runs";
import { knowsTasks, resultOf, taskOf } from "./tasks";
import { Problem } from "#core/errors";

const runId = z.string().regex(idPattern("run"), "This is no id of a run: ids look like run_01….");
const interactionId = z.string().regex(idPattern("int"), "This is no id of a question: ids look like int_01….");
const corpusId = z.string().regex(idPattern("cor"), "This is no id of a corpus: ids look like cor_01….");
/** As `Idempotency-Key` of HTTP has it. */
export const KEY_PATTERN = /^[!-~]+$/;
const idempotency_key = z
  .string()
  .max(255)
  .regex(KEY_PATTERN, "must be visible ASCII characters, without spaces")
  .optional()
  .describe("Makes the call safe to repeat: for 24 hours the same key and arguments get the first answer again.");

/** The arguments of a call of a tool. */
interface ToolCall<Arguments> {
  send: Send;
  args: Arguments;
  request: McpRequest;
}
/** What a call gives: a result, a task, or the questions that the client must ask first. */
type Outcome = CallToolResult | object;

interface ToolDefinition<S extends z.ZodType = any> {
  title: string;
  description: string;
  schema: S;
  annotations: Tool["annotations"];
  call(call: ToolCall<z.infer<S>>): Promise<Outcome>;
}

const tool = <S extends z.ZodType>(definition: ToolDefinition<S>): ToolDefinition => definition;

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false } as const;

const TOOLS: Readonly<Record<string, ToolDefinition>> = {
  get_run: tool({
    title: "Read a run",
    description:
      "The run's status, stage, usage and, when it is completed, its output. A run that is `input_required` waits for an answer: call list_questions, then answer_question. Links to its artifacts follow.",
    schema: z.strictObject({ run_id: runId }),
    annotations: READS,
    call: async ({ send, args: { run_id } }) => withLinks(send, resultOf(await readRun(send, run_id)), run_id),
  }),
  list_questions: tool({
    title: "List open questions",
    description:
      "The questions that a run, or any run, waits for. Each has a prompt, questions, and `answer_schema`, the form of `answer` in answer_question. A person can also answer at `callback_url`.",
    schema: z.strictObject({ run_id: runId.optional() }),
    annotations: READS,
    call: async ({ send, args: { run_id } }) => {
      const path = run_id === undefined ? "/v1/interactions?limit=100" : null;
      const data = path
        ? ((await operate(send, { method: "GET", path })).data as PresentedInteraction[])
        : (await readRun(send, run_id!), await openQuestions(send, run_id!));
      return jsonResult({ questions: data });
    },
  }),
  answer_question: tool({
    title: "Answer a question",
    description:
      "Answers an open question of a run, which then continues. Ask the person whom it concerns rather than guess. Without `answer` the client asks its user, if it can. The first valid answer wins.",
    schema: z.strictObject({
      interaction_id: interactionId,
      answer: z
        .looseObject({})
        .optional()
        .describe(
          'In the form of the question\'s `answer_schema`, such as {"answers":{"q1":"…"}} or {"decision":"approve"}.',
        ),
      idempotency_key,
    }),
    annotations: { ...WRITES, idempotentHint: true },
    call: answer,
  }),
  cancel_run: tool({
    title: "Cancel a run",
    description: "Ends the run and its open questions. It cannot be continued.",
    schema: z.strictObject({ run_id: runId, idempotency_key }),
    annotations: { ...WRITES, destructiveHint: true },
    call: async ({ send, args: { run_id, idempotency_key: key } }) =>
      resultOf(await verb(send, run_id, "cancel", noFieldsSchema.parse({}), key)),
  }),
  retry_run: tool({
    title: "Retry a run",
    description: "Continues a run that failed, after its last finished step; finished steps cost nothing again.",
    schema: retryRunSchema.extend({ run_id: runId, idempotency_key }),
    annotations: WRITES,
    call: async ({ send, args: { run_id, idempotency_key: key, ...body } }) =>
      started(await verb(send, run_id, "retry", body, key)),
  }),
  search_corpus: tool({
    title: "Search a corpus",
    description: "The passages of a corpus that match a query best, verbatim, with their documents.",
    schema: searchSchema.extend({ corpus_id: corpusId }),
    annotations: READS,
    call: async ({ send, args: { corpus_id, ...body } }) =>
      jsonResult(await operate(send, { method: "POST", path: `/v1/corpora/${corpus_id}/search`, body })),
  }),
};

export const FIXED_TOOLS: readonly string[] = Object.keys(TOOLS);

/** The tools for runs, as the list shows them. */
export const fixedTools = (): Tool[] =>
  Object.entries(TOOLS).map(([name, { title, description, schema, annotations }]) => ({
    name,
    title,
    description,
    inputSchema: toJsonSchema(schema, "input") as Tool["inputSchema"],
    annotations: { title, ...annotations },
  }));

/** A refusal is a result that the model reads, so that it can call again with better arguments. @returns null when there is no such tool */
export async function callTool(send: Send, name: string, request: McpRequest): Promise<Outcome | null> {
  const definition = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (!definition) return null;
  const args = parse(definition.schema, request.params.arguments ?? {});
  return definition.call({ send, args, request });
}

const startArguments = z.looseObject({ idempotency_key });

/** Starts a run. A client that knows tasks gets the task, any other the run, at once. */
export async function startRun(send: Send, workflow: string, request: McpRequest): Promise<Outcome> {
  const { idempotency_key: key, ...body } = parse(startArguments, request.params.arguments ?? {});
  const run = await operate(send, {
    method: "POST",
    path: "/v1/runs",
    body: { ...body, workflow },
    idempotency_key: key,
  });
  return knowsTasks(request.capabilities) ? { ...taskOf(run), resultType: "task" } : started(run);
}

export const refusedResult = ({ message, problem }: OperationError): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text: message }],
  structuredContent: problem as unknown as Record<string, unknown>,
});

const jsonResult = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value,
});

const verb = (send: Send, id: string, name: "cancel" | "retry", body: object, key: string | undefined) =>
  operate(send, { method: "POST", path: `/v1/runs/${id}/${name}`, body, idempotency_key: key });

function started(run: Parameters<typeof resultOf>[0]): CallToolResult {
  const { content, ...result } = resultOf(run);
  const next = `The run ${run.id} is under way and needs minutes. Call get_run until its status is completed, failed or canceled; when it is input_required, call list_questions.`;
  return { ...result, content: [{ type: "text", text: next }, ...content] };
}

/** Most links to artifacts in one answer. */
const MAX_LINKS = 100;

async function withLinks(send: Send, result: CallToolResult, run: string): Promise<CallToolResult> {
  const path = `/v1/runs/${run}/artifacts?limit=${MAX_LINKS}`;
  const { data } = await operate(send, { method: "GET", path });
  const links = data.map(({ id, kind, name, media_type }: Record<string, string>) => ({
    type: "resource_link",
    uri: `parley://runs/${run}/artifacts/${id}`,
    name: name ?? id,
    title: kind,
    mimeType: media_type,
  }));
  return { ...result, content: [...result.content, ...links] };
}

/** Answers a question with the arguments, or with what the client's user has said when the client was asked. */
async function answer({ send, args, request }: ToolCall<any>): Promise<Outcome> {
  const { interaction_id, answer: body, idempotency_key: key } = args;
  if (body) return jsonResult(await answerQuestion(send, interaction_id, body, key));
  const path = `/v1/interactions/${interaction_id}`;
  const interaction: PresentedInteraction = await operate(send, { method: "GET", path });
  const given = answerOf(interaction, request.responses);
  if (given) return jsonResult(await answerQuestion(send, interaction_id, given, key));
  // After a page was opened, or the person declined, the question is shown as it is now.
  const said = inputResponse(request.responses, interaction_id).kind !== "missing";
  if (said || interaction.status !== "open") return jsonResult(interaction);
  const asked = inputRequestOf(interaction, request.capabilities);
  if (asked) return inputRequired({ inputRequests: { [interaction_id]: asked } });
  const fieldError = { path: "answer", code: "required", message: "Give the answer in the form of `answer_schema`." };
  throw refuse(new Problem("validation_failed", "This client cannot ask its user.", [fieldError]));
}
