import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { Superseded } from "../instance/control";
import { type Instance, notify } from "../instance/instance";
import { fromNew, fromRow, type Maker, newArtifact } from "./artifacts";
import { parallel } from "./parallel";
import type { StageVisit } from "./stage-visit";
import type { Stages } from "./stages";
import type { NewArtifact } from "#store/artifacts";
import type { ArtifactRow } from "#store/rows";
import type { ActOptions } from "#workflow-kit/run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";

/** Contents that are read at once. */
const READ_AT_ONCE = 8;

/** The acts of a run: each has a stable name and, once it is done, one artifact (law 2). Only inside a stage. */
export class Acts {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
    private readonly kinds: WorkflowDefinition["kinds"],
  ) {}

  name(action: string, { key, iteration }: Pick<ActOptions, "key" | "iteration">): string {
    const { currentVisit } = this.stages;
    return `${currentVisit.key.stage}/${action}#${key ?? iteration ?? currentVisit.key.iteration}`;
  }

  /** The row of what an act has made without a model; what a call used is laid over it. */
  describe(act: string, by: Maker, content: unknown, options: ActOptions, mediaType?: string): NewArtifact {
    const kind = this.kinds[by.kind];
    if (!kind) throw new Error(`The workflow declares no kind of artifacts "${by.kind}"`);
    return newArtifact(
      this.stages.currentVisit.key,
      act,
      { send_to: kind.send_to, ...by },
      content,
      options,
      mediaType,
    );
  }

  /**
   * The stored artifact of an act, or the one that `make` makes, committed once (law 2). What follows waits for the commit of what a model
   * was asked for; it begins during that of what can be made again for nothing. Nothing is stored without what it was made from, and the
   * stage does not end before all is.
   */
  async memoised<T>(act: string, make: (act: string) => Promise<NewArtifact>): Promise<Artifact<T>> {
    const { currentVisit } = this.stages;
    const stored = currentVisit.artifacts.get(act);
    if (stored) return this.restore<T>(stored);
    const artifact = await make(act);
    const committed = this.commit<T>(currentVisit, artifact);
    if (artifact.usage.llm_calls > 0 || artifact.outcome !== null) return committed;
    currentVisit.follow(committed.then(({ id }) => assertOurs(artifact, id)));
    return fromNew<T>(artifact);
  }

  private async commit<T>(here: StageVisit, artifact: NewArtifact): Promise<Artifact<T>> {
    const commitment = await here.commits.add(artifact);
    if (!commitment) return this.otherwiseStored<T>(artifact);
    here.observe(commitment);
    notify(this.instance, "run.artifact_created", "run.started");
    return fromNew<T>(artifact, commitment.completed_seq);
  }

  /** Artifacts that a stage before has handed on as references, in their order. */
  async read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    this.stages.currentVisit.assertMayGoOn();
    const ids = references.map(({ artifact_id }) => artifact_id);
    const rows = await this.instance.deps.store.artifacts.getMany(this.instance.run_id, ids);
    const found = new Map(rows.map((row) => [row.id, row]));
    return parallel(
      ids,
      (id) => {
        const row = found.get(id);
        if (!row) throw new Superseded();
        return this.restore<T>(row);
      },
      READ_AT_ONCE,
    );
  }

  /** A refused commit: the act has its artifact already (a commit whose answer was lost), or the run is no longer ours. */
  private async otherwiseStored<T>({ act, generation }: NewArtifact): Promise<Artifact<T>> {
    const { run_id, epoch, deps } = this.instance;
    const { artifacts, instances } = deps.store;
    const [row, run] = await Promise.all([artifacts.ofAct(run_id, act, generation), instances.getOwned(run_id, epoch)]);
    if (!run) throw new Superseded();
    if (!row) throw new Error(`What ${act} was made from is not stored.`);
    return this.restore<T>(row);
  }

  private async restore<T>(row: ArtifactRow): Promise<Artifact<T>> {
    return fromRow<T>(row, await this.instance.deps.store.artifacts.content(row));
  }
}

/** What follows was made from an artifact that another attempt at the stage has stored otherwise: the next attempt finds that one. */
function assertOurs({ id, act }: NewArtifact, stored: string): void {
  if (id !== stored) throw new Error(`${act} was committed by another attempt meanwhile.`);
}
