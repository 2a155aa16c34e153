import type { MessageData } from "#core/events";
import { log } from "#core/log";
import { type ListedModel, modelWarning } from "#llm";
import type { Store } from "#store/store";
import { type ModelServices, modelsOf } from "./list-models";

/** Days before a shutdown, the fewest first, at which tenants are warned. */
const WARNED_AT = [7, 30, 60];
/** Most ids of one kind in a message. */
const MAX_IDS = 100;
const DAY_MS = 86_400_000;

/**
 * Asks the providers for their models. Logs a default model that is absent or will be shut down, and warns the tenants that name a model which will
 * be; a warning that was sent is not sent again. Never throws: what fails is logged, and the next day repeats it.
 * @param stores of all databases
 */
export async function watchModels(services: ModelServices, stores: readonly Store[], now: number): Promise<void> {
  const { default_model } = services.providers;
  const today = new Date(now).toISOString().slice(0, 10);
  for (const provider of services.providers.byName.keys()) {
    const isDefault = default_model?.startsWith(`${provider}/`) ?? false;
    try {
      const listed = await modelsOf(services, provider);
      const detail = isDefault && modelWarning(default_model!, listed, today);
      if (detail) log.warn("the default model will not last", { model: default_model, detail });
      for (const model of listed) await warnOf(model, model.model === default_model, stores, now);
    } catch (error) {
      if (isDefault)
        log.warn("the provider of the default model could not be asked for its models", { provider, error });
      else log.debug("a provider could not be asked for its models", { provider, error });
    }
  }
}

async function warnOf(
  { model, shutdown_date }: ListedModel,
  isDefault: boolean,
  stores: readonly Store[],
  now: number,
): Promise<void> {
  if (shutdown_date === null) return;
  const left = (Date.parse(shutdown_date) - now) / DAY_MS;
  const days = WARNED_AT.find((most) => left <= most);
  if (days === undefined || left < -1) return;
  for (const { retirements } of stores) {
    const uses = await retirements.usesOf(model, isDefault);
    await retirements.warn(
      uses.map(({ tenant_id, templates, schedules, runs, corpora, agents }) => {
        const data: MessageData<"model.retiring"> = {
          model,
          shutdown_date,
          days,
          templates: templates.slice(0, MAX_IDS),
          schedules: schedules.slice(0, MAX_IDS),
          runs: runs.slice(0, MAX_IDS),
          corpora: corpora.slice(0, MAX_IDS),
          agents: agents.slice(0, MAX_IDS),
        };
        return { tenant_id, model, shutdown_date, days, data };
      }),
    );
  }
}
