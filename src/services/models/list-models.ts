import type { Mode } from "#core/vocabulary";
import { type ListedModel, MOCK_MODEL } from "#llm";
import type { Services } from "../services";
import type { ModelList, PresentedModel } from "./schema";

export type ModelServices = Pick<Services, "llm" | "providers">;

/** How long a provider's answer is used again. Milliseconds. */
const FRESH_MS = 10 * 60_000;
const FAILED_MS = 30_000;

/** By provider's object, which lives as long as the configuration: what it has answered, and when it was asked. */
const answers = new WeakMap<object, { at: number; models: Promise<ListedModel[]> }>();

/** A provider's models, as it has answered within the last ten minutes. */
export function modelsOf({ llm, providers }: ModelServices, provider: string): Promise<ListedModel[]> {
  const key = providers.byName.get(provider)!;
  const known = answers.get(key);
  if (known && Date.now() - known.at < FRESH_MS) return known.models;
  const models = llm.models(provider);
  answers.set(key, { at: Date.now(), models });
  // A provider that fails is asked again soon, but not by each request.
  models.catch(() => answers.set(key, { at: Date.now() - FRESH_MS + FAILED_MS, models }));
  return models;
}

/** The models of all configured providers, for the deployment's keys. In test mode no provider is asked: there is the mock model only. */
export async function listModels(services: ModelServices, mode: Mode): Promise<ModelList> {
  if (mode === "test")
    return { data: [presented(services, mode, MOCK_MODEL, null)], unavailable: [], next_cursor: null };
  const names = [...services.providers.byName.keys()];
  const asked = await Promise.allSettled(names.map((name) => modelsOf(services, name)));
  return {
    data: asked.flatMap((one) =>
      one.status === "fulfilled"
        ? one.value.map(({ model, shutdown_date }) => presented(services, mode, model, shutdown_date))
        : [],
    ),
    unavailable: asked.flatMap((one, at) =>
      one.status === "rejected" ? [{ provider: names[at]!, reason: reasonOf(one.reason) }] : [],
    ),
    next_cursor: null,
  };
}

/** Providers' own words may hold a part of a key, so only the status is passed on. */
const reasonOf = (error: Error & { status?: number }): string =>
  error.status === undefined ? "Its models could not be read." : `It answered ${error.status}.`;

function presented(
  { providers }: ModelServices,
  mode: Mode,
  model: string,
  shutdown_date: string | null,
): PresentedModel {
  const slash = model.indexOf("/");
  const price = providers.byName.get(model.slice(0, Math.max(slash, 0)))?.models.get(model.slice(slash + 1))?.price;
  return {
    object: "model",
    model,
    default: model === (mode === "test" ? (providers.default_model ?? MOCK_MODEL) : providers.default_model),
    shutdown_date,
    price: price
      ? {
          input: price.input,
          cached_input: price.cached_input ?? null,
          output: price.output,
          reasoning: price.reasoning ?? null,
        }
      : null,
  };
}
