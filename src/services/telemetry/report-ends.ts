import { chunksOf } from "#core/chunks";
import { dataPoint } from "./data-point";
import { ExportError, exportSpans } from "./otlp";
import { type EndedRun, spansOf } from "./spans";
import { log } from "#core/log";
import type { Services } from "../services";
import type { Settings } from "../settings";
import type { RunEndRow, RunRow } from "#store/rows";
import type { CountedEnd } from "#store/run-ends";
import type { Store } from "#store/store";
import { processMetrics } from "./metrics";

type ReportServices = Pick<Services, "store" | "platform"> & { settings: Pick<Settings, "otlp" | "version"> };

const INITIAL_DELAY_MS = 10_000;
const MAX_DELAY_MS = 60 * 60_000;
/** About three days of retries. */
const MAX_ATTEMPTS = 80;
const CONTENT_BATCH = 20;

/**
 * Reports ended runs: to the metrics, and a trace to the collector and a data point to Analytics Engine, if configured. A run's end stores a row in D1,
 * which is removed after the report: a crash in between repeats the report with the same ids.
 * @param request.now milliseconds since the epoch
 */
export async function reportEnds(services: ReportServices, request: { now: number; limit: number }): Promise<void> {
  const { store, platform, settings } = services;
  const { now, limit } = request;
  if (!settings.otlp && !platform.hasAnalytics) {
    for (const end of await store.runEnds.deleteDue(now)) count(end, end);
    return;
  }
  for (const end of await store.runEnds.due(now, limit)) {
    try {
      await report(services, end);
      await store.runEnds.deleteReported(end);
    } catch (error) {
      if (await postpone(store, { end, now, error })) return; // no more requests to a failing collector in this pass
    }
  }
}

/** Schedules the next attempt, or gives up. Returns whether there is a next attempt. */
async function postpone(store: Store, failed: { end: RunEndRow; now: number; error: unknown }): Promise<boolean> {
  const { end, now, error } = failed;
  const attempts = end.attempts + 1;
  const final = error instanceof ExportError && !error.retryable;
  const context = { run_id: end.run_id, tenant_id: end.tenant_id, attempts, error };
  if (final || attempts >= MAX_ATTEMPTS) {
    await store.runEnds.deleteReported(end);
    log.error("the end of a run was not reported, and is given up", context);
    return false;
  }
  await store.runEnds.postpone(end, now + Math.min(INITIAL_DELAY_MS * 2 ** (attempts - 1), MAX_DELAY_MS));
  log.warn("the end of a run was not reported, and will be tried again", context);
  return true;
}

function count({ phase, ended_at }: CountedEnd | RunEndRow, { workflow, mode, created_at }: CountedEnd | RunRow): void {
  processMetrics()?.runEnded({ workflow, mode, status: phase }, ended_at - created_at);
}

async function report({ store, platform, settings }: ReportServices, end: RunEndRow): Promise<void> {
  const run = await store.runEnds.run(end);
  if (!run) return; // deleted meanwhile
  if (end.attempts === 0) count(end, run);
  if (platform.hasAnalytics && !end.counted) {
    platform.writeDataPoint(dataPoint(end, run, settings.version));
    await store.runEnds.markCounted(end);
  }
  if (settings.otlp) {
    const spans = spansOf(await readEndedRun(store, { end, run, capture_content: settings.otlp.capture_content }));
    await exportSpans(spans, settings.otlp, settings.version);
  }
}

async function readEndedRun(
  store: Store,
  { end, run, capture_content }: { end: RunEndRow; run: RunRow; capture_content: boolean },
): Promise<EndedRun> {
  const [stages, artifacts, events] = await Promise.all([
    store.stages.ofRun(run.id),
    store.artifacts.provenance(run.id),
    store.events.after(run.id, 0, Number.MAX_SAFE_INTEGER),
  ]);
  const contents = capture_content
    ? {
        input: JSON.stringify(await store.runs.input(run)),
        byArtifact: await readContents(
          store,
          run.id,
          artifacts.filter(({ epoch, model }) => epoch === end.epoch && model !== null).map(({ id }) => id),
        ),
      }
    : null;
  return { end, run, stages, artifacts, events, contents };
}

async function readContents(store: Store, run: string, ids: readonly string[]): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  for (const chunk of chunksOf(ids, CONTENT_BATCH)) {
    for (const row of await store.artifacts.getMany(run, chunk))
      contents.set(row.id, await store.artifacts.content(row));
  }
  return contents;
}
