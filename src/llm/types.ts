import { type LlmFault, RUNGS } from "#core/vocabulary";
import type { ErrorCode } from "#core/errors";

/** Parameters of one call, as a caller of the API may set them per role. Absent ones are not sent. */
export interface ModelParameters {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  frequency_penalty?: number;
  presence_penalty?: number;
  seed?: number;
}

/** A model as resolved for a role: `<provider>/<model>` and its parameters. */
export interface ResolvedModel extends ModelParameters {
  model: string;
}

export type Rung = (typeof RUNGS)[number];

/** What one model was found to accept. */
export interface Capabilities {
  rung: Rung;
  /** Name of the parameter that bounds the output. */
  max_tokens_parameter: "max_tokens" | "max_completion_tokens";
  /** Parameters that the model refuses; they are left out. */
  refused_parameters: (keyof ModelParameters)[];
  /** How it learns of tools: by the protocol, or in words. */
  tools: (typeof TOOL_WAYS)[number];
}

export const TOOL_WAYS = ["native", "prompt"] as const;

/** Remembers capabilities beyond this isolate. */
export interface CapabilityMemory {
  /** What was remembered, or null. It is parsed here, so that whoever keeps it need not know its shape. */
  recall(model: string): Promise<unknown>;
  remember(model: string, capabilities: Capabilities): Promise<void>;
}

export interface Usage {
  /** Requests made, failed ones included. */
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  /** null when the model has no known price. */
  cost_usd: number | null;
}

/** How the answer must look: JSON under a schema, or a Markdown document. */
export type OutputFormat<T> =
  | {
      type: "json";
      /** Name of the schema, `^[a-zA-Z0-9_-]{1,64}$`. */
      name: string;
      /** JSON Schema (draft 2020-12), every property required, additionalProperties false. */
      schema: Record<string, unknown>;
      /** Parses and checks; returns the value, or what is wrong with it in sentences for the model. */
      parse(value: unknown): { ok: true; value: T } | { ok: false; problems: string[] };
    }
  | { type: "markdown"; parse(text: string): { ok: true; value: T } | { ok: false; problems: string[] } };

/** Something that a model can have done before it answers. */
export interface ModelTool {
  /** `^[a-zA-Z0-9_-]{1,64}$` */
  name: string;
  description: string;
  /** JSON Schema of an object. */
  parameters: Record<string, unknown>;
  /** Checks the arguments itself. The model is told the beginning of a long result, and what it rejects with; the call goes on. */
  call(args: unknown, signal: AbortSignal): Promise<string>;
}

/** A call of a tool, as it is kept. */
export interface ToolCallRecord {
  name: string;
  /** As the model gave them; a text when they were not JSON. */
  arguments: unknown;
  /** What the model was told, or its beginning; an error too. */
  result: string;
  ok: boolean;
  ms: number;
}

/** Upper estimate of what one request may use. */
export interface Estimate {
  calls: 1;
  tokens: number;
  /** null when the model has no known price. */
  cost_usd: number | null;
}

/** Leave to make one request of a provider with limits. */
export interface Permit {
  /** The request has ended. */
  release(how: RequestOutcome): void;
}

/** How a request has ended, as its provider's gate wants to know it. */
export interface RequestOutcome {
  /** For so long the provider wants no other request, of anybody. */
  closed_for_ms: number;
  /** What it used; null: nobody knows, and what was expected stands. */
  tokens: number | null;
}

export interface ModelCall<T> {
  model: ResolvedModel;
  /** Static part of the prompt: role, task, rules. Comes first, so that providers can cache it. */
  system: string;
  user: string;
  output: OutputFormat<T>;
  /** Sent as `x-parley-run` and `x-parley-act`, for proxies and logs. */
  labels: { run: string; act: string };
  /**
   * Bound of each request, and of each call of a tool. A call makes one or two requests, one more for each round of tools, and
   * a few more while it learns what a model accepts.
   */
  timeout_ms: number;
  /** What the model may use before it answers. */
  tools?: readonly ModelTool[];
  /** After so many rounds of tools it must answer; by default 6. */
  max_tool_rounds?: number;
  /** Called before each request; throws to forbid it, and the call ends with what it threw. */
  reserve?(estimate: Estimate): Promise<void>;
  /** Told what each request used, as soon as that is known: also when `reserve` then forbids the next one. */
  spent?(usage: Usage): void;
  /**
   * Called before each request to a provider with limits: waits for the request's turn, and throws when it is not to come.
   * @param tokens the most that the request is expected to use
   */
  acquirePermit?(gate: GatedProvider, tokens: number): Promise<Permit>;
  /** Set in test mode: nothing leaves the process. */
  rehearsal?: {
    /** The text a good model would answer. */
    content(): string;
    /** Which fault the next request meets; called once a request. */
    nextFault(): LlmFault;
    latency_ms: number;
  };
}

export interface ModelAnswer<T> {
  value: T;
  /** `<provider>/<model>`, or `rehearsal`. */
  model: string;
  rung: Rung | "markdown";
  /** Repair rounds that were needed: 0 or 1. */
  repairs: number;
  /** In the order in which the model asked for them. */
  tool_calls: ToolCallRecord[];
  usage: Usage;
}

/** A failed call. The act retries it when `retryable`; `usage` is what was spent all the same. */
export class LlmError extends Error {
  override name = "LlmError";
  constructor(
    readonly code: Extract<ErrorCode, `provider_${string}` | `output_${string}`>,
    message: string,
    readonly options: { retryable: boolean; retry_after_ms?: number; usage?: Usage } = { retryable: false },
  ) {
    super(message);
  }
}

/** A provider that bounds how much it is asked. */
export interface GatedProvider {
  provider: string;
  limits: ProviderLimits;
}

/** USD per million tokens. */
export interface Price {
  input: number;
  /** As `input` when absent. */
  cached_input?: number;
  output: number;
}

/** How much of it at once an endpoint stands; null is no limit that we keep. */
export interface ProviderLimits {
  max_concurrency: number | null;
  requests_per_minute: number | null;
  /** Input and output together. */
  tokens_per_minute: number | null;
}
