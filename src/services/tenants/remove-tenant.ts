import { log } from "#core/log";
import { removeRun } from "../runs/remove-run";
import { cancelAndWake } from "../runs/cancel-run";

/**
 * One pass of deleting a tenant: cancels live runs, removes ended runs, corpora and data sets, and when none is left, removes everything else.
 * A crash at any point is safe: the next pass repeats it.
 * @param limit how many runs, corpora and data sets one pass takes of each
 */
export async function removeTenant(
  services: Parameters<typeof removeRun>[0],
  tenant: string,
  limit: number,
): Promise<void> {
  const { runs, corpora, datasets, tenants } = services.store;
  for (const run of await runs.ofTenant(tenant, limit)) {
    try {
      const ended = run.finished_at === null ? await cancelAndWake(services, { owner: run, id: run.id }) : run;
      await removeRun(services, ended ?? run);
    } catch (error) {
      log.error("a run was not removed, and will be tried again", { run_id: run.id, tenant_id: tenant, error });
    }
  }
  for (const corpus of await corpora.ofTenant(tenant, limit)) await corpora.remove(corpus, corpus.id);
  for (const dataset of await datasets.ofTenant(tenant, limit)) await datasets.remove(dataset, dataset.id);
  if (await tenants.remove(tenant)) log.info("tenant was removed", { tenant_id: tenant });
}
