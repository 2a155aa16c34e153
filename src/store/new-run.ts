import type { Limits } from "#core/run-settings";
import type { Mode } from "#core/vocabulary";
import type { StoredContent } from "./contents";
import { bytesOf } from "./quotas";
import type { RunRow } from "./rows";
import type { RecordedOccurrence } from "./schedules";

export interface NewRun {
  id: string;
  tenant_id: string;
  workflow: string;
  workflow_version: number;
  mode: Mode;
  input: unknown;
  options: unknown;
  models: unknown;
  limits: Limits;
  metadata: Record<string, string>;
  test: unknown;
  origin: string;
  asks_about: readonly string[];
  about: { title: string | null; excerpt: string };
  requested_by: string | null;
  /** Ids of the data sets that it reads; absent: none. */
  datasets?: readonly string[];
  /** The schedule of which it is the last run from now on, without settling a time; absent: of none. */
  last_of?: string | undefined;
  /** The time of a schedule that starts it; absent: none does. */
  occurrence?: Omit<RecordedOccurrence, "run_id" | "outcome" | "tenant_id"> | undefined;
  webhook: { endpoint_id: string; url: string; events: readonly string[]; sealed_secret: string } | null;
}

/** Bytes that a row counts in the quota besides its texts. */
const ROW_BYTES = 1000;

/** All columns of a new run. */
export const firstRow = (
  run: NewRun,
  { input, options }: Record<"input" | "options", StoredContent>,
  now: number,
): RunRow => ({
  id: run.id,
  tenant_id: run.tenant_id,
  workflow: run.workflow,
  workflow_version: run.workflow_version,
  mode: run.mode,
  input: input.content,
  input_key: input.content_key,
  options: options.content ?? "",
  options_key: options.content_key,
  models: JSON.stringify(run.models),
  limits: JSON.stringify(run.limits),
  metadata: JSON.stringify(run.metadata),
  test: run.test === null ? null : JSON.stringify(run.test),
  origin: run.origin,
  title: run.about.title,
  excerpt: run.about.excerpt,
  requested_by: run.requested_by,
  phase: "queued",
  epoch: 1,
  generation: 1,
  generations: "{}",
  paused: 0,
  pauses: 0,
  open_interactions: 0,
  status: "queued",
  stage: null,
  steps_done: 0,
  llm_calls: 0,
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  cost_usd: null,
  reserved_calls: 0,
  reserved_tokens: 0,
  reserved_cost_usd: 0,
  active_ms: 0,
  queued_ms: 0,
  active_since: null,
  unended_starts: 0,
  budget_warned: 0,
  output: null,
  error: null,
  heartbeat_at: now,
  nudged_at: 0,
  stalled_at: null,
  queued_at: now,
  last_failure: null,
  stalled_because: null,
  outages: "{}",
  created_at: now,
  started_at: null,
  updated_at: now,
  finished_at: null,
  parent_id: null,
  child_group: null,
  child_key: null,
  reuse_key: null,
  awaits_children: 0,
  child_waits: 0,
  archive_key: null,
  archive_stages: null,
  archive_base: null,
  stored_bytes:
    ROW_BYTES +
    input.size +
    options.size +
    [run.models, run.metadata, run.test].reduce<number>((sum, part) => sum + bytesOf(JSON.stringify(part)), 0),
  asks_about: JSON.stringify(run.asks_about),
});
