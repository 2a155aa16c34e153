import type { Acts } from "../durable/acts";
import { orUnavailable } from "../durable/outages";
import type { Stages } from "../durable/stages";
import { Failed, failRun, Superseded, Suspend } from "../instance/control";
import type { Instance } from "../instance/instance";
import { ownerOf } from "../instance/spec";
import { chunksOf } from "#core/chunks";
import type { ProblemObject } from "#core/errors";
import type { ChildGroup } from "#store/children";
import type { Artifact } from "#workflow-kit/artifact";
import type { ChildEnd, ChildOutcome, ChildrenRequest } from "#workflow-kit/children";

const ACT = { name: "start_children", kind: "child_runs", role: "engine" };

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

  /** What these children gave and used, in their order. */
  async outcomes(ids: readonly string[]): Promise<ChildOutcome[]> {
    const { run_id, deps } = this.instance;
    this.stages.currentVisit.assertMayGoOn();
    const pages = [];
    for (const page of chunksOf(ids, CHILDREN_AT_ONCE))
      pages.push(await orUnavailable(() => deps.store.children.outcomes(run_id, page), deps.clock));
    return pages.flat().map(({ id, key, output, active_ms, ...usage }) => ({
      key,
      run_id: id,
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
    if (await orUnavailable(() => deps.store.children.retryFailed(group, retries + 1), deps.clock))
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
