import { newId } from "#core/ids";
import type { NewRun } from "#store/new-run";
import type { RunRow } from "#store/rows";
import type { Complete } from "../idempotency/complete-key";
import type { Services } from "../services";
import { startInstances, wakeSendersOf } from "../wake";
import { makeSecret } from "../webhooks/delivery/sign";
import { signingSecretOf } from "../webhooks/signing-secret";
import { newRun, parseRunRequest } from "./parse-run-request";
import type { RunCreator } from "./check-run";
import { presentRow } from "./present-run";
import type { PresentedRun } from "./schema";

interface Creation {
  owner: RunCreator;
  /** Base of the run's callback URLs, unless PUBLIC_URL is set. */
  origin: string;
  body: unknown;
  /** The schedule of which it is the last run from now on, without settling a time. */
  last_of?: NewRun["last_of"];
  /** The time of a schedule that starts the run. */
  occurrence?: NewRun["occurrence"];
  /** Makes what is stored with the run in one transaction: a repeated request finds both or neither. */
  complete?: Complete<PresentedRun> | undefined;
}

/**
 * Stores a run and starts it. Only this answer shows the secret of its webhook.
 * @throws Problem that lists every error of the request; `quota_exceeded`
 */
export async function createRun(
  services: Services,
  { owner, origin, body, complete, last_of, occurrence }: Creation,
): Promise<PresentedRun> {
  const { store, settings, secrets } = services;
  const parsed = await parseRunRequest(services, owner, body);
  const { request } = parsed;
  const run = newRun(services, parsed, { owner, origin: settings.public_url ?? origin });
  const webhook = request.webhook && {
    id: newId("whe"),
    status: "enabled" as const,
    ...request.webhook,
    secret: request.webhook.secret ?? makeSecret(),
  };
  const present = (row: RunRow) =>
    presentRow(row, {
      input: request.input,
      options: request.options,
      stages_done: [],
      interactions: [],
      asks_about: [...run.asks_about],
      webhook: webhook ?? null,
      tree: null,
    });
  await services.platform.armMaintenance();
  const created = await store.runs.create(
    {
      ...run,
      last_of,
      occurrence,
      webhook: webhook
        ? {
            endpoint_id: webhook.id,
            url: webhook.url,
            events: webhook.events,
            sealed_secret: secrets.seal(webhook.secret, signingSecretOf({ tenant_id: run.tenant_id, id: webhook.id })),
          }
        : null,
    },
    settings.max_concurrent_runs,
    complete && ((row) => complete(present(row))),
  );
  const { row, listeners, admitted } = created;
  await startInstances(services, admitted);
  await wakeSendersOf(services, listeners, row, "run.created");
  return present(row);
}
