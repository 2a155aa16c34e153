import { chunksOf } from "#core/chunks";
import { dataPoint } from "./data-point";
import { ExportFailed, exportSpans } from "./otlp";
import type { OtlpSettings } from "../otlp-settings";
import { type EndedRun, spansOf } from "./spans";
import { log } from "#core/log";
import type { Platform } from "../platform";
import type { RunEndRow, RunRow } from "#store/rows";
import type { Store } from "#store/store";

/** Where ends are reported, and by which version of the code. */
interface ReportSettings {
  otlp: OtlpSettings | null;
  code_version: string;
}

const FIRST_DELAY_MS = 10_000;
const LONGEST_DELAY_MS = 60 * 60_000;
/** Some three days of trying. */
const MOST_ATTEMPTS = 80;
const CONTENTS_AT_ONCE = 20;

/**
 * Tells of runs that have ended: a trace to the collector, a data point to Analytics Engine, each when it is configured. What is to be
 * told stands in D1 since the run's end, and goes once it was told: a crash between the two tells it again, under the same ids.
 */
export async function reportEnds(
  store: Store,
  platform: Platform,
  settings: ReportSettings,
  now: number,
  limit: number,
): Promise<void> {
  if (!settings.otlp && !platform.hasAnalytics) return store.runEnds.deleteDue(now);
  for (const end of await store.runEnds.due(now, limit)) {
    try {
      await report(store, platform, settings, end);
      await store.runEnds.deleteReported(end);
    } catch (error) {
      const final = error instanceof ExportFailed && !error.retryable;
      if (await putOff(store, end, now, final, error)) return; // a collector that fails is not asked again in this round
    }
  }
}

/** Returns whether it will be tried again. */
async function putOff(store: Store, end: RunEndRow, now: number, final: boolean, error: unknown): Promise<boolean> {
  const attempts = end.attempts + 1;
  const about = { run_id: end.run_id, tenant_id: end.tenant_id, attempts, error };
  if (final || attempts >= MOST_ATTEMPTS) {
    await store.runEnds.deleteReported(end);
    log.error("the end of a run was not reported, and is given up", about);
    return false;
  }
  await store.runEnds.postpone(end, now + Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), LONGEST_DELAY_MS));
  log.warn("the end of a run was not reported, and will be tried again", about);
  return true;
}

async function report(store: Store, platform: Platform, settings: ReportSettings, end: RunEndRow): Promise<void> {
  const run = await store.runs.get(end.tenant_id, end.run_id);
  if (!run) return; // deleted this moment
  if (platform.hasAnalytics && !end.counted) {
    platform.writeDataPoint(dataPoint(end, run, settings.code_version));
    await store.runEnds.markCounted(end);
  }
  if (settings.otlp) {
    const spans = spansOf(await readEnded(store, end, run, settings.otlp));
    await exportSpans(spans, settings.otlp, settings.code_version);
  }
}

async function readEnded(store: Store, end: RunEndRow, run: RunRow, otlp: OtlpSettings): Promise<EndedRun> {
  const [stages, artifacts, events] = await Promise.all([
    store.stages.ofRun(run.id),
    store.artifacts.provenance(run.id),
    store.events.after(run.id, 0, Number.MAX_SAFE_INTEGER),
  ]);
  const contents = otlp.capture_content
    ? {
        input: JSON.stringify(await store.runs.input(run)),
        of: await readContents(
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
  for (const chunk of chunksOf(ids, CONTENTS_AT_ONCE)) {
    for (const row of await store.artifacts.getMany(run, chunk))
      contents.set(row.id, await store.artifacts.content(row));
  }
  return contents;
}
