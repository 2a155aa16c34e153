import type { World } from "./world.ts";
import { LLM_TIMEOUT } from "../chaos/laws.ts";
import { leftBehind } from "./stored-laws.ts";

/** How often. Milliseconds. */
const EVERY = 2000;
/** How long a permit is lent (src/llm/limits/acquire-permit.ts). Milliseconds. */
const LEASE = LLM_TIMEOUT + 10_000;
/** A run that was created this long ago must have a maintenance worker whose alarm is set. Milliseconds. */
const ARMED_AFTER = 10_000;
/** A permit is returned within this time after its request has been answered, unless a call was slow. Milliseconds. */
const RETURNED_WITHIN = 5000;
/** A removed tenant is gone after this time, unless a call was slow or the process was down. Milliseconds. */
export const REMOVED_WITHIN = 90_000;
/** After the end of its last child a parent continues within this time, unless a call was slow or the process was down. Milliseconds. */
const WOKEN_WITHIN = 15_000;

type Report = (law: string, violation: string) => void;

/** Watches laws that hold at every moment. Each is reported once. */
export function watch(world: World) {
  const { scheduler } = world;
  const seen = new Set<string>();
  const report: Report = (law, violation) => {
    if (seen.has(law)) return;
    seen.add(law);
    world.violations.push(`${((scheduler.time - world.startedAt) / 1000).toFixed(3)} s: ${violation}`);
  };
  const look = () => {
    maintenanceIsAwake(world, report);
    permitsAreReturned(world, report);
    tenantsAreRemoved(world, report);
    treesHold(world, report);
    scheduler.at(scheduler.time + EVERY, null, look, "watch");
  };
  scheduler.at(scheduler.time + EVERY, null, look, "watch");
}

/** The maintenance worker's alarm is set while a run is alive. */
function maintenanceIsAwake({ scheduler, storage, process, profile }: World, report: Report) {
  const now = scheduler.now();
  if (!process || now - process.startedAt < ARMED_AFTER) return;
  const alive = storage.row(
    "SELECT id FROM runs WHERE phase IN ('queued', 'running') AND created_at < ? LIMIT 1",
    now - ARMED_AFTER,
  );
  if (!alive) return;
  const alarm = storage.objects.alarm("MaintenanceWorker/maintenance");
  if (alarm === null)
    report("maintenance", `the maintenance worker sleeps, without an alarm, while ${alive.id} is alive`);
  else if (alarm > now + 3 * profile.maintenance_interval)
    report(
      "maintenance",
      `the maintenance worker sleeps for another ${Math.round((alarm - now) / 1000)} s while ${alive.id} is alive`,
    );
}

/** A permit of a provider is returned soon after its request was answered. */
function permitsAreReturned({ scheduler, storage, model, profile, outages, fates }: World, report: Report) {
  if (profile.max_concurrency === null) return;
  const now = scheduler.now();
  const gate = storage.objects.sql("ProviderGate/openai");
  if (!gate.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'leases'").get()) return;
  for (const { id, until } of gate.prepare("SELECT id, until FROM leases WHERE until > ?").all(now)) {
    const [run, step] = splitLease(String(id));
    // Instances of several epochs may be calling.
    const calls = model.calls.filter((one) => one.run === run && one.step === step);
    const endedAt = Math.max(0, ...calls.map(({ ended_at }) => ended_at));
    const lentAt = Number(until) - LEASE;
    if (calls.length === 0 || now - Math.max(endedAt, lentAt) < RETURNED_WITHIN) continue;
    // A permit that was lent after the request is that of the step's next one, which waited meanwhile: the instance may be gone since.
    const since = Math.min(lentAt, endedAt);
    const excused = outages.overlap(since, now) || fates.wasSlow(lentAt, now);
    if (!excused)
      report(
        "permit",
        `the permit of ${id} was not returned; it was lent ${now - lentAt} ms ago, and its request ended ${now - endedAt} ms ago`,
      );
  }
}

/** `run_1-e1/stage/action#key` is a step of a run. */
const splitLease = (id: string) => [id.slice(0, id.indexOf("-e")), id.slice(id.indexOf("/") + 1)];

/** Removed tenants are gone after a time, whatever else fails. */
function tenantsAreRemoved({ scheduler, storage, outages, fates }: World, report: Report) {
  const now = scheduler.now();
  const left = storage.row("SELECT id, removed_at FROM tenants WHERE removed_at < ?", now - REMOVED_WITHIN);
  if (!left || outages.overlap(Number(left.removed_at), now) || fates.wasSlow(Number(left.removed_at), now)) return;
  report("tenant", `the tenant ${left.id} was deleted ${now - Number(left.removed_at)} ms ago and is still there`);
}

/** No child is alive after its parent, no more children are under way than their parent allows, and a parent is woken after the last one. */
function treesHold({ scheduler, storage, outages, fates }: World, report: Report) {
  const now = scheduler.now();
  for (const violation of leftBehind(storage)) report("left behind", violation);
  const crowded = storage.row(
    `SELECT run_id, slots, under_way FROM run_trees t JOIN (SELECT parent_id, COUNT(*) AS under_way FROM runs
       WHERE parent_id IS NOT NULL AND phase IN ('queued', 'running') AND queued_at IS NULL AND paused = 0 AND open_interactions = 0
       GROUP BY 1) ON parent_id = run_id
     WHERE under_way > slots`,
  );
  if (crowded)
    report(
      "crowded",
      `${crowded.under_way} children of ${crowded.run_id} are under way, and it has ${crowded.slots} slots`,
    );
  const waiting = storage.row(
    `SELECT r.id, MAX(c.finished_at) AS ended_at FROM runs r JOIN runs c ON c.parent_id = r.id
     WHERE r.awaits_children = 1 AND r.phase = 'running' AND r.paused = 0 GROUP BY r.id
     HAVING SUM(c.phase IN ('queued', 'running')) = 0 AND MAX(c.finished_at) < ?`,
    now - WOKEN_WITHIN,
  );
  if (!waiting) return;
  const ended = Number(waiting.ended_at);
  if (!outages.overlap(now - WOKEN_WITHIN, now) && !fates.wasSlow(now - WOKEN_WITHIN, now))
    report("woken", `${waiting.id} still waits, and its last child ended ${now - ended} ms ago`);
}
