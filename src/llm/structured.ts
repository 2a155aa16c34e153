import { applyChange, capabilityChangeFrom, outputBound, splitParameters, type CapabilityCache } from "./capabilities";
import { chat } from "./chat";
import { extractJson, withoutThinking } from "./extract";
import { answerFormat, conversation, shownProblems, type OutputProblem, type RequestShape } from "./instructions";
import { unfence } from "./code-fences";
import { ProviderRequestError } from "./provider-errors";
import { promptOf, type ModelReply, type ModelRequest } from "./request";
import { respond } from "./responses";
import type { Target } from "./target";
import { meteredRequest } from "./metered-request";
import { nativeTools, callTools, requestedCalls, type ToolRound } from "./tools";
import {
  LlmError,
  type Api,
  type Capabilities,
  type ModelCall,
  type ModelParameters,
  type ModelResponse,
  type OutputMode,
  type Usage,
} from "./types";
import { addUsage, estimateOf, expectedTokens, tokensOfPrompt, unreportedUsage } from "./usage";

const SEND = { chat, responses: respond } satisfies Record<Api, unknown>;

/** Default maximum of tool rounds in a call. */
const TOOL_ROUNDS = 6;

type ParsedResponse<T> =
  | { ok: true; value: T; output_mode: OutputMode | "markdown" }
  | { ok: false; flaw: OutputProblem };

/**
 * Returns an answer in the requested form: after the model's rounds of tools, stepping down the ladder as far as the model requires, and
 * with one repair round when the first answer is malformed, cut off or empty.
 * @throws LlmError with the usage of all requests; or whatever `call.reserve` threw
 */
export async function complete<T>(
  call: ModelCall<T>,
  target: Target,
  capabilities: CapabilityCache,
): Promise<ModelResponse<T>> {
  const session = new StructuredCall(call, target, capabilities);
  try {
    const first = await session.ask(null);
    const last = first.ok ? first : await session.ask(first.flaw);
    if (!last.ok) throw unusableResponses(target, [first, last], session.ignoresTemperature);
    return {
      value: last.value,
      model: target.label,
      output_mode: last.output_mode,
      ...session.sent,
      repairs: first.ok ? 0 : 1,
      tool_calls: session.exchanges.flatMap(({ records }) => records),
      usage: session.usage,
    };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    throw new LlmError(error.code, error.message, { ...error.options, usage: session.usage, model: call.model.model });
  }
}

/** The requests of one call, their usage, and the capabilities that they established. */
class StructuredCall<T> {
  usage: Usage;
  readonly exchanges: ToolRound[] = [];
  #current: Capabilities | null = null;
  /** Of the latest request that was answered. */
  sent: Pick<ModelResponse<T>, "parameters" | "dropped_parameters" | "response_model"> = {
    parameters: {},
    dropped_parameters: {},
    response_model: null,
  };
  /** Allowances for hidden reasoning in the bound of the output. */
  #allowances = 1;

  constructor(
    private readonly call: ModelCall<T>,
    private readonly target: Target,
    private readonly capabilities: CapabilityCache,
  ) {
    this.usage = unreportedUsage(0, target.price);
  }

  /** True when the model refused the temperature. */
  get ignoresTemperature(): boolean {
    return this.#current?.refused_parameters.includes("temperature") ?? false;
  }

  /** Sends requests and performs the model's tool calls until it answers. */
  async ask(flaw: OutputProblem | null): Promise<ParsedResponse<T>> {
    if (flaw?.reasoned) this.#allowances = 2;
    for (;;) {
      const { answer, shape, bound } = await this.requestResponse(flaw);
      const calls = shape.may_use_tools ? requestedCalls(answer, this.call.tools!, shape.tools) : [];
      if (calls.length === 0) return parseResponse(this.call, { answer, bound, output_mode: shape.output_mode });
      const { results, records } = await callTools(calls, this.call.tools!, this.call.timeout_ms);
      this.exchanges.push({ said: answer.text, items: answer.items, calls, results, records });
    }
  }

