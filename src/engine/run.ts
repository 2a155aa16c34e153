import { type Action, type Feedback, inProfile } from "#workflow-kit/action";
import { Acts } from "./durable/acts";
import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { Children } from "./children/children";
import { Failed, failRun, isOfAnswer } from "./instance/control";
import type { Instance } from "./instance/instance";
import type { InstanceMemory } from "./durable/memory";
import { ownerOf } from "./instance/spec";
import { Models } from "./calls/models";
import { parallel } from "./durable/parallel";
import { People } from "./people/people";
import { Programs } from "./programs/programs";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "#workflow-kit/retrieval";
import { readDataset } from "./durable/datasets";
import { Stages, type StagesEntry } from "./durable/stages";
import { type PackedVectors, unpackVectors } from "./calls/packed-vectors";
import { MOST_TEXTS, REHEARSAL } from "#llm";
import type { StageKey } from "#store/stages";
import type { ChildDocument, ChildEnd, ChildOutcome, ChildrenRequest, PlayedRun } from "#workflow-kit/children";
import type { Dataset } from "#workflow-kit/datasets";
import type { ExecutionLog, ExecutionRequest } from "#workflow-kit/programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "#workflow-kit/questions";
import type { EmbeddedTexts } from "#workflow-kit/vectors";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type {
  ActOptions,
  Attempt,
  RecordEntry,
  RehearsalSettings,
  RetrievalRequest,
  Run,
  RunFacts,
} from "#workflow-kit/run";
import { chunksOf } from "#core/chunks";

const PROFILES = { name: "read_registry", kind: "agent_profiles", role: "registry" };
const ENCODING = { name: "embed", kind: "embeddings", role: "encoder" };
const EVIDENCE = { name: "index_evidence", kind: "evidence", role: "retriever" };
const AUTHORITIES = { name: "retrieve", kind: "authorities", role: "retriever" };
const PAPERS = { name: "search_papers", kind: "paper_search", role: "librarian" };

/** The `Run` of a workflow: one object for one stay of a run. */
export class WorkflowRun implements Run {
  readonly id: string;
  private readonly stages: Stages;
  private readonly acts: Acts;
  private readonly models: Models;
  private readonly people: People;
  private readonly programs: Programs;
  private readonly childRuns: Children;

  /** @param definition of the run's workflow */
  constructor(
    private readonly instance: Instance,
    private readonly memory: InstanceMemory,
    entry: StagesEntry,
    private readonly definition: Pick<WorkflowDefinition, "kinds" | "patches">,
  ) {
    this.id = instance.run_id;
    this.stages = new Stages(instance, memory, entry);
    this.acts = new Acts(instance, memory, this.stages, definition.kinds);
    this.models = new Models(this.stages);
    this.people = new People(instance, this.stages, this.acts);
    this.childRuns = new Children(instance, this.stages, this.acts);
    this.programs = new Programs(instance, this.stages, this.acts, this.models);
  }

  stage<T>(name: string, fn: () => Promise<T>, { iteration = 1 }: { iteration?: number } = {}): Promise<T> {
    return this.stages.play(name, fn, iteration);
  }

  async act<Input, Output>(
    written: Action<Input, Output>,
    input: Input,
    options: ActOptions = {},
  ): Promise<Artifact<Output>> {
    const action = inProfile(written, this.instance.spec.options.profile);
    const first = await this.perform(action, input, this.acts.name(action.name, options), options);
    if (!this.instance.spec.options.checkpoints.includes(action.kind)) return first;
    return this.people.review(first, {
      action,
      input,
      options,
      perform: (act, feedback) => this.perform(action, input, act, options, feedback),
    });
  }

