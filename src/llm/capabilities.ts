import { z } from "zod";
import { log } from "#core/log";
import type { RequestRefused } from "./provider-errors";
import type { Target } from "./target";
import { TOOL_WAYS, type Capabilities, type CapabilityMemory, type ModelParameters, type ResolvedModel } from "./types";
import { RUNGS } from "#core/vocabulary";

/** Every parameter, in the order in which a model that refuses one without saying which loses them. */
const PARAMETERS = [
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "top_p",
  "temperature",
  "max_output_tokens",
] as const satisfies readonly (keyof ModelParameters)[];

/** Capabilities as configuration gives them and as memory keeps them. */
export const capabilitiesSchema = z.strictObject({
  rung: z.enum(RUNGS),
  max_tokens_parameter: z.enum(["max_tokens", "max_completion_tokens"]),
  refused_parameters: z.array(z.enum(PARAMETERS)),
  tools: z.enum(TOOL_WAYS),
});

/** What a model is taken to accept until it says otherwise. OpenAI's newer models refuse `max_tokens`, most servers know no other. */
export const defaultCapabilities = (base_url: string): Capabilities => ({
  rung: "json_schema",
  max_tokens_parameter: new URL(base_url).hostname.endsWith("api.openai.com") ? "max_completion_tokens" : "max_tokens",
  refused_parameters: [],
  tools: "native",
});

/** Capabilities with a change to them; refused parameters add up. */
export const applyChange = (capabilities: Capabilities, change: Partial<Capabilities>): Capabilities => ({
  ...capabilities,
  ...change,
  refused_parameters: [...new Set([...capabilities.refused_parameters, ...(change.refused_parameters ?? [])])],
});

/** The parameters of a request, under the names and within the set that the model accepts. */
export function acceptedParameters(model: ResolvedModel, capabilities: Capabilities): Record<string, number> {
  const accepted: Record<string, number> = {};
  for (const name of PARAMETERS) {
    const value = model[name];
    if (value === undefined || capabilities.refused_parameters.includes(name)) continue;
    accepted[name === "max_output_tokens" ? capabilities.max_tokens_parameter : name] = value;
  }
  return accepted;
}

/** What a refused request taught; `lasting` unless it was about this schema or this answer only. */
export interface CapabilityChange {
  change: Partial<Capabilities>;
  lasting: boolean;
}

const NAMES_FORMAT = /response[_ ]format|json[_ ]schema|json[_ ]object/i;
const HINTS_AT_FORMAT = /unsupported|structured output|schema/i;
/** The model takes schemas, but not this one, or failed at it this time. */
const THIS_SCHEMA =
  /invalid (json )?schema|invalid_json_schema|(?<!json_)schema\b.{0,80}\b(invalid|too|exceed|constraint)|(failed to generate|generated) json/i;
const NAMES_TOOLS = /\btools?\b|tool[_ -]?(choice|use|call)|function[_ -]?call|\bfunctions?\b/i;
/** These tools, or tools together with a format, rather than tools as such. */
const THESE_TOOLS = /invalid\b.{0,40}\b(schema|function|tool)|schema\b.{0,40}\binvalid/i;
/** A complaint about the parameter itself. One about its value (too high, say) is the caller's to hear. */
const REFUSES =
  /unsupported|not\s+(be\s+)?(support|allow|permit|accept|availab|implement|recogni)|n't support|unknown|unrecogni[sz]ed|unexpected|extra (input|field)|invalid (parameter|argument|field)|only the default|cannot (both )?be (set|used|specified|changed)|deprecated|instead/i;

/**
 * Reads a provider's refusal for what to do without.
 * @returns null when the refusal is about something else, and therefore final
 */
export function capabilityChangeFrom(
  refusal: RequestRefused,
  capabilities: Capabilities,
  sent: { json: boolean; tools: boolean; parameters: Record<string, number> },
): CapabilityChange | null {
  if (![400, 404, 422].includes(refusal.status)) return null;
  if (sent.tools && NAMES_TOOLS.test(refusal.evidence)) {
    const lasting = !THESE_TOOLS.test(refusal.evidence) && !NAMES_FORMAT.test(refusal.evidence);
    return { change: { tools: "prompt" }, lasting };
  }
  const lower = sent.json ? RUNGS[RUNGS.indexOf(capabilities.rung) + 1] : undefined;
  const stepDown = lower && { change: { rung: lower }, lasting: !THIS_SCHEMA.test(refusal.evidence) };
  if (stepDown && NAMES_FORMAT.test(refusal.evidence)) return stepDown;
  if (REFUSES.test(refusal.evidence)) {
    const refused = Object.keys(sent.parameters).find((name) => new RegExp(`\\b${name}\\b`).test(refusal.evidence));
    if (refused) return { change: withoutParameter(refused, capabilities), lasting: true };
  }
  return stepDown && HINTS_AT_FORMAT.test(refusal.evidence) ? stepDown : null;
}

function withoutParameter(sentName: string, capabilities: Capabilities): Partial<Capabilities> {
  if (sentName !== capabilities.max_tokens_parameter)
    return { refused_parameters: [sentName as keyof ModelParameters] };
  return { max_tokens_parameter: sentName === "max_tokens" ? "max_completion_tokens" : "max_tokens" };
}

/** What is known of each model: found out in this isolate, remembered from another, configured, or assumed. */
export class CapabilityCache {
  readonly #known = new Map<string, Capabilities>();

  constructor(private readonly memory: CapabilityMemory) {}

  /** What configuration says stands over what was remembered, so that an operator can correct it. */
  async get(target: Target): Promise<Capabilities> {
    const known = this.#known.get(target.label);
    if (known) return known;
    // What was remembered may be of a time before one of them was known of.
    const remembered = capabilitiesSchema.partial().safeParse(await this.memory.recall(target.label));
    const capabilities = applyChange({ ...target.assumed, ...remembered.data }, target.configured);
    this.#known.set(target.label, capabilities);
    return capabilities;
  }

  /** Keeps lessons that a request has borne out. Forgetting them costs a request; it must not cost the answer just paid for. */
  async learn(target: Target, changes: Partial<Capabilities>[]): Promise<void> {
    const capabilities = changes.reduce(applyChange, await this.get(target));
    this.#known.set(target.label, capabilities);
    try {
      await this.memory.remember(target.label, capabilities);
    } catch (error) {
      log.warn("the capabilities of a model could not be remembered", { model: target.label, error });
    }
  }
}
