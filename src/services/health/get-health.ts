import { log } from "#core/log";
import type { Services } from "../services";
import type { Health } from "./schema";

/** A maintenance pass that is later than this, or than a few of its intervals, counts as missed. Milliseconds. */
const MAINTENANCE_TOLERANCE_MS = 120_000;

/**
 * Queries the database once: whether it answers, and whether the maintenance worker runs; of several databases each. A maintenance worker that has stalled is armed.
 * @param request_id names the request in the log when something fails
 */
export async function getHealth(services: Services, request_id: string): Promise<Health> {
  const { settings, platform } = services;
  const { version } = settings;
  const tolerance = Math.max(MAINTENANCE_TOLERANCE_MS, 5 * settings.maintenance_interval_ms);
  const now = Date.now();
  try {
    const overdue = now - tolerance;
    const times = { overdue, forgotten: overdue - settings.nudge_after_ms };
    const stalled = await Promise.all(
      services.ofAllDatabases().map(({ store }) => store.maintenance.isMaintenanceStalled(times)),
    );
    if (!stalled.includes(true)) return { status: "ok", version };
  } catch (error) {
    log.error("the database does not answer", { request_id, error });
    return { status: "unavailable", version, because: "database" };
  }
  log.error("the maintenance worker has stalled", { request_id });
  await platform
    .armMaintenance()
    .catch((error: unknown) => log.error("the maintenance worker could not be armed", { request_id, error }));
  return { status: "unavailable", version, because: "maintenance" };
}
