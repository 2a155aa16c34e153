import type { WorkflowStep } from "cloudflare:workers";
import type { Action, Feedback } from "./action";
import {
  type ActOptions,
  fromNew,
  fromRow,
  HUMAN_ACTION,
  type Maker,
  newArtifact,
  provenanceOf,
  type RecordEntry,
} from "./making";
import type { AgentProfile, Agents } from "./agents";
import type { Artifact, DocumentReference } from "./artifact";
import { Failed, Gone, Rejected, Suspend } from "./control";
import {
  type AgentCall,
  type AgentResult,
  type Assigned,
  callAct,
  type ExecutionLog,
  type ExecutionRequest,
  runExecution,
  type RunProgram,
  seedOf,
} from "./execution";
import { type CallContext, callEncoder, callModel, type CallRequest, underItsRules } from "./model-call";
import { durationMs } from "./options";
import { faultsOf } from "./output-format";
import { parallel } from "./parallel";
import {
  type Clarification,
  type ClarificationReply,
  clarificationSchema,
  type Consultation,
  type ConsultationReply,
  consultationSchema,
  type FeedbackAnswer,
  feedbackSchema,
} from "./questions";
import { isReusable, Segment } from "./segment";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "./retrieval";
import type { RunSpec } from "./spec";
import { type EmbeddedTexts, type PackedVectors, packVectors, unpackVectors } from "./vectors";
import { onPlatform, Waits } from "./waits";
import { newId } from "../ids";
import { log } from "../log";
import { patiently } from "../patience";
import type { ProviderGates } from "../provider-gates/await-turn";
import { type Llm, MOST_TEXTS, REHEARSAL } from "../llm";
import type { ArtifactRow, InteractionRow } from "../store/rows";
import type { StageKey } from "../store/runs";
import type { PaperSource, Retrieval } from "../retrieval/types";
import type { Store } from "../store/store";
import type { NewArtifact } from "../store/artifacts";
import type { NewInteraction } from "../store/interactions";
import { type ErrorCode, Problem } from "../errors";
import type { EventType } from "../vocabulary";

/** A step's result larger than this is refused: the platform stores at most 1 MiB (law 3). Bytes. */
const LARGEST_RESULT = 900_000;
const STAGE_ATTEMPTS = 5;
const STAGE_STEP = {
  retries: { limit: STAGE_ATTEMPTS - 1, delay: 1000, backoff: "exponential" },
  timeout: "30 minutes",
} as const;

const PROFILES = { action: "read_registry", kind: "agent_profiles", role: "registry" };
const ENCODING = { action: "embed", kind: "embeddings", role: "encoder" };
const EVIDENCE = { action: "index_evidence", kind: "evidence", role: "retriever" };
const AUTHORITIES = { action: "retrieve", kind: "authorities", role: "retriever" };
const PAPERS = { action: "search_papers", kind: "paper_search", role: "librarian" };
/** A program may call an agent by any text. Characters. */
const LONGEST_SUBJECT = 100;
const EXECUTION = { action: "execute_program", kind: "execution_log", role: "sandbox" };

export interface RunDependencies {
  store: Store;
  llm: Llm;
  llm_timeout_ms: number;
  gates: ProviderGates;
  agents: Agents;
  runProgram: RunProgram;
  retrieval: Retrieval;
  papers: PaperSource;
  /** Starts those runs of a tenant whose turn it is, after one has ended or has begun to wait. May be lost: the keeper looks too. */
  startNext(tenant: string): Promise<void>;
  /** Tells the senders of webhook endpoints that something is due. May be lost: the keeper looks too. */
  deliver(endpoints: string[]): void;
}

export type { ActOptions, RecordEntry } from "./making";

export interface RetrievalRequest {
  query: string;
  limit: number;
  corpus_ids: readonly string[];
  /** Passages that are known already. */
  exclude?: readonly string[];
}

