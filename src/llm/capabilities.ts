import { z } from "zod";
import { log } from "#core/log";
import { UNKNOWN_MODEL, type ProviderRequestError } from "./provider-errors";
import type { Target } from "./target";
import {
  APIS,
  TOOL_WAYS,
  type Api,
  type Capabilities,
  type CapabilityMemory,
  type ModelParameters,
  type ResolvedModel,
} from "./types";
import { OUTPUT_MODES } from "#core/vocabulary";

/** All parameters, in the order in which a refusal's text is searched for their names. */
const PARAMETERS = [
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "top_p",
  "temperature",
  "max_output_tokens",
  "reasoning_effort",
  "verbosity",
] as const satisfies readonly (keyof ModelParameters)[];

/** What each API calls the parameters. The Responses API has no penalties and no seed. */
const SENT_NAMES = {
  chat: ({ max_tokens_parameter }) => ({
    ...Object.fromEntries(PARAMETERS.map((name) => [name, name])),
    max_output_tokens: max_tokens_parameter,
  }),
  responses: () => ({
    temperature: "temperature",
    top_p: "top_p",
    max_output_tokens: "max_output_tokens",
    reasoning_effort: "reasoning.effort",
    verbosity: "text.verbosity",
  }),
} satisfies Record<Api, (capabilities: Capabilities) => Partial<Record<keyof ModelParameters, string>>>;

/** Capabilities in configuration and in memory. */
export const capabilitiesSchema = z.strictObject({
  api: z.enum(APIS),
  output_mode: z.enum(OUTPUT_MODES),
  max_tokens_parameter: z.enum(["max_tokens", "max_completion_tokens"]),
  refused_parameters: z.array(z.enum(PARAMETERS)),
  tools: z.enum(TOOL_WAYS),
  reasons: z.boolean(),
  most_output_tokens: z.int().positive().nullable(),
});

/** Whether a server is OpenAI's own. */
export const isOpenAi = (base_url: string): boolean => /(^|\.)api\.openai\.com$/.test(new URL(base_url).hostname);

/**
 * Assumed of a model until it refuses something. OpenAI's newer models use tools in the Responses API only, and refuse `max_tokens`; most
 * other servers have Chat Completions, and accept nothing else.
 */
export const defaultCapabilities = (base_url: string): Capabilities => ({
  api: isOpenAi(base_url) ? "responses" : "chat",
  output_mode: "json_schema",
  max_tokens_parameter: isOpenAi(base_url) ? "max_completion_tokens" : "max_tokens",
  refused_parameters: [],
  tools: "native",
  reasons: false,
  most_output_tokens: null,
});

/** Merges a change into capabilities; refused parameters accumulate. */
export const applyChange = (capabilities: Capabilities, change: Partial<Capabilities>): Capabilities => ({
  ...capabilities,
  ...change,
  refused_parameters: [...new Set([...capabilities.refused_parameters, ...(change.refused_parameters ?? [])])],
});

/**
 * Output tokens for hidden reasoning, on top of the answer's own. OpenAI counts both in `max_completion_tokens`, and advises to leave 25,000
 * for both together.
 */
const REASONING_ALLOWANCE = 16_384;

/**
 * The bound of a request's output as it is sent; undefined: none.
 * @param allowances for hidden reasoning: 1, or more after an answer that reasoning cut off
 */
export function outputBound(
  { max_output_tokens }: ResolvedModel,
  { reasons, most_output_tokens }: Capabilities,
  allowances: number,
): number | undefined {
  if (max_output_tokens === undefined) return undefined;
  const wanted = max_output_tokens + (reasons ? allowances * REASONING_ALLOWANCE : 0);
  return Math.min(wanted, most_output_tokens ?? wanted);
}

