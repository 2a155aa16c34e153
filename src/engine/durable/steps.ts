import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { StaleEpochError, SuspendSignal } from "../instance/signals";
import { notify } from "../instance/instance";
import { type Made, type Maker, newArtifact, toArtifact } from "./artifacts";
import { parallel } from "./parallel";
import type { StageExecution } from "./stage-execution";
import { orUnavailable } from "./outages";
import { newId } from "#core/ids";
import { StorageUnavailableError } from "#core/unavailable";
import type { NewArtifact } from "#store/artifacts";
import type { ArtifactRow } from "#store/rows";
import type { StepOptions } from "#workflow-kit/run";

/** The steps of a stage: each has a stable name and, once it is done, one artifact (law 2). */

/** Contents that are read at the same time. */
const READ_BATCH = 8;

/** The stable name of a step: `stage/action#key`. */
export const stepName = (
  { key: { stage, iteration: ofStage } }: StageExecution,
  action: string,
  { key, iteration }: Pick<StepOptions, "key" | "iteration"> = {},
): string => `${stage}/${action}#${key ?? iteration ?? ofStage}`;

/**
 * Returns the stored artifact of a step, or commits what `make` returns (law 2). The caller waits for the commit of a step that called a model or
 * that a program called; other steps cost nothing to repeat, so the caller continues during their commit. D1 stores no artifact before its
 * inputs, and enters the next stage after all commits of this one.
 * @throws StaleEpochError when the run is not this instance's any more
 */
export async function commitOnce<T>(
  stage: StageExecution,
  name: string,
  by: Maker,
  options: StepOptions,
  make: () => Made | Promise<Made>,
): Promise<Artifact<T>> {
  const stored = stage.artifacts.get(name);
  if (stored) return restore<T>(stage, stored);
  const send_to = by.send_to ?? addresseesOf(stage, by.kind);
  try {
    const artifact =
      stage.memory.takeUncommitted({ step: name, generation: stage.key.generation }) ??
      newArtifact(stage.key, name, { by: { ...by, send_to }, options, made: await make() });
    const committed = commit<T>(stage, artifact);
    if (isAwaited(artifact)) return await committed;
    stage.writes.track(committed.then(({ id }) => assertOurs(artifact, id)));
    return toArtifact<T>(artifact);
  } finally {
    stage.reservations.release(name);
  }
}

/**
 * As `commitOnce`, for what nothing in the run reads: it is made and committed while the run continues, before the stage counts as completed.
 * @returns the artifact's reference
 */
export function commitLater(
  stage: StageExecution,
  name: string,
  by: Maker,
  options: StepOptions,
  make: () => unknown,
): DocumentReference {
  const stored = stage.artifacts.get(name);
  if (stored) return { artifact_id: stored.id, kind: stored.kind };
  const kept = stage.memory.takeUncommitted({ step: name, generation: stage.key.generation });
  const id = kept?.id ?? newId("art");
  const send_to = addresseesOf(stage, by.kind);
  const newly = () => newArtifact(stage.key, name, { by: { ...by, send_to }, options, made: { content: make() } });
  stage.writes.defer(async () => {
    const artifact = kept ?? { ...newly(), id };
    assertOurs(artifact, (await commit(stage, artifact)).id);
  });
  return { artifact_id: id, kind: by.kind };
}

/** The artifacts of these references, in their order. */
export async function readArtifacts<T>(
  stage: StageExecution,
  references: readonly DocumentReference[],
): Promise<Artifact<T>[]> {
  stage.assertMayContinue();
  await stage.writes.drain(); // one of them may not be stored yet
  const ids = references.map(({ artifact_id }) => artifact_id);
  const rows = await stage.instance.deps.store.artifacts.getMany(stage.instance.run_id, ids);
  const rowById = new Map(rows.map((row) => [row.id, row]));
  return parallel(
    ids,
    (id) => {
      const row = rowById.get(id);
      if (!row) throw new StaleEpochError();
      return restore<T>(stage, row);
    },
    READ_BATCH,
  );
}

function addresseesOf({ instance: { workflow } }: StageExecution, kind: string): readonly string[] {
  const definition = workflow.kinds[kind];
  if (!definition) throw new Error(`The workflow declares no kind of artifacts "${kind}"`);
  return definition.send_to;
}

async function commit<T>(stage: StageExecution, artifact: NewArtifact): Promise<Artifact<T>> {
  stage.countStep();
  const commitment = await stage.writes.commit(artifact, isAwaited(artifact)).catch((error: unknown) => {
    if (isOutage(error)) stage.memory.keepUncommitted(artifact);
    throw error;
  });
  // A later stage may have paid for calls by now: what it waits for does not give up sooner than its own commits do.
  if (!commitment) return orUnavailable(() => storedInstead<T>(stage, artifact), stage.instance.deps.clock);
  stage.observe(commitment);
  notify(stage.instance, stage.followed, "run.artifact_created", "run.started");
  return toArtifact<T>(artifact, commitment.completed_seq);
}

/** After a refused commit: the step has an artifact already (the answer to a commit was lost), or the run is not ours any more. */
async function storedInstead<T>(stage: StageExecution, { step, generation }: NewArtifact): Promise<Artifact<T>> {
  const { run_id, epoch, deps } = stage.instance;
  const { artifacts, instances } = deps.store;
  const [row, run] = await Promise.all([artifacts.ofStep(run_id, step, generation), instances.getOwned(run_id, epoch)]);
  if (!run) throw new StaleEpochError();
  if (!row) throw new Error(`The inputs of ${step} are not stored.`);
  return restore<T>(stage, row);
}

async function restore<T>({ instance }: StageExecution, row: ArtifactRow): Promise<Artifact<T>> {
  const content = await instance.deps.store.artifacts.content(row);
  return toArtifact<T>({ ...row, send_to: JSON.parse(row.send_to), content }, row.completed_seq);
}

/** Whether the step's caller waits for its commit. */
const isAwaited = ({ usage, outcome }: NewArtifact): boolean => usage.llm_calls > 0 || outcome !== null;

/** Storage was away for too long for one segment: the writes of this stage, or those of the one before (SuspendSignal), were given up. */
const isOutage = (error: unknown): boolean =>
  error instanceof StorageUnavailableError || error instanceof SuspendSignal;

/** Later steps used our artifact, but another attempt at the stage stored a different one: the next attempt starts from that. */
function assertOurs({ id, step }: NewArtifact, stored: string): void {
  if (id !== stored) throw new Error(`Another attempt has committed ${step} meanwhile.`);
}