/** How a stage's step ended, as data: class identity does not survive the way out of a step. */
type StageOutcome<T> =
  | { is: "done"; value: T; pause: number; calls: number }
  | { is: "suspended"; suspension: Suspend["suspension"]; calls: number; attempts: Record<string, number> }
  | { is: "rejected"; artifact: Artifact }
  | { is: "failed"; code: ErrorCode; detail: string }
  | { is: "gone" };

/** What a workflow is written in. One instance of it lives through one epoch of a run. */
export class Run {
  private readonly entered: string[] = [];
  private readonly waits: Waits;
  /** Attempts that acts have used up, kept over suspensions: a provider that asks to wait again and again is given up on. */
  private attempts: Record<string, number> = {};
  private segment: Segment | null = null;
  private stageToLeave: StageKey | null = null;
  private pause: number;
  private calls = 0;

  /**
   * @param fresh true while this object has seen the run from its very beginning: then a stage entered for the first time cannot
   *   have stored anything, and is not looked up
   */
  constructor(
    readonly id: string,
    private readonly epoch: number,
    private readonly step: WorkflowStep,
    private readonly spec: RunSpec,
    private readonly fresh: boolean,
    private readonly deps: RunDependencies,
  ) {
    this.pause = spec.pause;
    this.waits = new Waits(step);
  }

  /**
   * A named phase: one Workflow step, entered again over what D1 holds after a crash, a pause or a wait for a person. What later
   * stages need is returned, never assigned: when the step's result is known, `fn` does not run.
   */
  async stage<T>(name: string, fn: () => Promise<T>, options: { iteration?: number } = {}): Promise<T> {
    const iteration = options.iteration ?? 1;
    const key = this.enter(name, iteration);
    const stepName = iteration === 1 ? name : `${name}#${iteration}`;
    for (let entry = 1; ; entry++) {
      if (this.pause) await this.waits.until(`resume_${this.pause}`).then(() => (this.pause = 0));
      const outcome = (await onPlatform(
        (this.step.do as any)(
          entry === 1 ? stepName : `${stepName}~${entry}`,
          STAGE_STEP,
          ({ attempt }: { attempt: number }) =>
            this.stay(key, fn, {
              remember: !this.fresh || this.epoch > 1 || entry > 1 || attempt > 1,
              lastAttempt: attempt >= STAGE_ATTEMPTS,
            }),
        ),
      )) as StageOutcome<T>;
      switch (outcome.is) {
        case "done":
          this.pause = outcome.pause;
          this.calls = outcome.calls;
          this.stageToLeave = key;
          return outcome.value;
        case "suspended":
          this.calls = outcome.calls;
          this.attempts = outcome.attempts;
          await this.sitOut(outcome.suspension, `${stepName}~${entry}`);
          break;
        case "rejected":
          this.stageToLeave = key;
          throw new Rejected(outcome.artifact);
        case "failed":
          throw new Failed(outcome.code, outcome.detail);
        case "gone":
          throw new Gone();
      }
    }
  }