/** The parameters of a request by the names that the API has for them, and those that the model or the API does not take. */
export function splitParameters(
  model: ModelParameters,
  capabilities: Capabilities,
): { sent: Record<string, number | string>; kept: ModelParameters; dropped: ModelParameters } {
  const names: Partial<Record<keyof ModelParameters, string>> = SENT_NAMES[capabilities.api](capabilities);
  const given = PARAMETERS.filter((name) => model[name] !== undefined);
  const isSent = (name: keyof ModelParameters) =>
    names[name] !== undefined && !capabilities.refused_parameters.includes(name);
  const pick = (chosen: (keyof ModelParameters)[]): ModelParameters =>
    Object.fromEntries(chosen.map((name) => [name, model[name]]));
  const kept = given.filter(isSent);
  return {
    sent: Object.fromEntries(kept.map((name) => [names[name]!, model[name]!])),
    kept: pick(kept),
    dropped: pick(given.filter((name) => !isSent(name))),
  };
}

/** A change that a refused request calls for; `lasting` unless it concerns this schema or this answer only. */
export interface CapabilityChange {
  change: Partial<Capabilities>;
  lasting: boolean;
}

/** The model is asked by the Responses API alone, or has tools in it alone. */
const WANTS_RESPONSES = /v1\/responses|responses api/i;
const NAMES_FORMAT = /text\.format|response[_ ]format|json[_ ]schema|json[_ ]object/i;
const HINTS_AT_FORMAT = /unsupported|structured output|schema/i;
/** The model supports schemas, but refuses this one or failed to follow it this time. */
const THIS_SCHEMA =
  /invalid (json )?schema|invalid_json_schema|(?<!json_)schema\b.{0,80}\b(invalid|too|exceed|constraint)|(failed to generate|generated) json/i;
const NAMES_TOOLS = /\btools?\b|tool[_ -]?(choice|use|call)|function[_ -]?call|\bfunctions?\b/i;
/** Refuses these tools, or tools combined with a format, rather than tools in general. */
const THESE_TOOLS = /invalid\b.{0,40}\b(schema|function|tool)|schema\b.{0,40}\binvalid/i;
const NAMES_BOUND = /max_(completion_|output_)?tokens|(completion|output) tokens|in the completion/i;
const TOO_LARGE = /too (large|high|big)|at most|less than|exceed|maximum|range|reduce|\d > \d/i;
/** The bound does not fit beside this prompt; beside a shorter one it would. */
const NAMES_CONTEXT = /context/i;
/** A smaller bound is not tried. Tokens. */
const MIN_BOUND = 1024;
/** Refuses the parameter itself. A refusal of its value (too high, say) is returned to the caller. */
const REFUSES =
  /unsupported|not\s+(be\s+)?(support|allow|permit|accept|availab|implement|recogni)|n't support|unknown|unrecogni[sz]ed|unexpected|extra (input|field)|invalid (parameter|argument|field)|only the default|cannot (both )?be (set|used|specified|changed)|deprecated|instead/i;

/**
 * Derives from a provider's refusal which capability to give up.
 * @returns null when the refusal has another cause and is therefore final
 */
export function capabilityChangeFrom(
  refusal: ProviderRequestError,
  capabilities: Capabilities,
  sent: { json: boolean; tools: boolean; parameters: Record<string, number | string>; may_change_api: boolean },
): CapabilityChange | null {
  const api = sent.may_change_api && otherApi(refusal, capabilities.api);
  if (api) return { change: { api }, lasting: true };
  if (![400, 404, 422].includes(refusal.status)) return null;
  if (sent.tools && NAMES_TOOLS.test(refusal.evidence)) {
    const lasting = !THESE_TOOLS.test(refusal.evidence) && !NAMES_FORMAT.test(refusal.evidence);
    return { change: { tools: "prompt" }, lasting };
  }
  const lower = sent.json ? OUTPUT_MODES[OUTPUT_MODES.indexOf(capabilities.output_mode) + 1] : undefined;
  const stepDown = lower && { change: { output_mode: lower }, lasting: !THIS_SCHEMA.test(refusal.evidence) };
  if (stepDown && NAMES_FORMAT.test(refusal.evidence)) return stepDown;
  if (REFUSES.test(refusal.evidence)) {
    const refused = Object.keys(sent.parameters).find((name) => new RegExp(`\\b${name}\\b`).test(refusal.evidence));
    // A model may take other values of these two: the caller is told which.
    if (refused && isNamed(refused) && REFUSES_VALUE.test(refusal.evidence)) return null;
    if (refused) return { change: withoutParameter(refused, capabilities), lasting: true };
  }
  const bound = sent.parameters[SENT_NAMES[capabilities.api](capabilities).max_output_tokens];
  if (typeof bound === "number" && NAMES_BOUND.test(refusal.evidence) && TOO_LARGE.test(refusal.evidence))
    return smallerBound(bound, refusal.evidence);
  return stepDown && HINTS_AT_FORMAT.test(refusal.evidence) ? stepDown : null;
}