  async attempt<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options: ActOptions = {},
  ): Promise<Attempt<Output>> {
    const { failures } = this.memory;
    const act = this.acts.name(action.name, options);
    const known = failures.get(act);
    if (known) return { artifact: null, failure: known };
    try {
      return { artifact: await this.act(action, input, options), failure: null };
    } catch (error) {
      if (!(error instanceof Failed) || !(isOfAnswer(error.code) || error.code === "budget_exceeded")) throw error;
      const failure = { code: error.code, detail: error.detail };
      failures.set(act, failure);
      return { artifact: null, failure };
    }
  }

  async record<T>({ content, ...entry }: RecordEntry<T>): Promise<Artifact<T>> {
    return this.compute(entry, () => content);
  }

  async compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>> {
    const { act, by } = this.recording(entry);
    return this.acts.commitOnce(act, by, entry, async () => ({ content: await make() }));
  }

  recordLater<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T): DocumentReference {
    const { act, by } = this.recording(entry);
    return this.acts.commitLater(act, by, entry, make);
  }

  /** The name and the maker of an act without a model. */
  private recording({ action, kind, role, mediaType, ...entry }: Omit<RecordEntry<unknown>, "content">) {
    const key = `${kind}.${entry.key ?? entry.iteration ?? this.stages.currentVisit.key.iteration}`;
    return { act: this.acts.name(action, { key }), by: { name: action, kind, role, media_type: mediaType } };
  }

  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]> {
    return this.acts.read(references);
  }

  patched(name: string): boolean {
    if (!this.definition.patches?.includes(name)) throw new Error(`The workflow declares no patch "${name}"`);
    return this.instance.spec.patches.includes(name);
  }

  get seed(): number | null {
    return this.instance.spec.models.seed;
  }

  get isRehearsal(): boolean {
    return this.instance.spec.mode === "test";
  }

  get rehearsal(): RehearsalSettings | null {
    const { script: _, ...shared } = this.instance.spec.test ?? {};
    return Object.keys(shared).length > 0 ? shared : null;
  }

  get facts(): RunFacts {
    const { created_at = null, workflow_version } = this.instance.spec;
    return { created_at, workflow_version, code_version: this.instance.deps.code_version };
  }

  modelOf(role: string, member?: number): string {
    if (this.isRehearsal) return REHEARSAL;
    const { roles } = this.instance.spec.models;
    return (roles[`${role}_${member}`] ?? roles[role])!.model;
  }

  get defaultModel(): string {
    const { default: model, roles } = this.instance.spec.models;
    return this.isRehearsal ? REHEARSAL : (model ?? Object.values(roles)[0]!.model);
  }

  get embeddingModel(): string | null {
    return this.instance.spec.models.embedding;
  }

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

  indexEvidence(
    evidence: readonly EvidenceText[],
    options: ActOptions & { key: string },
  ): Promise<Artifact<EvidenceIndex>> {
    const { spec, deps } = this.instance;
    const act = this.acts.name(EVIDENCE.name, options);
    return this.acts.commitOnce(act, EVIDENCE, options, async () => ({
      content: await deps.retrieval.indexEvidence({ ...ownerOf(spec), run_id: this.id }, act, evidence).catch(failRun),
    }));
  }

  retrieve(
    { corpus_ids, exclude = [], ...wanted }: RetrievalRequest,
    options: ActOptions & { key: string },
  ): Promise<Artifact<Retrieved>> {
    const { spec, deps } = this.instance;
    const scope = { ...ownerOf(spec), run_id: this.id, corpus_ids, embedding_model: this.embeddingModel };
    const act = this.acts.name(AUTHORITIES.name, options);
    return this.acts.commitOnce(act, AUTHORITIES, options, async () => {
      const { value, provenance } = await this.models.withEmbeddings(act, (account) =>
        deps.retrieval.search(scope, { ...wanted, exclude }, account),
      );
      return { content: value, ...provenance };
    });
  }

  searchPapers(
    query: PaperQuery,
    limit: number,
    options: ActOptions & { key: string },
  ): Promise<Artifact<PaperSearch>> {
    const { spec, deps } = this.instance;
    return this.acts.commitOnce(this.acts.name(PAPERS.name, options), PAPERS, options, async () => {
      this.stages.currentVisit.assertMayGoOn();
      return { content: await deps.papers.search(query, limit, spec.mode) };
    });
  }

  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;
  ask(question: Clarification | Consultation<unknown>): Promise<ClarificationReply | ConsultationReply<unknown>> {
    return this.people.ask(question);
  }

  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>> {
    const { spec, deps } = this.instance;
    return this.acts.commitOnce(this.acts.name(PROFILES.name, {}), PROFILES, {}, async () => ({
      // `failRun`: an agent may have been deleted since the run was created.
      content: await deps.agents.load(ownerOf(spec), ids).catch(failRun),
    }));
  }

  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>> {
    return this.programs.execute(request);
  }

  children(request: ChildrenRequest): Promise<Artifact<ChildEnd[]>> {
    return this.childRuns.run(request);
  }

  playedBefore(request: Pick<ChildrenRequest, "key" | "children" | "request">): Promise<Artifact<PlayedRun[]>> {
    return this.childRuns.playedBefore(request);
  }

  childOutcomes(ids: readonly string[]): Promise<ChildOutcome[]> {
    return this.childRuns.outcomes(ids);
  }

  childContents(documents: readonly ChildDocument[]): Promise<unknown[]> {
    return this.childRuns.contents(documents);
  }

  dataset(id: string): Promise<Dataset> {
    return readDataset(this.instance, this.stages, id);
  }

  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit = 8): Promise<R[]> {
    return parallel(items, fn, limit);
  }

  /** The last finished stage; the end of the run marks it as completed. */
  get lastStage(): StageKey | null {
    return this.stages.last;
  }

  /** Settled once D1 holds what the finished stages have written. @throws what has kept it from D1; Suspend when storage has */
  written(): Promise<void> {
    return this.stages.written();
  }

  private perform<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    act: string,
    options: ActOptions,
    feedback?: Feedback<Output>,
  ): Promise<Artifact<Output>> {
    const { iteration = this.stages.currentVisit.key.iteration, member, seed } = options;
    return this.acts.commitOnce(act, action, options, async () => {
      const request = { action, input, act, iteration, member, seed, feedback };
      const { value, provenance } = await this.models.ask(request);
      return { content: value, ...provenance };
    });
  }

  private encode(model: string, texts: readonly string[], key: string): Promise<Artifact<PackedVectors>> {
    const act = this.acts.name(ENCODING.name, { key });
    return this.acts.commitOnce(act, ENCODING, {}, async () => {
      const { content, provenance } = await this.models.encode({ model, texts, act });
      return { content, ...provenance };
    });
  }
}
