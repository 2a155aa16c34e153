import type { WorkflowStep } from "cloudflare:workers";
import type { Action, Feedback } from "./action";
import { Acts } from "./acts";
import type { AgentProfile } from "./agents";
import type { Artifact, DocumentReference } from "./artifact";
import { Failed } from "./control";
import type { ExecutionLog, ExecutionRequest } from "./execution";
import type { Instance } from "./instance";
import type { ActOptions, RecordEntry } from "./making";
import { Models } from "./models";
import { parallel } from "./parallel";
import { People } from "./people";
import { Programs } from "./programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "./questions";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "./retrieval";
import { Stages } from "./stages";
import { type EmbeddedTexts, type PackedVectors, unpackVectors } from "./vectors";
import { chunksOf } from "../chunks";
import { Problem } from "../errors";
import { MOST_TEXTS, REHEARSAL } from "../llm";
import type { StageKey } from "../store/stages";

const PROFILES = { action: "read_registry", kind: "agent_profiles", role: "registry" };
const ENCODING = { action: "embed", kind: "embeddings", role: "encoder" };
const EVIDENCE = { action: "index_evidence", kind: "evidence", role: "retriever" };
const AUTHORITIES = { action: "retrieve", kind: "authorities", role: "retriever" };
const PAPERS = { action: "search_papers", kind: "paper_search", role: "librarian" };

export type { ActOptions, RecordEntry } from "./making";

export interface RetrievalRequest {
  query: string;
  limit: number;
  corpus_ids: readonly string[];
  /** Passages that are known already. */
  exclude?: readonly string[];
}

/** What a workflow is written in. One instance of it lives through one epoch of a run. */
export class Run {
  readonly id: string;
  private readonly stages: Stages;
  private readonly acts: Acts;
  private readonly models: Models;
  private readonly people: People;
  private readonly programs: Programs;

  /** @param fresh true while this object has seen the run from its very beginning */
  constructor(
    private readonly instance: Instance,
    step: WorkflowStep,
    fresh: boolean,
  ) {
    this.id = instance.run_id;
    this.stages = new Stages(instance, step, fresh);
    this.acts = new Acts(instance, this.stages);
    this.models = new Models(instance, this.stages);
    this.people = new People(instance, this.stages, this.acts);
    this.programs = new Programs(instance, this.stages, this.acts, this.models);
  }

  /**
   * A named phase: one Workflow step, entered again over what D1 holds after a crash, a pause or a wait for a person. What later
   * stages need is returned, never assigned: when the step's result is known, `fn` does not run.
   */
  stage<T>(name: string, fn: () => Promise<T>, { iteration = 1 }: { iteration?: number } = {}): Promise<T> {
    return this.stages.play(name, fn, iteration);
  }