  /** Repeats the request without whatever the model refuses, until it answers. */
  private async requestResponse(
    flaw: OutputProblem | null,
  ): Promise<Omit<SentResponse, "output_mode"> & { shape: RequestShape }> {
    let capabilities = (this.#current ??= await this.capabilities.get(this.target));
    const learnt: Partial<Capabilities>[] = [];
    const tried = new Set<string>();
    for (;;) {
      tried.add(JSON.stringify(capabilities));
      const shape = this.shape(capabilities);
      const bound = outputBound(this.call.model, capabilities, this.#allowances);
      // Nothing was wrong with an answer for which hidden reasoning left no room: the same is asked with a larger bound.
      const isRoomier = flaw?.reasoned && bound! > flaw.bound!;
      const asked: ModelParameters = {
        ...this.target.parameters,
        ...parametersOf(this.call.model),
        ...(bound && { max_output_tokens: bound }),
      };
      const { sent, kept, dropped } = splitParameters(asked, capabilities);
      const request = this.request(capabilities, { shape, flaw: isRoomier ? null : flaw, parameters: sent });
      const answer = await this.send(capabilities.api, request, bound);
      if (!(answer instanceof ProviderRequestError)) {
        if (!capabilities.reasons && isReasoning(answer) && this.target.configured.reasons === undefined) {
          learnt.push({ reasons: true });
          capabilities = applyChange(capabilities, { reasons: true });
        }
        if (learnt.length > 0) await this.capabilities.learn(this.target, learnt);
        this.#current = capabilities;
        this.sent = { parameters: kept, dropped_parameters: dropped, response_model: answer.response_model };
        return { answer, shape, bound };
      }
      const { format, tools, parameters } = request;
      const refused = capabilityChangeFrom(answer, capabilities, {
        json: format !== undefined,
        tools: tools !== undefined,
        parameters,
        may_change_api: this.target.configured.api === undefined, // one that the operator has chosen stays
      });
      if (!refused) throw answer;
      capabilities = applyChange(capabilities, refused.change);
      if (tried.has(JSON.stringify(capabilities))) throw answer;
      if (refused.lasting) learnt.push(refused.change);
    }
  }

  private shape({ output_mode, tools }: Capabilities): RequestShape {
    const { tools: offered = [], max_tool_rounds = TOOL_ROUNDS } = this.call;
    if (offered.length === 0) return { output_mode, tools: "none", may_use_tools: false };
    const may_use_tools = this.exchanges.length < max_tool_rounds;
    // A model constrained to the schema of its answer could not request a tool in words.
    return { output_mode: tools === "prompt" && may_use_tools ? "text" : output_mode, tools, may_use_tools };
  }

  private request(
    { api, reasons }: Capabilities,
    {
      shape,
      flaw,
      parameters,
    }: { shape: RequestShape; flaw: OutputProblem | null; parameters: ModelRequest["parameters"] },
  ): ModelRequest {
    const format = answerFormat(this.call.output, shape.output_mode);
    return {
      messages: conversation(this.call, shape, this.exchanges, flaw),
      parameters,
      ...(format && { format }),
      ...(shape.tools === "native" ? nativeTools(this.call.tools!, shape.may_use_tools) : {}),
      ...(shape.tools === "native" && api === "responses" && reasons ? { wants_reasoning: true } : {}),
      labels: this.call.labels,
      timeout_ms: this.call.timeout_ms,
    };
  }

  /** Sends one request. A refusal is returned, because another request may avoid it. */
  private async send(
    api: Api,
    request: ModelRequest,
    bound: number | undefined,
  ): Promise<ModelReply | ProviderRequestError> {
    const input = tokensOfPrompt(promptOf(request));
    const estimate = estimateOf(input, bound, this.target.price);
    const spent = (usage: Usage) => {
      this.usage = addUsage(this.usage, usage);
      this.call.spent?.(usage);
    };
    try {
      return await meteredRequest(() => SEND[api](this.target, request), {
        account: this.call,
        target: this.target,
        estimate,
        expected_tokens: expectedTokens(input, bound),
        spent,
      });
    } catch (error) {
      if (error instanceof ProviderRequestError) return error;
      throw error;
    }
  }
}

/** True when a part of the output was hidden reasoning. An empty text that reached its bound can have no other cause. */
const isReasoning = ({ usage, truncated, text, tool_calls }: ModelReply): boolean =>
  usage.reasoning_tokens > 0 || (truncated && text === "" && tool_calls.length === 0);

const parametersOf = ({ model: _, fallbacks: __, ...parameters }: ModelCall<unknown>["model"]): ModelParameters =>
  parameters;

/** An answer, with the bound and the form that were asked for. */
interface SentResponse {
  answer: ModelReply;
  bound: number | undefined;
  output_mode: OutputMode;
}

function parseResponse<T>(
  { output, model }: ModelCall<T>,
  { answer, bound, output_mode }: SentResponse,
): ParsedResponse<T> {
  const text = withoutThinking(answer.text);
  if (answer.truncated) {
    const visible = answer.usage.output_tokens - answer.usage.reasoning_tokens;
    const reasoned =
      isReasoning(answer) &&
      model.max_output_tokens !== undefined &&
      (text === "" || visible < model.max_output_tokens);
    return { ok: false, flaw: { code: "output_truncated", text, problems: [], reasoned, bound } };
  }
  if (text === "") return { ok: false, flaw: { code: "output_empty", text, problems: [] } };
  const invalid = (problems: string[]): ParsedResponse<T> => ({
    ok: false,
    flaw: { code: "output_invalid", text, problems },
  });
  if (output.type === "markdown") {
    const parsed = output.parse(unfence(text));
    return parsed.ok ? { ...parsed, output_mode: "markdown" } : invalid(parsed.problems);
  }
  const json = extractJson(text, output_mode);
  if (!json.ok) return invalid([json.problem]);
  const parsed = output.parse(json.value);
  return parsed.ok ? { ...parsed, output_mode } : invalid(parsed.problems);
}

function unusableResponses<T>(target: Target, readings: ParsedResponse<T>[], ignores_temperature: boolean): LlmError {
  const flaws = readings.flatMap((reading) => (reading.ok ? [] : [reading.flaw]));
  const [first, last] = flaws.map(describeFlaw);
  return new LlmError(
    flaws.at(-1)!.code,
    `Neither answer of ${target.label} could be used. The first ${first} The second ${last}`,
    { retryable: false, ...(ignores_temperature ? { ignores_temperature } : {}) },
  );
}

function describeFlaw({ code, problems, bound, reasoned }: OutputProblem): string {
  if (code === "output_empty") return "was empty.";
  if (code === "output_truncated")
    return `was cut off at ${bound ? `${bound} output tokens` : "the model's own limit"}${reasoned ? ", which hidden reasoning used up" : ""}.`;
  return `was not as asked: ${shownProblems(problems).join(" ")}`;
}