  /** One model call (and its bounded repair), one artifact, one event, one commit. Only inside a stage. */
  async act<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options: ActOptions = {},
  ): Promise<Artifact<Output>> {
    const first = await this.perform(action, input, this.name(action.name, options), options);
    if (!this.spec.options.checkpoints.includes(action.kind)) return first;
    return this.review(action, input, first, options);
  }

  /** An artifact that no model made: a person's words, a drawing. Only inside a stage. */
  async record<T>({ content, ...entry }: RecordEntry<T>): Promise<Artifact<T>> {
    return this.compute(entry, () => content);
  }

  /** Work that takes no model and is done once: `make` runs when the act has no artifact yet. Only inside a stage. */
  async compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>> {
    const { mediaType, action, kind, role } = entry;
    return this.memoised(
      this.name(action, { key: `${kind}.${entry.key ?? entry.iteration ?? this.here.key.iteration}` }),
      async (act) => this.describe(act, { action, kind, role }, await make(), entry, mediaType),
    );
  }

  /**
   * Artifacts that a stage before has handed on as references, in their order: what is too large for a step's result. Only inside a
   * stage.
   */
  async read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    this.here.assertMayGoOn();
    const ids = references.map(({ artifact_id }) => artifact_id);
    const rows = await this.deps.store.artifacts.getMany(this.id, ids);
    const found = new Map(rows.map((row) => [row.id, row]));
    return this.parallel(ids, (id) => this.restore<T>(found.get(id) ?? gone()));
  }

  /** The seed that the caller gave the run. */
  get seed(): number | null {
    return this.spec.models.seed;
  }

  /** `<provider>/<model>` that speaks for a role, or for one of several; `rehearsal` in test mode. */
  modelOf(role: string, member?: number): string {
    if (this.spec.mode === "test") return REHEARSAL;
    const { roles } = this.spec.models;
    return (roles[`${role}_${member}`] ?? roles[role])!.model;
  }

  /** `<provider>/<model>` that turns the run's texts into vectors; null: none does. */
  get embeddingModel(): string | null {
    return this.spec.models.embedding;
  }

  /**
   * Vectors of texts, in their order and of unit length: an act for every hundred of them, kept as an artifact. Only inside a stage.
   * @param texts none of them empty
   * @returns null when no embedding model is configured
   */
  async embed(
    texts: readonly string[],
    options: Pick<ActOptions, "iteration"> & { key: string },
  ): Promise<EmbeddedTexts | null> {
    const model = this.embeddingModel;
    if (model === null) return null;
    const batches = Array.from({ length: Math.ceil(texts.length / MOST_TEXTS) }, (_, at) =>
      texts.slice(at * MOST_TEXTS, (at + 1) * MOST_TEXTS),
    );
    const encoded = await this.parallel(batches, (batch, at) => this.encode(model, batch, `${options.key}.${at + 1}`));
    return {
      model: encoded[0]?.content.model ?? model,
      vectors: encoded.flatMap(({ content }) => unpackVectors(content)),
    };
  }

  /** Indexes texts for this run alone, so that `retrieve` finds them. Only inside a stage. */
  indexEvidence(
    evidence: readonly EvidenceText[],
    options: ActOptions & { key: string },
  ): Promise<Artifact<EvidenceIndex>> {
    const { tenant, mode } = this.spec;
    return this.memoised(this.name(EVIDENCE.action, options), async (act) => {
      const index = await this.deps.retrieval
        .indexEvidence({ tenant, mode, run_id: this.id }, act, evidence)
        .catch(failing);
      return this.describe(act, EVIDENCE, index, options);
    });
  }

  /** The passages of the run's evidence and of corpora that suit a query best, as they stand in their documents. Only inside a stage. */
  retrieve(
    { query, limit, corpus_ids, exclude = [] }: RetrievalRequest,
    options: ActOptions & { key: string },
  ): Promise<Artifact<Retrieved>> {
    const { tenant, mode } = this.spec;
    return this.memoised(this.name(AUTHORITIES.action, options), async (act) => {
      this.here.assertMayGoOn();
      const scope = { tenant, mode, run_id: this.id, corpus_ids, embedding_model: this.embeddingModel };
      const { value, ...used } = await underItsRules(this.callContext(), act, this.attempts, (asker) =>
        this.deps.retrieval.search(scope, { query, limit, exclude }, asker),
      );
      return { ...this.describe(act, AUTHORITIES, value, options), ...used };
    });
  }

  /** Asks the source of papers; that it fails is an answer too. Only inside a stage. */
  searchPapers(
    query: PaperQuery,
    limit: number,
    options: ActOptions & { key: string },
  ): Promise<Artifact<PaperSearch>> {
    return this.memoised(this.name(PAPERS.action, options), async (act) => {
      this.here.assertMayGoOn();
      return this.describe(act, PAPERS, await this.deps.papers.search(query, limit, this.spec.mode), options);
    });
  }

  /** Puts questions to a person, or asks what they think of artifacts, and waits for the answer or for its expiry. Only inside a stage. */
  async ask(question: Clarification): Promise<ClarificationReply>;
  async ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;
  async ask(question: Clarification | Consultation<unknown>): Promise<ClarificationReply | ConsultationReply<unknown>> {
    const { key, kind, prompt, artifacts } = question;
    const questions = kind === "clarification" ? question.questions : [];
    const answer_schema = kind === "clarification" ? clarificationSchema(questions) : consultationSchema(question);
    const row = await this.interact(`ask#${key}`, { kind, prompt, questions, answer_schema }, artifacts ?? []);
    if (row.status === "expired") return { status: "expired" };
    const by = { status: "answered", answered_by: row.answered_by } as const;
    const { comment = null, ...answer } = JSON.parse(row.answer!);
    if (kind === "clarification") return { ...by, answers: answer.answers, comment };
    const additions = question.additions.parse(answer.additions ?? {});
    return { ...by, decision: answer.decision, additions, comment };
  }

  /**
   * The worker agents that the run may use, read from the registry once: a replay meets the same. Only inside a stage.
   * @param ids null: all of the tenant's registry
   */
  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>> {
    return this.memoised(this.name(PROFILES.action, {}), async (act) => {
      // An agent may have been deleted since the run was created.
      const profiles = await this.deps.agents.load(this.spec.tenant, ids).catch(failing);
      return this.describe(act, PROFILES, profiles, {});
    });
  }

  /**
   * Runs a generated program in the sandbox, once: an execution that ended is an artifact. Each of its agent calls is an act. Only inside
   * a stage, which may be left in the middle of it: the program then runs again from its top over the outcomes that are stored.
   */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>> {
    const seed = seedOf(`${this.id}/${request.key}`);
    return this.memoised(this.name("execution", request), async (act) => {
      const perform = (call: AgentCall) => this.callAgent(act, request, call);
      const outcome = await runExecution(this.deps.runProgram, request, seed, perform);
      return this.describe(act, EXECUTION, outcome, request);
    });
  }

  /** Runs `fn` over items, at most `limit` at once; all that have begun settle before a failure is thrown. */
  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit = 8): Promise<R[]> {
    return parallel(items, fn, limit);
  }

  /** The stage that the run's end closes. */
  get lastStage(): StageKey | null {
    return this.stageToLeave;
  }

  // A stay in a stage

  private enter(stage: string, iteration: number): StageKey {
    this.entered.push(stage);
    const generation = Math.max(1, ...this.entered.map((name) => this.spec.generations[name] ?? 1));
    return { stage, iteration, generation };
  }

  private async stay<T>(
    key: StageKey,
    fn: () => Promise<T>,
    how: { remember: boolean; lastAttempt: boolean },
  ): Promise<StageOutcome<T>> {
    const entering = this.deps.store.runs.enterStage(this.id, this.epoch, this.stageToLeave, key, how.remember);
    const segment = new Segment(key, entering, this.spec.limits, this.calls);
    this.segment = segment;
    try {
      // On a first entry the stage's row is written while its first act already calls the model; its commit waits for it.
      if (how.remember) await segment.ready;
      this.notify("run.stage_started", "run.stage_completed");
      const value = await fn();
      await segment.ready;
      const size = new TextEncoder().encode(JSON.stringify(value) ?? "").length;
      if (size > LARGEST_RESULT) {
        throw new Failed(
          "result_too_large",
          `The stage ${key.stage} returned ${size} bytes; the platform keeps up to ${LARGEST_RESULT}.`,
        );
      }
      return { is: "done", value, pause: segment.pause, calls: segment.calls };
    } catch (error) {
      const { calls } = segment;
      if (error instanceof Suspend)
        return { is: "suspended", suspension: error.suspension, calls, attempts: this.attempts };
      if (error instanceof Rejected) return { is: "rejected", artifact: error.artifact };
      if (error instanceof Failed) return { is: "failed", code: error.code, detail: error.detail };
      if (error instanceof Gone) return { is: "gone" };
      log.error("stage failed unexpectedly", {
        run_id: this.id,
        tenant_id: this.spec.tenant,
        stage: key.stage,
        error,
      });
      if (!how.lastAttempt) throw error;
      return {
        is: "failed",
        code: "internal_error",
        detail: `The stage ${key.stage} failed for a reason of ours; retry goes on from its last finished act.`,
      };
    } finally {
      this.segment = null;
    }
  }

  private get here(): Segment {
    if (!this.segment) throw new Error("act, record and ask belong inside a stage");
    return this.segment;
  }

  private name(action: string, { key, iteration }: ActOptions): string {
    return `${this.here.key.stage}/${action}#${key ?? iteration ?? this.here.key.iteration}`;
  }

  // Acts

  private perform<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    act: string,
    options: ActOptions,
    feedback?: Feedback<Output>,
  ): Promise<Artifact<Output>> {
    return this.memoised(act, async () => {
      const iteration = options.iteration ?? this.here.key.iteration;
      const { value, provenance } = await this.askModel({
        action,
        input,
        act,
        iteration,
        member: options.member,
        seed: options.seed,
        feedback,
      });
      return { ...this.describe(act, action, value, { ...options, iteration }), ...provenance };
    });
  }

  private async askModel<Input, Output>(request: CallRequest<Input, Output>) {
    this.here.assertMayGoOn();
    const startedAt = Date.now();
    const result = await callModel(this.callContext(), request, this.attempts);
    return {
      value: result.answer.value,
      tool_calls: result.answer.tool_calls,
      provenance: provenanceOf(result, Date.now() - startedAt),
    };
  }

  private encode(model: string, texts: readonly string[], key: string): Promise<Artifact<PackedVectors>> {
    return this.memoised(this.name(ENCODING.action, { key }), async (act) => {
      this.here.assertMayGoOn();
      const startedAt = Date.now();
      const { vectors, ...encoding } = await callEncoder(this.callContext(), { model, texts, act }, this.attempts);
      const content = packVectors(encoding.model, vectors);
      return { ...this.describe(act, ENCODING, content, {}), ...encoding, duration_ms: Date.now() - startedAt };
    });
  }

  /** One call of a program: what comes of it is committed, a failure of the agent too, with its place in the order of outcomes. */
  private callAgent(execution: string, request: ExecutionRequest, call: AgentCall): Promise<Artifact<AgentResult>> {
    const assigned = request.assign(call);
    const { agent, task, input, line } = call;
    return this.memoised(callAct(execution, call), async (act) => {
      this.here.assertMayGoOn();
      const { ok, value, tool_calls, provenance } =
        "refused" in assigned
          ? { ok: false, value: assigned.refused, tool_calls: [], provenance: {} }
          : await this.workOf(assigned, act, request.iteration);
      const content: AgentResult = { agent, task, input, ok, value, line, tool_calls };
      const by = { name: "call_agent", kind: "agent_result", role: "agent" };
      const options = {
        subject: agent.slice(0, LONGEST_SUBJECT),
        iteration: request.iteration,
        inputs: request.inputs ?? [],
      };
      return { ...this.describe(act, by, content, options), ...provenance, outcome: { execution, ok } };
    });
  }

  /** An agent that refuses, gives nothing usable, or is given more than it can read, has failed; whatever else goes wrong is none of the program's business. */
  private async workOf(
    { agent, action, input, read }: Exclude<Assigned, { refused: string }>,
    act: string,
    iteration: number,
  ) {
    const { tenant, mode } = this.spec;
    const tools = await this.deps.agents.tools(agent, { tenant, mode });
    try {
      const answer = await this.askModel({ action, input, act, iteration, agent: { model: agent.model, tools } });
      return { ...read(answer.value), tool_calls: answer.tool_calls, provenance: answer.provenance };
    } catch (error) {
      if (!(error instanceof Failed) || !isOfAgent(error.code)) throw error;
      return {
        ok: false,
        value: `${agent.name} gave no usable answer. ${error.detail}`,
        tool_calls: [],
        provenance: {},
      };
    }
  }

  private callContext(): CallContext {
    const { here } = this;
    const { store, llm, llm_timeout_ms, gates } = this.deps;
    return {
      run_id: this.id,
      epoch: this.epoch,
      spec: this.spec,
      store,
      llm,
      gates,
      timeout_ms: llm_timeout_ms,
      nextCall: () => here.calls++,
      assertMayGoOn: async (quiet = 0) => {
        here.observe((await store.runs.clock(this.id, this.epoch, quiet)) ?? gone());
        here.assertMayGoOn();
      },
    };
  }

  /** The stored artifact of an act, or the one that `make` makes, committed once (law 2). */
  private async memoised<T>(act: string, make: (act: string) => Promise<NewArtifact>): Promise<Artifact<T>> {
    const { here } = this;
    const stored = here.artifacts.get(act);
    if (stored) return this.restore<T>(stored);
    const artifact = await make(act);
    await here.ready;
    const row = await patiently(() =>
      this.deps.store.artifacts.commit({ id: this.id, tenant: this.spec.tenant, epoch: this.epoch }, artifact),
    );
    if (!row) return this.otherwiseStored<T>(act);
    here.observe(row);
    this.notify("run.artifact_created", "run.started");
    return fromNew<T>(artifact, row);
  }

  /** A refused commit: the act has its artifact already (a commit whose answer was lost), or the run is no longer ours. */
  private async otherwiseStored<T>(act: string): Promise<Artifact<T>> {
    const { artifacts, runs } = this.deps.store;
    const [row, run] = await Promise.all([
      artifacts.ofAct(this.id, act, this.here.key.generation),
      runs.mine(this.id, this.epoch),
    ]);
    if (!row || !run) throw new Gone();
    return this.restore<T>(row);
  }

  private async restore<T>(row: ArtifactRow): Promise<Artifact<T>> {
    return fromRow<T>(row, await this.deps.store.artifacts.content(row));
  }

  private describe(act: string, by: Maker, content: unknown, options: ActOptions, mediaType?: string): NewArtifact {
    return newArtifact(this.here.key, act, by, content, options, mediaType);
  }

  // People

  /** A checkpoint: a person approves, edits, rejects, or has the action done again with a comment, as often as they like. */
  private async review<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    first: Artifact<Output>,
    options: ActOptions,
  ): Promise<Artifact<Output>> {
    let artifact = first;
    let wrong: string[] = [];
    for (let round = 1; ; round++) {
      const name = `${first.act.slice(this.here.key.stage.length + 1)}~review${round}`;
      const row = await this.interact(
        name,
        { kind: "feedback", prompt: reviewPrompt(action, wrong), questions: [], answer_schema: feedbackSchema(action) },
        [artifact],
      );
      if (row.status === "expired") return artifact;
      const { edited_content: edited, ...answer } = JSON.parse(row.answer!) as FeedbackAnswer;
      wrong = edited === undefined ? [] : faultsOf(action, input, edited);
      if (wrong.length) continue; // a person is asked again, and told what the edit lacks
      await this.humanArtifact(
        `${name}/feedback`,
        { kind: "human_feedback" },
        { ...answer, artifact_id: artifact.id },
        artifact,
        options,
      );
      if (edited !== undefined) {
        artifact = await this.humanArtifact(`${name}/edit`, action, edited as Output, artifact, options);
      }
      if (answer.decision === "approve") return artifact;
      if (answer.decision === "reject") throw new Rejected(artifact);
      const redo = { comment: answer.comment ?? "", previous: artifact.content };
      artifact = await this.perform(action, input, `${first.act}~revision${round}`, options, redo);
    }
  }

  private humanArtifact<T>(
    name: string,
    { kind, media_type }: { kind: string; media_type?: string },
    content: T,
    about: Artifact,
    options: ActOptions,
  ): Promise<Artifact<T>> {
    return this.memoised<T>(`${this.here.key.stage}/${name}`, async (act) =>
      this.describe(
        act,
        { action: HUMAN_ACTION, kind, role: "human", ...(media_type ? { media_type } : {}) },
        content,
        {
          ...options,
          sentFrom: "human",
          inputs: [about],
        },
      ),
    );
  }

  /** Opens an interaction or meets the one that stands; stops the stage while it is open. */
  private async interact(
    name: string,
    content: Pick<NewInteraction, "kind" | "prompt" | "questions" | "answer_schema">,
    artifacts: readonly Artifact[],
  ): Promise<InteractionRow> {
    const { stage, generation } = this.here.key;
    const act = `${stage}/${name}`;
    const stored = this.here.interactions.get(act);
    const row =
      stored && (isReusable(stored) || stored.epoch === this.epoch)
        ? stored
        : await this.open(act, stage, generation, content, artifacts);
    if (row.status === "open") throw new Suspend({ why: "waiting", interactions: [row.id] });
    if (row.status === "canceled") throw new Gone();
    if (row.status === "expired" && row.on_expiry === "fail") {
      throw new Failed(
        "interaction_unanswered",
        `The question ${row.id} expired at ${new Date(row.expires_at).toISOString()} and on_expiry is "fail".`,
      );
    }
    return row;
  }

  private async open(
    act: string,
    stage: string,
    generation: number,
    content: Pick<NewInteraction, "kind" | "prompt" | "questions" | "answer_schema">,
    artifacts: readonly Artifact[],
  ): Promise<InteractionRow> {
    await this.here.ready;
    this.here.assertMayGoOn();
    const { interaction_timeout, on_expiry } = this.spec.options;
    const row = await this.deps.store.interactions.open(this.id, this.epoch, {
      id: newId("int"),
      act,
      stage,
      generation,
      ...content,
      artifacts: artifacts.map((artifact) => artifact.id),
      on_expiry,
      expires_at: Date.now() + durationMs(interaction_timeout),
    });
    if (!row) throw new Gone();
    await this.deps.startNext(this.spec.tenant);
    this.notify("run.input_required");
    return row;
  }

  /** Waits outside of steps for what a stage was suspended for. */
  private async sitOut(suspension: Suspend["suspension"], name: string): Promise<void> {
    switch (suspension.why) {
      case "paused":
        this.pause = suspension.pause;
        return;
      case "waiting":
        await Promise.race(suspension.interactions.map((id) => this.waits.until(id)));
        return;
      case "later":
        await onPlatform(this.step.sleep(`${name}/later`, suspension.ms));
        return;
      case "step_is_long":
        return;
    }
  }

  private notify(...types: EventType[]): void {
    const endpoints = this.spec.listeners
      .filter(({ events }) => types.some((type) => events.includes(type)))
      .map(({ id }) => id);
    if (endpoints.length) this.deps.deliver(endpoints);
  }
}

/** What a port refuses fails the run with the port's words. */
const failing = (error: unknown): never => {
  throw error instanceof Problem ? new Failed(error.code, error.detail, error.faults) : error;
};

/** What a program, or who repairs it, can do something about. */
const isOfAgent = (code: ErrorCode) => code.startsWith("output_") || code === "provider_input_too_long";

const gone = (): never => {
  throw new Gone();
};

const reviewPrompt = ({ kind }: Action, wrong: readonly string[]): string =>
  [
    `Please read the ${kind.replaceAll("_", " ")} and approve it, edit it, reject it, or say what to change.`,
    ...(wrong.length ? [`The edit before could not be used: ${wrong.join(" ")}`] : []),
  ].join(" ");

/** A document in an output. */
export const reference = (artifact: Artifact | null | undefined): DocumentReference | null =>
  artifact ? { artifact_id: artifact.id, kind: artifact.kind } : null;