  /** One model call (and its bounded repair), one artifact, one event, one commit. Only inside a stage. */
  async act<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options: ActOptions = {},
  ): Promise<Artifact<Output>> {
    const first = await this.perform(action, input, this.acts.name(action.name, options), options);
    if (!this.instance.spec.options.checkpoints.includes(action.kind)) return first;
    return this.people.review(action, input, first, options, (act, feedback) =>
      this.perform(action, input, act, options, feedback),
    );
  }

  /** An artifact that no model made: a person's words, a drawing. Only inside a stage. */
  async record<T>({ content, ...entry }: RecordEntry<T>): Promise<Artifact<T>> {
    return this.compute(entry, () => content);
  }

  /** Work that takes no model and is done once: `make` runs when the act has no artifact yet. Only inside a stage. */
  async compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>> {
    const { mediaType, action, kind, role } = entry;
    return this.acts.memoised(
      this.acts.name(action, { key: `${kind}.${entry.key ?? entry.iteration ?? this.stages.here.key.iteration}` }),
      async (act) => this.acts.describe(act, { action, kind, role }, await make(), entry, mediaType),
    );
  }

  /**
   * Artifacts that a stage before has handed on as references, in their order: what is too large for a step's result. Only inside a
   * stage.
   */
  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    return this.acts.read(references);
  }

  /** The seed that the caller gave the run. */
  get seed(): number | null {
    return this.instance.spec.models.seed;
  }

  /** True in test mode: no model is asked. */
  get isRehearsal(): boolean {
    return this.instance.spec.mode === "test";
  }

  /** `<provider>/<model>` that speaks for a role, or for one of several; `rehearsal` in test mode. */
  modelOf(role: string, member?: number): string {
    if (this.isRehearsal) return REHEARSAL;
    const { roles } = this.instance.spec.models;
    return (roles[`${role}_${member}`] ?? roles[role])!.model;
  }

  /** `<provider>/<model>` that turns the run's texts into vectors; null: none does. */
  get embeddingModel(): string | null {
    return this.instance.spec.models.embedding;
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
    const encoded = await this.parallel(chunksOf(texts, MOST_TEXTS), (batch, at) =>
      this.encode(model, batch, `${options.key}.${at + 1}`),
    );
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
    const { tenant, mode } = this.instance.spec;
    return this.acts.memoised(this.acts.name(EVIDENCE.action, options), async (act) => {
      const index = await this.instance.deps.retrieval
        .indexEvidence({ tenant, mode, run_id: this.id }, act, evidence)
        .catch(failing);
      return this.acts.describe(act, EVIDENCE, index, options);
    });
  }

  /** The passages of the run's evidence and of corpora that suit a query best, as they stand in their documents. Only inside a stage. */
  retrieve(
    { query, limit, corpus_ids, exclude = [] }: RetrievalRequest,
    options: ActOptions & { key: string },
  ): Promise<Artifact<Retrieved>> {
    const { tenant, mode } = this.instance.spec;
    return this.acts.memoised(this.acts.name(AUTHORITIES.action, options), async (act) => {
      const scope = { tenant, mode, run_id: this.id, corpus_ids, embedding_model: this.embeddingModel };
      const { value, provenance } = await this.models.askForVectors(act, (asker) =>
        this.instance.deps.retrieval.search(scope, { query, limit, exclude }, asker),
      );
      return { ...this.acts.describe(act, AUTHORITIES, value, options), ...provenance };
    });
  }

  /** Asks the source of papers; that it fails is an answer too. Only inside a stage. */
  searchPapers(
    query: PaperQuery,
    limit: number,
    options: ActOptions & { key: string },
  ): Promise<Artifact<PaperSearch>> {
    return this.acts.memoised(this.acts.name(PAPERS.action, options), async (act) => {
      this.stages.here.assertMayGoOn();
      return this.acts.describe(
        act,
        PAPERS,
        await this.instance.deps.papers.search(query, limit, this.instance.spec.mode),
        options,
      );
    });
  }

  /** Puts questions to a person, or asks what they think of artifacts, and waits for the answer or for its expiry. Only inside a stage. */
  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;
  ask(question: Clarification | Consultation<unknown>): Promise<ClarificationReply | ConsultationReply<unknown>> {
    return this.people.ask(question);
  }

  /**
   * The worker agents that the run may use, read from the registry once: a replay meets the same. Only inside a stage.
   * @param ids null: all of the tenant's registry
   */
  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>> {
    return this.acts.memoised(this.acts.name(PROFILES.action, {}), async (act) => {
      // An agent may have been deleted since the run was created.
      const profiles = await this.instance.deps.agents.load(this.instance.spec.tenant, ids).catch(failing);
      return this.acts.describe(act, PROFILES, profiles, {});
    });
  }

  /**
   * Runs a generated program in the sandbox, once: an execution that ended is an artifact. Each of its agent calls is an act. Only inside
   * a stage, which may be left in the middle of it: the program then runs again from its top over the outcomes that are stored.
   */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>> {
    return this.programs.execute(request);
  }

  /** Runs `fn` over items, at most `limit` at once; all that have begun settle before a failure is thrown. */
  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit = 8): Promise<R[]> {
    return parallel(items, fn, limit);
  }

  /** The stage that the run's end closes. */
  get lastStage(): StageKey | null {
    return this.stages.last;
  }

  private perform<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    act: string,
    options: ActOptions,
    feedback?: Feedback<Output>,
  ): Promise<Artifact<Output>> {
    return this.acts.memoised(act, async () => {
      const iteration = options.iteration ?? this.stages.here.key.iteration;
      const { value, provenance } = await this.models.ask({
        action,
        input,
        act,
        iteration,
        member: options.member,
        seed: options.seed,
        feedback,
      });
      return { ...this.acts.describe(act, action, value, { ...options, iteration }), ...provenance };
    });
  }

  private encode(model: string, texts: readonly string[], key: string): Promise<Artifact<PackedVectors>> {
    return this.acts.memoised(this.acts.name(ENCODING.action, { key }), async (act) => {
      const { content, provenance } = await this.models.encode({ model, texts, act });
      return { ...this.acts.describe(act, ENCODING, content, {}), ...provenance };
    });
  }
}

/** What a port refuses fails the run with the port's words. */
const failing = (error: unknown): never => {
  throw error instanceof Problem ? new Failed(error.code, error.detail, error.faults) : error;
};

/** A document in an output. */
export const reference = (artifact: Artifact | null | undefined): DocumentReference | null =>
  artifact ? { artifact_id: artifact.id, kind: artifact.kind } : null;
