import { z } from "zod";
import { Problem, type FieldError } from "#core/errors";
import type { Mode } from "#core/vocabulary";
import {
  type ModelParameters,
  modelParametersSchema,
  type ResolvedModel,
  resolvedModelSchema,
} from "./model-parameters";
import type { Providers } from "./providers";
import { MOCK_MODEL } from "./mock/endpoint";

const modelName = z.string().min(1).max(200).describe("`<provider>/<model>`; the model name may contain slashes.");

/** How many models a role may name. */
const MAX_MODELS = 5;
/** How many roles and members of roles a request may name: each is stored with all its defaults filled in. */
const MAX_ENTRIES = 100;

const areDistinct = (names: readonly string[]) => new Set(names).size === names.length;
const TWICE = "A model is named twice.";

const listOfModels = z
  .array(modelName)
  .min(1)
  .max(MAX_MODELS)
  .refine(areDistinct, TWICE)
  .describe(
    "Models in the order of preference: the next one is asked while the former cannot be reached, is overloaded, or is unknown to its provider.",
  );

const parameters = modelParametersSchema.shape;
const roleModelSchema = z
  .strictObject({
    model: modelName,
    fallbacks: z
      .array(modelName)
      .max(MAX_MODELS - 1)
      .describe("Models that are asked, in this order, while the model cannot be: the list of a role in long."),
    temperature: parameters.temperature.min(0).max(2),
    top_p: parameters.top_p.min(0).max(1),
    max_output_tokens: parameters.max_output_tokens.min(1).max(200_000),
    frequency_penalty: parameters.frequency_penalty.min(-2).max(2),
    presence_penalty: parameters.presence_penalty.min(-2).max(2),
    seed: parameters.seed,
    reasoning_effort: parameters.reasoning_effort,
    verbosity: parameters.verbosity,
  })
  .partial()
  .refine(({ model, fallbacks = [] }) => areDistinct(model === undefined ? fallbacks : [model, ...fallbacks]), {
    path: ["fallbacks"],
    error: TWICE,
  })
  .describe("Overrides of the role's defaults.") satisfies z.ZodType<Partial<ResolvedModel>>;

/** `models` of a create request. `resolveModels` checks that roles and providers exist. */
export const modelsRequestSchema = z.strictObject({
  default: z.union([modelName, listOfModels]).optional(),
  roles: z
    .record(z.string().min(1).max(100), z.union([modelName, listOfModels, roleModelSchema]))
    .refine((roles) => Object.keys(roles).length <= MAX_ENTRIES, `At most ${MAX_ENTRIES} entries.`)
    .optional()
    .describe(`Keyed by role, or by \`<role>_<n>\` for one of several; at most ${MAX_ENTRIES} entries.`),
  embedding: modelName
    .nullable()
    .optional()
    .describe(
      "Embedding model; by default the one that the deployment configures. null: none; measures over words replace vectors.",
    ),
  seed: z
    .int()
    .optional()
    .describe("Seed of every role without its own. Each call's seed is derived from it, so no two calls share one."),
});
export type ModelsRequest = z.infer<typeof modelsRequestSchema>;

/**
 * The models of a run, with all defaults filled in. `default` is the (first) model of roles without their own; when every role has its own
 * and no default is configured, it is the first role's. `roles` has each role of the workflow, and each `<role>_<n>` that the request names.
 */
export const resolvedModelsSchema = z
  .strictObject({
    default: z.string(),
    roles: z.record(z.string(), resolvedModelSchema),
    embedding: z.string().nullable().describe("null: texts are compared by their words."),
    seed: z.int().nullable(),
  })
  .meta({
    id: "ResolvedModels",
    description: "Models as they were resolved when the run was created, by role.",
  });
export type ResolvedModels = z.infer<typeof resolvedModelsSchema>;

/** Reads a run's stored models. */
export const parseModels = (stored: string): ResolvedModels => JSON.parse(stored);

/**
 * Resolves the model and parameters of each role. One of several roles (`debater_2`) inherits from the role; its own entry overrides.
 * @param roles the workflow's, with their decoding defaults
 * @param mode in test mode any name is accepted, since nothing is called, and the mock model stands for a model that is neither named nor
 *   configured
 * @throws Problem with all errors: `unknown_provider` or `no_model_configured` when all are of that kind, else `validation_failed`
 */
