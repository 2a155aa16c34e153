import { log } from "#core/log";
import type { Services } from "../services";
import type { Health } from "./schema";

/** A round of the keeper that is later than this, or than a few of its intervals, counts as missed. Milliseconds. */
const KEEPER_TOLERANCE = 120_000;

/**
 * Queries the database once: whether it answers, and whether the keeper does its rounds; of several databases each. A keeper that has stalled is armed.
 * @param request_id names the request in the log when something fails
 */
export async function getHealth(services: Services, request_id: string): Promise<Health> {
  const { settings, platform } = services;
  const { version } = settings;
  const tolerance = Math.max(KEEPER_TOLERANCE, 5 * settings.keeper_interval_ms);
  const now = Date.now();
  try {
    const overdue = now - tolerance;
    const times = { overdue, forgotten: overdue - settings.nudge_after_ms };
    const stalled = await Promise.all(
      services.ofAllDatabases().map(({ store }) => store.maintenance.isKeeperStalled(times)),
    );
    if (!stalled.includes(true)) return { status: "ok", version };
  } catch (error) {
    log.error("the database does not answer", { request_id, error });
    return { status: "unavailable", version, because: "database" };
  }
  log.error("the keeper has stalled", { request_id });
  await platform
    .armKeeper()
    .catch((error: unknown) => log.error("the keeper could not be armed", { request_id, error }));
  return { status: "unavailable", version, because: "keeper" };
}
