import { parseOutages, type ProviderOutage } from "#core/provider-outages";
import { parseLimits } from "#core/run-settings";
import { addUsage, parseModels } from "#llm";
import { aboutOf } from "../fields/about";
import { toTime, toTimeOrNull } from "../fields/time";
import { usageOf } from "../fields/usage";
import type { Services } from "../services";
import type { RunRow, RunTreeRow } from "#store/rows";
import type { RunEntryRow } from "#store/run-lists";
import type { RunDetails as StoredDetails } from "#store/run-details";
import type { StageEntry } from "#store/stages";
import { fillDocuments } from "./fill-documents";
import type { PresentedRun, PresentedRunEntry, RunState } from "./schema";

/** A single run; documents of its output come with their text. @param stored its details, where they were read with the row */
export async function presentRun(services: Services, row: RunRow, stored?: StoredDetails): Promise<PresentedRun> {
  const run = await presentStoredRun(services, row, stored);
  return run.status === "completed" ? { ...run, output: await fillDocuments(services, row.id, run.output) } : run;
}

/** A single run; documents of its output are references. */
export async function presentStoredRun(services: Services, row: RunRow, stored?: StoredDetails): Promise<PresentedRun> {
  const { runs } = services.store;
  const [[details], input, options] = await Promise.all([
    detailsOf(services, [row], stored),
    runs.input(row),
    runs.options(row),
  ]);
  return presentRow(row, { ...details!, input, options });
}

/** Runs of one owner for a list; documents of outputs are references. */
export async function presentRunEntries(
  services: Services,
  rows: readonly RunEntryRow[],
): Promise<PresentedRunEntry[]> {
  const details = await detailsOf(services, rows);
  return rows.map((row, index) => presentEntry(row, details[index]!));
}

/** What is stored beside the rows of runs of one owner, in their order. */
async function detailsOf(
  { store }: Services,
  rows: readonly RunEntryRow[],
  stored?: StoredDetails,
): Promise<RunDetails[]> {
  const [first] = rows;
  if (!first) return [];
  const ids = rows.map((row) => row.id);
  const { stages, open, endpoints, trees } = stored ?? (await store.runDetails.ofRuns(first, ids));
  return rows.map((row) => {
    const webhook = endpoints.find(({ run_id }) => run_id === row.id);
    return {
      stages_done: stagesDone(
        row,
        stages.filter(({ run_id }) => run_id === row.id),
      ),
      asks_about: JSON.parse(row.asks_about) as string[],
      interactions: open
        .filter(({ run_id, parent_id }) => run_id === row.id || parent_id === row.id)
        .map(({ id }) => id),
      tree: trees.find(({ run_id }) => run_id === row.id) ?? null,
      webhook: webhook
        ? { id: webhook.id, url: webhook.url, events: JSON.parse(webhook.events), status: webhook.status }
        : null,
    };
  });
}

/** After a retry `from_stage`, that stage and all after it count only once they are completed in the new generation (law 2). */
function stagesDone(row: Pick<RunRow, "generations">, entered: readonly StageEntry[]): string[] {
  const reopened = JSON.parse(row.generations) as Record<string, number>;
  let newest = 1;
  const done = entered.filter(({ stage, generation, completed }) => {
    newest = Math.max(newest, reopened[stage] ?? 1);
    return completed && generation >= newest;
  });
  return done.map(({ stage }) => stage);
}

/** Where a run with these options may wait for a person. */
export const reviewsOf = (
  workflows: Services["workflows"],
  workflow: string,
  options: { reviews?: readonly string[] },
): string[] => [...new Set([...(workflows[workflow]?.asks?.(options) ?? []), ...(options.reviews ?? [])])];

/** The outages of which the run knows; none once it has ended. */
const failingProviders = ({ phase, outages }: RunEntryRow): ProviderOutage[] =>
  phase === "running" ? Object.values(parseOutages(outages)) : [];

/** Fields of a run that are not in its row. */
interface RunDetails {
  stages_done: string[];
  interactions: string[];
  asks_about: string[];
  webhook: PresentedRun["webhook"];
  /** Sums over its children; null: it has started none. */
  tree: RunTreeRow | null;
}

export function presentRow(
  row: RunRow,
  { input, options, ...details }: RunDetails & { input: unknown; options: unknown },
): PresentedRun {
  return {
    ...presentEntry(row, details),
    input: input as Record<string, unknown>,
    options: options as Record<string, unknown>,
  };
}

function presentEntry(
  row: RunEntryRow,
  { stages_done, interactions, asks_about, webhook, tree }: RunDetails,
): PresentedRunEntry {
  return {
    object: "run",
    id: row.id,
    workflow: row.workflow,
    workflow_version: row.workflow_version,
    mode: row.mode,
    ...stateOf(row),
    stage: row.stage,
    ...aboutOf(row),
    models: parseModels(row.models),
    limits: parseLimits(row.limits),
    asks_about,
    metadata: JSON.parse(row.metadata),
    webhook,
    test: row.test === null ? null : JSON.parse(row.test),
    interactions,
    failing_providers: failingProviders(row),
    usage: tree ? addUsage(usageOf(row), usageOf(tree)) : usageOf(row),
    parent_id: row.parent_id,
    children: tree && presentTree(tree),
    progress: { stages_done, steps_done: row.steps_done },
    created_at: toTime(row.created_at),
    started_at: toTimeOrNull(row.started_at),
    updated_at: toTime(row.updated_at),
  };
}

function stateOf({ status, output, error, finished_at }: RunEntryRow): RunState {
  switch (status) {
    case "completed":
      return { status, output: JSON.parse(output!), error: null, finished_at: toTime(finished_at!) };
    case "failed":
      return { status, output: null, error: JSON.parse(error!), finished_at: toTime(finished_at!) };
    case "canceled":
      return { status, output: null, error: null, finished_at: toTime(finished_at!) };
    default:
      return { status, output: null, error: null, finished_at: null };
  }
}

const presentTree = (tree: RunTreeRow): NonNullable<PresentedRun["children"]> => {
  const { total, waiting, input_required, completed, failed, canceled } = tree;
  const running = total - waiting - completed - failed - canceled;
  return { total, queued: waiting, running, input_required, completed, failed, canceled, usage: usageOf(tree) };
};
