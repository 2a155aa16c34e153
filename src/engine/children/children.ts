import { commitOnce, stepName } from "../durable/steps";
import type { StageExecution } from "../durable/stage-execution";
import { orUnavailable } from "../durable/outages";
import { parallel } from "../durable/parallel";
import type { Stages } from "../durable/stages";
import { RunFailedError, failRun, StaleEpochError, SuspendSignal } from "../instance/signals";
import type { Instance } from "../instance/instance";
import { ownerOf } from "../instance/spec";
import { chunksOf } from "#core/chunks";
import type { ProblemObject } from "#core/errors";
import type { ChildGroup, Parent } from "#store/children";
import type { ArtifactRow } from "#store/rows";
import type { ChildResult, ChildRuns, ChildrenRequest, ReusableRun } from "#workflow-kit/children";

const START = { name: "start_children", kind: "child_runs", role: "engine" };
const SEARCH = { name: "find_played", kind: "child_runs", role: "engine" };

/** Contents that are read at the same time. */
const READ_BATCH = 8;

/** Children that are stored or read at the same time. */
const CHILD_BATCH = 100;

/** Most children of one group: what was tried. */
const MAX_CHILDREN = 5000;

/** The runs that a run starts. Only inside a stage. */
export const createChildRuns = (stages: Stages): ChildRuns => ({
  /** @throws SuspendSignal, StaleEpochError, RunFailedError when a request is refused */
  async run(request) {
    const stage = stages.current;
    const name = stepName(stage, START.name, request);
    return commitOnce(stage, name, START, {}, async () => ({ content: await untilEnded(stage, name, request) }));
  },

  /** @throws StaleEpochError, RunFailedError when a request is refused */
  async findReusable({ key, children, request }) {
    const stage = stages.current;
    const { spec, deps } = stage.instance;
    return commitOnce(stage, stepName(stage, SEARCH.name, { key }), SEARCH, {}, async () => {
      await stage.writes.drain();
      const found: ReusableRun[] = [];
      for (const keys of chunksOf(children, CHILD_BATCH)) {
        await stage.heartbeat();
        const wanted = keys.map((name) => ({ key: name, request: request(name) }));
        const page = orUnavailable(() => deps.children.findReusable(ownerOf(spec), wanted), deps.clock);
        found.push(...(await page.catch(failRun)));
      }
      return { content: found };
    });
  },

  async contents(documents) {
    stages.current.assertMayContinue();
    const { store, clock } = stages.instance.deps;
    const rows = new Map<string, ArtifactRow>();
    for (const page of chunksOf(documents, CHILD_BATCH)) {
      const found = await orUnavailable(() => store.children.artifacts(readerOf(stages.instance), page), clock);
      for (const row of found) rows.set(row.id, row);
    }
    return parallel(
      documents,
      async ({ run_id, artifact_id }) => {
        const row = rows.get(artifact_id);
        if (!row || row.run_id !== run_id) return undefined;
        const text = await orUnavailable(() => store.artifacts.content(row), clock);
        return row.media_type === "application/json" ? JSON.parse(text) : text;
      },
      READ_BATCH,
    );
  },

  async outcomes(ids) {
    stages.current.assertMayContinue();
    const { store, clock } = stages.instance.deps;
    const pages = [];
    for (const page of chunksOf(ids, CHILD_BATCH))
      pages.push(await orUnavailable(() => store.children.outcomes(readerOf(stages.instance), page), clock));
    return pages.flat().map(({ id, key, workflow_version, output, active_ms, ...usage }) => ({
      key,
      run_id: id,
      workflow_version,
      output: output === null ? null : JSON.parse(output),
      usage,
      seconds: active_ms / 1000,
    }));
  },
});

/** The run, as a reader of what its children made. */
const readerOf = ({ spec, run_id }: Instance): Parent => ({ ...ownerOf(spec), run_id });

/** Starts a group of children, and suspends the run until all have ended: the instance waits for one event, whatever their number. */
async function untilEnded(
  stage: StageExecution,
  name: string,
  { children, retries = 0, ...request }: ChildrenRequest,
): Promise<ChildResult[]> {
  const { run_id, epoch, deps } = stage.instance;
  if (children.length > MAX_CHILDREN)
    throw new RunFailedError(
      "too_many_children",
      `The run would start ${children.length} runs; it may start ${MAX_CHILDREN}.`,
    );
  await stage.writes.drain();
  stage.assertMayContinue();
  const group: ChildGroup = { run_id, epoch, name: `${name}@${stage.key.generation}` };
  const { stored } = await orUnavailable(() => deps.store.children.progress(group), deps.clock);
  if (stored < children.length) await startMissing(stage, group, { ...request, children });
  await waitForAll(stage, group);
  // From here on all have ended, or the run is not ours any more.
  if (await orUnavailable(() => deps.store.children.retryFailed(group, retries), deps.clock))
    await waitForAll(stage, group);
  const ended = await orUnavailable(() => deps.store.children.ended(group), deps.clock);
  if (ended.length < children.length) throw new StaleEpochError();
  const byKey = new Map(ended.map((child) => [child.key, child]));
  return children.map((key) => {
    const { id, phase, error } = byKey.get(key)!;
    const problem = error === null ? null : (JSON.parse(error) as ProblemObject);
    return {
      key,
      run_id: id,
      status: phase as ChildResult["status"],
      error: problem && { code: problem.code, detail: problem.detail },
    };
  });
}

/** Lends the run's slot and suspends the run while any child of the group has not ended. @throws SuspendSignal */
async function waitForAll({ instance: { spec, deps } }: StageExecution, group: ChildGroup): Promise<void> {
  const wait = await orUnavailable(() => deps.store.children.await(group), deps.clock);
  if (wait === null) return;
  await deps.startNext(spec.tenant);
  throw new SuspendSignal({ why: "waiting", interactions: [], children: wait });
}

async function startMissing(
  stage: StageExecution,
  group: ChildGroup,
  { children, request, concurrency }: Omit<ChildrenRequest, "key" | "retries">,
): Promise<void> {
  const { spec, deps } = stage.instance;
  const stored = await orUnavailable(() => deps.store.children.keys(group), deps.clock);
  const missing = children.filter((key) => !stored.has(key));
  for (const keys of chunksOf(missing, CHILD_BATCH)) {
    await stage.heartbeat();
    const requests = keys.map((key) => ({ key, request: request(key) }));
    const of = { owner: ownerOf(spec), slots: concurrency };
    await orUnavailable(() => deps.children.create(group, of, requests), deps.clock).catch(failRun);
  }
}
