import type { Artifact, DocumentReference } from "./artifact";
import { Gone } from "./control";
import { type Instance, notify } from "./instance";
import { type ActOptions, fromNew, fromRow, type Maker, newArtifact } from "./making";
import { parallel } from "./parallel";
import type { Stages } from "./stages";
import { patiently } from "../patience";
import type { NewArtifact } from "../store/artifacts";
import type { ArtifactRow } from "../store/rows";

/** Contents that are read at once. */
const READ_AT_ONCE = 8;

/** The acts of a run: each has a stable name and, once it is done, one artifact (law 2). Only inside a stage. */
export class Acts {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
  ) {}

  name(action: string, { key, iteration }: Pick<ActOptions, "key" | "iteration">): string {
    const { here } = this.stages;
    return `${here.key.stage}/${action}#${key ?? iteration ?? here.key.iteration}`;
  }

  /** The row of what an act has made without a model; what a call used is laid over it. */
  describe(act: string, by: Maker, content: unknown, options: ActOptions, mediaType?: string): NewArtifact {
    return newArtifact(this.stages.here.key, act, by, content, options, mediaType);
  }

  /** The stored artifact of an act, or the one that `make` makes, committed once (law 2). */
  async memoised<T>(act: string, make: (act: string) => Promise<NewArtifact>): Promise<Artifact<T>> {
    const { here } = this.stages;
    const { run_id, epoch, spec, deps } = this.instance;
    const stored = here.artifacts.get(act);
    if (stored) return this.restore<T>(stored);
    const artifact = await make(act);
    await here.ready;
    const row = await patiently(() =>
      deps.store.artifacts.commit(
        { id: run_id, tenant: spec.tenant, epoch, code_version: deps.code_version },
        artifact,
      ),
    );
    if (!row) return this.otherwiseStored<T>(act);
    here.observe(row);
    notify(this.instance, "run.artifact_created", "run.started");
    return fromNew<T>(artifact, row);
  }

  /** Artifacts that a stage before has handed on as references, in their order. */
  async read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    this.stages.here.assertMayGoOn();
    const ids = references.map(({ artifact_id }) => artifact_id);
    const rows = await this.instance.deps.store.artifacts.getMany(this.instance.run_id, ids);
    const found = new Map(rows.map((row) => [row.id, row]));
    return parallel(
      ids,
      (id) => {
        const row = found.get(id);
        if (!row) throw new Gone();
        return this.restore<T>(row);
      },
      READ_AT_ONCE,
    );
  }

  /** A refused commit: the act has its artifact already (a commit whose answer was lost), or the run is no longer ours. */
  private async otherwiseStored<T>(act: string): Promise<Artifact<T>> {
    const { run_id, epoch, deps } = this.instance;
    const { artifacts, instances } = deps.store;
    const [row, run] = await Promise.all([
      artifacts.ofAct(run_id, act, this.stages.here.key.generation),
      instances.mine(run_id, epoch),
    ]);
    if (!row || !run) throw new Gone();
    return this.restore<T>(row);
  }

  private async restore<T>(row: ArtifactRow): Promise<Artifact<T>> {
    return fromRow<T>(row, await this.instance.deps.store.artifacts.content(row));
  }
}
