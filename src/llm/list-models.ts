import { z } from "zod";
import { clientOf, type Endpoints } from "./targets";

/** A model as its provider lists it. */
export interface ListedModel {
  /** `<provider>/<model>`. */
  model: string;
  /** The day on which the provider shuts it down, YYYY-MM-DD; null: none is announced. */
  shutdown_date: string | null;
}

/** The parts of `GET /v1/models` that are read. Most servers announce no shutdown. */
const listSchema = z.object({
  data: z.array(z.object({ id: z.string().min(1), shutdown_date: z.iso.date().nullish().catch(null) })),
});

const TIMEOUT_MS = 10_000;

/**
 * The models that a provider has for the deployment's key, by name.
 * @throws Error whose message says why they are not known
 */
export async function listModels(name: string, { providers, fetch }: Endpoints): Promise<ListedModel[]> {
  const client = await clientOf(providers.byName.get(name)!, fetch);
  const body: unknown = await client.get("/models", { timeout: TIMEOUT_MS });
  const parsed = listSchema.safeParse(body);
  if (!parsed.success) throw new Error("its list of models has another form");
  return parsed.data.data
    .map(({ id, shutdown_date }) => ({ model: `${name}/${id}`, shutdown_date: shutdown_date ?? null }))
    .toSorted((one, other) => (one.model < other.model ? -1 : 1));
}

/** Days before a shutdown from which a model is called retiring. */
const RETIRING_DAYS = 60;
/** How many models a warning names. */
const MAX_NAMED = 20;

/**
 * What is wrong with a model that a deployment uses by default, and what its provider has in its place; null when nothing is.
 * @param today YYYY-MM-DD
 */
export function modelWarning(model: string, listed: readonly ListedModel[], today: string): string | null {
  const found = listed.find((one) => one.model === model);
  if (found && (found.shutdown_date === null || daysBetween(today, found.shutdown_date) > RETIRING_DAYS)) return null;
  const family = model.split(/[-.:\d]/, 1)[0]!;
  const lasting = listed
    .filter((one) => one.model !== model && one.shutdown_date === null)
    .map((one) => one.model)
    // Those of the same family first: a provider's list has models of other kinds too.
    .toSorted((one, other) => Number(other.startsWith(family)) - Number(one.startsWith(family)));
  const others = lasting.length > MAX_NAMED ? [...lasting.slice(0, MAX_NAMED), "…"] : lasting;
  const what = found
    ? `The model ${model} will be shut down on ${found.shutdown_date}.`
    : `The model ${model} is not among those of its provider.`;
  if (others.length === 0) return `${what} Its provider names no model that lasts.`;
  return `${what} Set OPENAI_MODEL, or default_model in PROVIDERS, to another: ${others.join(", ")}.`;
}

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
