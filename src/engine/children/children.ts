import type { Acts } from "../durable/acts";
import { orUnavailable } from "../durable/outages";
import { parallel } from "../durable/parallel";
import type { Stages } from "../durable/stages";
import { Failed, failRun, Superseded, Suspend } from "../instance/control";
import type { Instance } from "../instance/instance";
import { ownerOf } from "../instance/spec";
import { chunksOf } from "#core/chunks";
import type { ProblemObject } from "#core/errors";
import type { ChildGroup, Parent } from "#store/children";
import type { ArtifactRow } from "#store/rows";
import type { Artifact } from "#workflow-kit/artifact";
import type { ChildDocument, ChildEnd, ChildOutcome, ChildrenRequest, PlayedRun } from "#workflow-kit/children";

const ACT = { name: "start_children", kind: "child_runs", role: "engine" };
const SEARCH = { name: "find_played", kind: "child_runs", role: "engine" };

/** Contents that are read at the same time. */
const READ_AT_ONCE = 8;

/** Children that are stored or read at the same time. */
const CHILDREN_AT_ONCE = 100;

/** Most children of one group: what was tried. */
const MOST_CHILDREN = 5000;

/** The runs that a run starts. Only inside a stage. */
export class Children {
  constructor(
    private readonly instance: Instance,
    private readonly stages: Stages,
    private readonly acts: Acts,
  ) {}

  /**
   * Starts a group of children, and leaves the stage until all have ended: the instance waits for one event, whatever their number. How they
   * ended is one artifact. @throws Suspend, Superseded, Failed when a request is refused
   */
  async run(request: ChildrenRequest): Promise<Artifact<ChildEnd[]>> {
    const act = this.acts.name(ACT.name, { key: request.key });
    return this.acts.commitOnce(act, ACT, {}, async () => ({ content: await this.untilEnded(act, request) }));
  }

  /**
   * Completed children of the owner's earlier runs that are equal to children which this run would start, as one artifact.
   * @throws Superseded, Failed when a request is refused
   */
  async playedBefore({
    key,
    children,
    request,
  }: Pick<ChildrenRequest, "key" | "children" | "request">): Promise<Artifact<PlayedRun[]>> {
    const { spec, deps } = this.instance;
    return this.acts.commitOnce(this.acts.name(SEARCH.name, { key }), SEARCH, {}, async () => {
      await this.stages.currentVisit.written;
      const found: PlayedRun[] = [];
      for (const keys of chunksOf(children, CHILDREN_AT_ONCE)) {
        await this.stages.currentVisit.heartbeat();
        const wanted = keys.map((name) => ({ key: name, request: request(name) }));
        const page = orUnavailable(() => deps.children.findPlayed(ownerOf(spec), wanted), deps.clock);
        found.push(...(await page.catch(failRun)));
      }
      return { content: found };
    });
  }

  /** Contents of artifacts of children, or of runs that stand for them, in the order of the references; undefined: removed meanwhile. */
  async contents(documents: readonly ChildDocument[]): Promise<unknown[]> {
    const { deps } = this.instance;
    this.stages.currentVisit.assertMayGoOn();
    const rows = new Map<string, ArtifactRow>();
    for (const page of chunksOf(documents, CHILDREN_AT_ONCE)) {
      const found = await orUnavailable(() => deps.store.children.artifacts(this.reader, page), deps.clock);
      for (const row of found) rows.set(row.id, row);
    }
    return parallel(
      documents,
      async ({ run_id, artifact_id }) => {
        const row = rows.get(artifact_id);
        if (!row || row.run_id !== run_id) return undefined;
        const text = await orUnavailable(() => deps.store.artifacts.content(row), deps.clock);
        return row.media_type === "application/json" ? JSON.parse(text) : text;
      },
      READ_AT_ONCE,
    );
  }

  /** The run, as a reader of what its children made. */
  private get reader(): Parent {
    return { ...ownerOf(this.instance.spec), run_id: this.instance.run_id };
  }

  /** Outputs and usage of these children, or of the reused runs in their place, in their order; removed ones are left out. */
  async outcomes(ids: readonly string[]): Promise<ChildOutcome[]> {
    const { deps } = this.instance;
    this.stages.currentVisit.assertMayGoOn();
    const pages = [];
    for (const page of chunksOf(ids, CHILDREN_AT_ONCE))
      pages.push(await orUnavailable(() => deps.store.children.outcomes(this.reader, page), deps.clock));
    return pages.flat().map(({ id, key, workflow_version, output, active_ms, ...usage }) => ({
      key,
      run_id: id,
      workflow_version,
      output: output === null ? null : JSON.parse(output),
      usage,
      seconds: active_ms / 1000,
    }));
  }

  private async untilEnded(act: string, { children, retries = 0, ...request }: ChildrenRequest): Promise<ChildEnd[]> {
    const { run_id, epoch, deps } = this.instance;
    const visit = this.stages.currentVisit;
    if (children.length > MOST_CHILDREN)
      throw new Failed(
        "too_many_children",
        `The run would start ${children.length} runs; it may start ${MOST_CHILDREN}.`,
      );
    await visit.written;
    visit.assertMayGoOn();
    const group: ChildGroup = { run_id, epoch, name: `${act}@${visit.key.generation}` };
    const { stored } = await orUnavailable(() => deps.store.children.progress(group), deps.clock);
    if (stored < children.length) await this.startMissing(group, { ...request, children });
    await this.waitForAll(group);
    // From here on all have ended, or the run is not ours any more.
    if (await orUnavailable(() => deps.store.children.retryFailed(group, retries), deps.clock))
      await this.waitForAll(group);
    const ended = await orUnavailable(() => deps.store.children.ended(group), deps.clock);
    if (ended.length < children.length) throw new Superseded();
    const byKey = new Map(ended.map((child) => [child.key, child]));
    return children.map((key) => {
      const { id, phase, error } = byKey.get(key)!;
      const problem = error === null ? null : (JSON.parse(error) as ProblemObject);
      return {
        key,
        run_id: id,
        status: phase as ChildEnd["status"],
        error: problem && { code: problem.code, detail: problem.detail },
      };
    });
  }

  /** Lends the run's slot and leaves the stage while any child of the group has not ended. @throws Suspend */
  private async waitForAll(group: ChildGroup): Promise<void> {
    const { spec, deps } = this.instance;
    const wait = await orUnavailable(() => deps.store.children.await(group), deps.clock);
    if (wait === null) return;
    await deps.startNext(spec.tenant);
    throw new Suspend({ why: "waiting", interactions: [], children: wait });
  }

  private async startMissing(
    group: ChildGroup,
    { children, request, concurrency }: Omit<ChildrenRequest, "key" | "retries">,
  ): Promise<void> {
    const { spec, deps } = this.instance;
    const stored = await orUnavailable(() => deps.store.children.keys(group), deps.clock);
    for (const keys of chunksOf(
      children.filter((key) => !stored.has(key)),
      CHILDREN_AT_ONCE,
    )) {
      await this.stages.currentVisit.heartbeat();
      const requests = keys.map((key) => ({ key, request: request(key) }));
      const of = { owner: ownerOf(spec), slots: concurrency };
      await orUnavailable(() => deps.children.create(group, of, requests), deps.clock).catch(failRun);
    }
  }
}