/** The API that a refusal calls for; null: the one that was asked. */
function otherApi({ status, evidence }: ProviderRequestError, api: Api): Api | null {
  if (api === "chat") return [400, 404].includes(status) && WANTS_RESPONSES.test(evidence) ? "responses" : null;
  return [404, 405].includes(status) && !UNKNOWN_MODEL.test(evidence) ? "chat" : null;
}

const REFUSES_VALUE =
  /unsupported value|invalid value|supported values|does not support ['"`]?(none|minimal|low|medium|high|xhigh|max)\b|must be one of|input should be/i;
const isNamed = (sentName: string) => /effort|verbosity/.test(sentName);

/** The bound that the refusal names, else half of the refused one; null when that would be too small to be of use. */
function smallerBound(bound: number, evidence: string): CapabilityChange | null {
  const lasting = !NAMES_CONTEXT.test(evidence);
  const named = (evidence.replaceAll(/(\d),(?=\d{3})/g, "$1").match(/\d+/g) ?? [])
    .map(Number)
    .filter((count) => count >= MIN_BOUND && count < bound);
  const smaller = lasting && named.length > 0 ? Math.max(...named) : Math.floor(bound / 2);
  return smaller < MIN_BOUND ? null : { change: { most_output_tokens: smaller }, lasting };
}

function withoutParameter(sentName: string, capabilities: Capabilities): Partial<Capabilities> {
  if (capabilities.api === "chat" && sentName === capabilities.max_tokens_parameter)
    return { max_tokens_parameter: sentName === "max_tokens" ? "max_completion_tokens" : "max_tokens" };
  const names = Object.entries(SENT_NAMES[capabilities.api](capabilities)) as [keyof ModelParameters, string][];
  return { refused_parameters: names.flatMap(([name, known]) => (known === sentName ? [name] : [])) };
}

/** Models that are kept in memory; callers may name any, and the one that was added or changed longest ago goes first. */
const MAX_KNOWN = 1000;

/** Capabilities by model: learnt in this isolate, recalled from memory, configured, or assumed. */
export class CapabilityCache {
  readonly #known = new Map<string, Capabilities>();

  constructor(private readonly memory: CapabilityMemory) {}

  /** Configuration overrides memory, so that an operator can correct it. */
  async get(target: Target): Promise<Capabilities> {
    const known = this.#known.get(target.label);
    if (known) return known;
    // Entries in memory may be older than a capability that was added since.
    const remembered = capabilitiesSchema.partial().safeParse(await this.memory.recall(target.label));
    const capabilities = applyChange({ ...target.assumed, ...remembered.data }, target.configured);
    this.keep(target, capabilities);
    return capabilities;
  }

  private keep({ label }: Target, capabilities: Capabilities): void {
    this.#known.delete(label);
    this.#known.set(label, capabilities);
    if (this.#known.size > MAX_KNOWN) this.#known.delete(this.#known.keys().next().value!);
  }

  /** Stores changes that a successful request has confirmed. A failure to store is only logged: the answer is already paid for. */
  async learn(target: Target, changes: Partial<Capabilities>[]): Promise<void> {
    const capabilities = changes.reduce(applyChange, await this.get(target));
    this.keep(target, capabilities);
    try {
      await this.memory.remember(target.label, capabilities);
    } catch (error) {
      log.warn("the capabilities of a model could not be stored", { model: target.label, error });
    }
  }
}
