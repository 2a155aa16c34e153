import { type LlmFault, OUTPUT_MODES } from "#core/vocabulary";
import type { ErrorCode } from "#core/errors";
import type { KeyOwner } from "./own-keys";
import type { ModelParameters, ResolvedModel } from "./model-parameters";

export type { ModelParameters, ResolvedModel } from "./model-parameters";

export type OutputMode = (typeof OUTPUT_MODES)[number];

/** The API of an OpenAI-compatible server by which a model is asked. */
export const APIS = ["responses", "chat"] as const;
export type Api = (typeof APIS)[number];

/** What a model accepts. */
export interface Capabilities {
  api: Api;
  output_mode: OutputMode;
  /** Name of the parameter that bounds the output of a chat completion. */
  max_tokens_parameter: "max_tokens" | "max_completion_tokens";
  /** Parameters that the model refuses; they are not sent. */
  refused_parameters: (keyof ModelParameters)[];
  /** How tools are declared: by the protocol, or in the prompt. */
  tools: (typeof TOOL_WAYS)[number];
  /** Counts hidden reasoning as output, so the bound of its output needs an allowance for that. */
  reasons: boolean;
  /** The largest bound of output that it takes; null: none is known. */
  most_output_tokens: number | null;
}

export const TOOL_WAYS = ["native", "prompt"] as const;

/** Stores capabilities across isolates. */
export interface CapabilityMemory {
  /** The stored value, unparsed; null when there is none. */
  recall(model: string): Promise<unknown>;
  remember(model: string, capabilities: Capabilities): Promise<void>;
}

export interface Usage {
  /** Requests made, failed ones included. */
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** The part of the output that went into hidden reasoning, as far as the server tells. */
  reasoning_tokens: number;
  /** null when the model has no known price. */
  cost_usd: number | null;
}

/** Form of the answer: JSON that matches a schema, or a Markdown document. */
export type OutputFormat<T> =
  | {
      type: "json";
      /** Name of the schema, `^[a-zA-Z0-9_-]{1,64}$`. */
      name: string;
      /** JSON Schema (draft 2020-12), every property required, additionalProperties false. */
      schema: Record<string, unknown>;
      /** Returns the checked value, or its problems as sentences for the model. */
      parse(value: unknown): { ok: true; value: T } | { ok: false; problems: string[] };
    }
  | { type: "markdown"; parse(text: string): { ok: true; value: T } | { ok: false; problems: string[] } };

/** A tool that a model can call before it answers. */
export interface ModelTool {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
  /** True: description and parameters are texts from outside, such as an MCP server's. */
  foreign?: boolean;
  /** Validates the arguments itself. The model reads the result (cut when long) or the message of the rejection; the call continues. */
  call(args: unknown, signal: AbortSignal): Promise<string>;
}

/** Record of a tool call. */
export interface ToolCallRecord {
  name: string;
  /** As the model wrote them; a string when they were not JSON. */
  arguments: unknown;
  /** The result or error that the model read; cut when long. */
  result: string;
  ok: boolean;
  ms: number;
}

/** Upper estimate of what one request may use. */
export interface RequestEstimate {
  calls: 1;
  tokens: number;
  /** null when the model has no known price. */
  cost_usd: number | null;
}

/** Permission to make one request to a provider with limits. */
export interface Permit {
  /** Call it when the request has ended. */
  release(outcome: RequestOutcome): void;
}

/** Outcome of a request, reported to its provider's gate. */
export interface RequestOutcome {
  /** Milliseconds for which the provider wants no further requests from any caller. */
  closed_for_ms: number;
  /** Tokens used; null: unknown, the expected tokens still count. */
  tokens: number | null;
}

export interface ModelCall<T> {
  model: ResolvedModel;
  /** Static part of the prompt: role, task, rules. It comes first, so that providers can cache it. */
  system: string;
  user: string;
  output: OutputFormat<T>;
  /** Sent as `x-parley-run` and `x-parley-step`, for proxies and logs. */
  labels: { run: string; step: string };
  /** The tenant whose own key for the provider is used, if there is one; absent: the host's key. */
  owner?: KeyOwner;
  /**
   * Timeout of each request and of each tool call. A call makes one or two requests, one more per round of tools, and a few more
   * while it learns what a model accepts.
   */
  timeout_ms: number;
  /** Tools that the model may use before it answers. */
  tools?: readonly ModelTool[];
  /** Rounds of tools after which it must answer; 6 by default. */
  max_tool_rounds?: number;
  /** Called before each request; throws to forbid it, and the call rejects with that error. */
  reserve?(estimate: RequestEstimate): Promise<void>;
  /** Called with the usage of each request as soon as it is known, also when `reserve` then forbids the next one. */
  spent?(usage: Usage): void;
  /**
   * Called before each request to a provider with limits: waits for the request's turn; throws when the wait must end.
   * @param tokens that the request is expected to use
   */
  acquirePermit?(gate: GatedProvider, tokens: number): Promise<Permit>;
  /** Set in test mode: no network requests. */
  mock?: {
    /** The answer that a good model would give. */
    content(): string;
    /** The fault of the next request; called once per request. */
    nextFault(): LlmFault;
    latency_ms: number;
  };
}

export interface ModelResponse<T> {
  value: T;
  /** `<provider>/<model>`, or `mock`. */
  model: string;
  output_mode: OutputMode | "markdown";
  /** The parameters that were sent, of those that the call asked for. */
  parameters: ModelParameters;
  /** Those that the call asked for and the model does not take. */
  dropped_parameters: ModelParameters;
  /** The model that the response names; null: it names none. */
  response_model: string | null;
  /** Number of repair rounds: 0 or 1. */
  repairs: number;
  /** In the order of the model's requests. */
  tool_calls: ToolCallRecord[];
  usage: Usage;
}

/**
 * A failed call. The step retries it when `retryable`; `usage` is what the failed call used. `ignores_temperature`: the model refuses to be
 * told one, so its answers are sampled even where 0 is asked for. `model`: the one that was asked, `<provider>/<model>`. `model_refused`:
 * its provider would refuse any request for it; another model may answer. `status`: of the provider's HTTP response, if there was one.
 */
export class LlmError extends Error {
  override name = "LlmError";
  constructor(
    readonly code: Extract<ErrorCode, `provider_${string}` | `output_${string}`>,
    message: string,
    readonly options: {
      retryable: boolean;
      retry_after_ms?: number;
      usage?: Usage;
      ignores_temperature?: boolean;
      model?: string;
      model_refused?: boolean;
      status?: number;
    } = { retryable: false },
  ) {
    super(message);
  }
}

/** A provider with limits. */
export interface GatedProvider {
  provider: string;
  limits: ProviderLimits;
}

/** USD per million tokens. */
export interface Price {
  input: number;
  /** Same as `input` when absent. */
  cached_input?: number;
  output: number;
  /** Of output that is hidden reasoning; same as `output` when absent. */
  reasoning?: number;
}

/** Limits of an endpoint; null: unlimited. */
export interface ProviderLimits {
  max_concurrency: number | null;
  requests_per_minute: number | null;
  /** Input and output together. */
  tokens_per_minute: number | null;
}
