import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { Superseded, Suspend } from "../instance/control";
import { type Instance, notify } from "../instance/instance";
import { type Made, type Maker, newArtifact, toArtifact } from "./artifacts";
import type { InstanceMemory } from "./memory";
import { parallel } from "./parallel";
import type { StageVisit } from "./stage-visit";
import type { Stages } from "./stages";
import { orUnavailable } from "./outages";
import { GroupQueue } from "#core/group-queue";
import { newId } from "#core/ids";
import { Unavailable } from "#core/unavailable";
import type { Commitment, NewArtifact } from "#store/artifacts";
import type { ArtifactRow } from "#store/rows";
import type { ActOptions } from "#workflow-kit/run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/** Branches of a run that end together share a commit. A refused artifact has null. */
type CommitQueue = GroupQueue<NewArtifact, Commitment | null>;

/** Contents that are read at the same time. */
const READ_AT_ONCE = 8;

/** The acts of a run: each has a stable name and, once it is done, one artifact (law 2). Only inside a stage. */
export class Acts {
  /** A queue for each visit: a commit that hangs does not block the visits after it. */
  private readonly queues = new WeakMap<StageVisit, CommitQueue>();

  constructor(
    private readonly instance: Instance,
    private readonly memory: InstanceMemory,
    private readonly stages: Stages,
    private readonly kinds: WorkflowDefinition["kinds"],
  ) {}

  name(action: string, { key, iteration }: Pick<ActOptions, "key" | "iteration">): string {
    const { currentVisit } = this.stages;
    return `${currentVisit.key.stage}/${action}#${key ?? iteration ?? currentVisit.key.iteration}`;
  }

  /**
   * Returns the stored artifact of an act, or commits what `make` returns (law 2). The caller waits for the commit of an act that asked a
   * model or that a program called; other acts cost nothing to repeat, so the caller continues during their commit. D1 stores no artifact
   * before its inputs, and enters the next stage after all commits of this one. What code makes in one go shares a commit.
   * @throws Superseded when the run is not this instance's any more
   */
  async commitOnce<T>(
    act: string,
    by: Maker,
    options: ActOptions,
    make: () => Made | Promise<Made>,
  ): Promise<Artifact<T>> {
    const visit = this.stages.currentVisit;
    const stored = visit.artifacts.get(act);
    if (stored) return this.restore<T>(stored);
    const send_to = by.send_to ?? this.addresseesOf(by.kind);
    try {
      const artifact =
        this.memory.takeUncommitted({ act, generation: visit.key.generation }) ??
        newArtifact(visit.key, act, { by: { ...by, send_to }, options, made: await make() });
      const committed = this.commit<T>(visit, artifact);
      if (isAwaited(artifact)) return await committed;
      visit.follow(committed.then(({ id }) => assertOurs(artifact, id)));
      return toArtifact<T>(artifact);
    } finally {
      visit.reservations.release(act);
    }
  }

  /**
   * As `commitOnce`, for what nothing in the run reads: it is made and committed while the run goes on, before the stage counts as completed.
   * @returns the artifact's reference
   */
  commitLater(act: string, by: Maker, options: ActOptions, make: () => unknown): DocumentReference {
    const visit = this.stages.currentVisit;
    const stored = visit.artifacts.get(act);
    if (stored) return { artifact_id: stored.id, kind: stored.kind };
    const kept = this.memory.takeUncommitted({ act, generation: visit.key.generation });
    const id = kept?.id ?? newId("art");
    const send_to = this.addresseesOf(by.kind);
    const newly = () => newArtifact(visit.key, act, { by: { ...by, send_to }, options, made: { content: make() } });
    visit.putOff(async () => {
      const artifact = kept ?? { ...newly(), id };
      assertOurs(artifact, (await this.commit(visit, artifact)).id);
    });
    return { artifact_id: id, kind: by.kind };
  }

  private addresseesOf(kind: string): readonly string[] {
    const definition = this.kinds[kind];
    if (!definition) throw new Error(`The workflow declares no kind of artifacts "${kind}"`);
    return definition.send_to;
  }

  private async commit<T>(visit: StageVisit, artifact: NewArtifact): Promise<Artifact<T>> {
    visit.countAct();
    if (!isAwaited(artifact)) visit.beginSoon();
    const commitment = await this.queueOf(visit)
      .add(artifact, isAwaited(artifact) ? "now" : "wait")
      .catch((error: unknown) => {
        if (isOutage(error)) this.memory.keepUncommitted(artifact);
        throw error;
      });
    // A later stage may have paid for calls by now: what it waits for does not give up sooner than its own commits do.
    if (!commitment) return orUnavailable(() => this.otherwiseStored<T>(artifact), this.instance.deps.clock);
    visit.observe(commitment);
    notify(this.instance, visit.followed, "run.artifact_created", "run.started");
    return toArtifact<T>(artifact, commitment.completed_seq);
  }

  private queueOf(visit: StageVisit): CommitQueue {
    const known = this.queues.get(visit);
    if (known) return known;
    const { run_id: id, epoch, spec, deps } = this.instance;
    const run = { id, tenant: spec.tenant, epoch, code_version: deps.code_version };
    const queue = new GroupQueue<NewArtifact, Commitment | null>(async (artifacts) => {
      await visit.entered;
      return orUnavailable(() => deps.store.artifacts.commit(run, artifacts), deps.clock);
    });
    this.queues.set(visit, queue);
    visit.beforeWritten(() => queue.begin());
    return queue;
  }

  /** The artifacts of these references, in their order. */
  async read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    const visit = this.stages.currentVisit;
    visit.assertMayGoOn();
    await visit.written; // one of them may be about to be written
    const ids = references.map(({ artifact_id }) => artifact_id);
    const rows = await this.instance.deps.store.artifacts.getMany(this.instance.run_id, ids);
    const rowById = new Map(rows.map((row) => [row.id, row]));
    return parallel(
      ids,
      (id) => {
        const row = rowById.get(id);
        if (!row) throw new Superseded();
        return this.restore<T>(row);
      },
      READ_AT_ONCE,
    );
  }

  /** After a refused commit: the act has an artifact already (the answer to a commit was lost), or the run is not ours any more. */
  private async otherwiseStored<T>({ act, generation }: NewArtifact): Promise<Artifact<T>> {
    const { run_id, epoch, deps } = this.instance;
    const { artifacts, instances } = deps.store;
    const [row, run] = await Promise.all([artifacts.ofAct(run_id, act, generation), instances.getOwned(run_id, epoch)]);
    if (!run) throw new Superseded();
    if (!row) throw new Error(`The inputs of ${act} are not stored.`);
    return this.restore<T>(row);
  }

  private async restore<T>(row: ArtifactRow): Promise<Artifact<T>> {
    const content = await this.instance.deps.store.artifacts.content(row);
    return toArtifact<T>({ ...row, send_to: JSON.parse(row.send_to), content }, row.completed_seq);
  }
}

/** Whether the act's caller waits for its commit. */
const isAwaited = ({ usage, outcome }: NewArtifact): boolean => usage.llm_calls > 0 || outcome !== null;

/** Storage was away for too long for one step: the writes of this stage, or those of the one before (Suspend), were given up. */
const isOutage = (error: unknown): boolean => error instanceof Unavailable || error instanceof Suspend;

/** Later acts used our artifact, but another attempt at the stage stored a different one: the next attempt starts from that. */
function assertOurs({ id, act }: NewArtifact, stored: string): void {
  if (id !== stored) throw new Error(`Another attempt has committed ${act} meanwhile.`);
}