export function resolveModels(
  request: ModelsRequest,
  roles: readonly { name: string; decoding: ModelParameters }[],
  providers: Providers,
  mode: Mode,
): ResolvedModels {
  const errors = [...modelErrors(request, providers, mode), ...roleErrors(request, roles)];
  const standard = request.default ?? providers.default_model ?? (mode === "test" ? MOCK_MODEL : null);
  const seed = request.seed === undefined ? {} : { seed: request.seed };
  const own = (name: string): Partial<ResolvedModel> => {
    const entry = request.roles && Object.hasOwn(request.roles, name) ? request.roles[name] : undefined;
    return isModels(entry) ? chosen(entry) : (entry ?? {});
  };

  const resolved: Record<string, ResolvedModel> = {};
  for (const { name, decoding } of roles) {
    const { model } = own(name);
    const models = model === undefined ? (standard === null ? null : chosen(standard)) : { model };
    if (models === null) errors.push(noModel(name));
    else resolved[name] = { ...models, ...seed, ...decoding, ...own(name), model: models.model };
  }
  if (errors.length > 0) throw problem(errors);

  for (const name of Object.keys(request.roles ?? {})) {
    const base = resolved[name] ? undefined : resolved[roleOf(name, roles)!];
    if (!base) continue;
    const { fallbacks, ...others } = base;
    const isOther = own(name).model !== undefined;
    resolved[name] = { ...others, ...(fallbacks && !isOther ? { fallbacks } : {}), ...own(name) };
  }
  return {
    default: standard === null ? resolved[roles[0]!.name]!.model : chosen(standard).model,
    roles: resolved,
    embedding: request.embedding === undefined ? defaultEmbeddingModel(providers, mode) : request.embedding,
    seed: request.seed ?? null,
  };
}

/** One model, or several in the order of preference. */
type Models = string | readonly string[];

const isModels = (entry: unknown): entry is Models => typeof entry === "string" || Array.isArray(entry);

const chosen = (models: Models): Pick<ResolvedModel, "model" | "fallbacks"> => {
  const [model, ...fallbacks] = typeof models === "string" ? [models] : models;
  return { model: model!, ...(fallbacks.length ? { fallbacks } : {}) };
};

/** The embedding model of requests that name none; null when none is configured. */
export const defaultEmbeddingModel = (providers: Providers, mode: Mode): string | null =>
  mode === "test" ? MOCK_MODEL : providers.embedding_model;

/** The role that a name refers to: itself, or `debater` for `debater_2`. */
function roleOf(name: string, roles: readonly { name: string }[]): string | undefined {
  const base = /^(.+)_[1-9]\d*$/.exec(name)?.[1];
  return (roles.find((role) => role.name === name) ?? roles.find((role) => role.name === base))?.name;
}

function roleErrors(request: ModelsRequest, roles: readonly { name: string }[]): FieldError[] {
  const names = roles.map(({ name }) => name).join(", ");
  return Object.keys(request.roles ?? {})
    .filter((name) => roleOf(name, roles) === undefined)
    .map((name) => ({
      path: `models.roles.${name}`,
      code: "unknown_role",
      message: `There is no role ${name}. The roles are ${names}; <role>_<n> names one of several.`,
    }));
}

function modelErrors(request: ModelsRequest, providers: Providers, mode: Mode): FieldError[] {
  const named: [path: string, models: Models | undefined][] = [
    ["models.default", request.default],
    ["models.embedding", request.embedding ?? undefined],
  ];
  for (const [role, entry] of Object.entries(request.roles ?? {})) {
    const path = `models.roles.${role}`;
    if (isModels(entry)) named.push([path, entry]);
    else named.push([`${path}.model`, entry.model], [`${path}.fallbacks`, entry.fallbacks]);
  }
  return named.flatMap(([path, models = []]) =>
    typeof models === "string"
      ? errorsOf(path, models, providers, mode)
      : models.flatMap((model, at) => errorsOf(`${path}.${at}`, model, providers, mode)),
  );
}

function errorsOf(path: string, model: string, providers: Providers, mode: Mode): FieldError[] {
  // Runs show their resolved models, so a caller may send `mock` back.
  if (model === MOCK_MODEL && mode === "test") return [];
  const fieldError = modelError(model, providersIn(mode, providers));
  return fieldError ? [{ path, ...fieldError }] : [];
}

/** The providers that a request may name; null in test mode, which calls none: any. */
export const providersIn = (mode: Mode, providers: Providers): Providers | null => (mode === "test" ? null : providers);

/**
 * The error of a model's name in a request; null when it is `<provider>/<model>` of a configured provider.
 * @param providers null: any provider is accepted
 */
export function modelError(model: string, providers: Providers | null): Omit<FieldError, "path"> | null {
  const provider = /^([^/]+)\/./s.exec(model)?.[1];
  if (provider === undefined)
    return { code: "invalid_format", message: `"${model}" is not of the form <provider>/<model>.` };
  if (!providers || providers.byName.has(provider)) return null;
  const configured = [...providers.byName.keys()].join(", ") || "none; set OPENAI_API_KEY, or PROVIDERS";
  const message = `There is no provider ${provider}. Configured providers: ${configured}.`;
  return { code: "unknown_provider", message };
}

const noModel = (role: string): FieldError => ({
  path: `models.roles.${role}`,
  code: "no_model_configured",
  message: `No model is named for ${role}, and there is no default.`,
});

/** Errors that all have one code of the API become an error of that code; any others become `validation_failed`. */
function problem(errors: FieldError[]): Problem {
  const codes = new Set(errors.map(({ code }) => code));
  const only = codes.size === 1 ? errors[0]!.code : null;
  const code = only === "unknown_provider" || only === "no_model_configured" ? only : "validation_failed";
  return new Problem(code, [...new Set(errors.map(({ message }) => message))].join(" "), errors);
}
