import type { TestSettings } from "#core/run-settings";
import type { Action } from "./action";
import type { AgentProfile } from "./agents";
import type { Artifact, DocumentReference } from "./artifact";
import type { ChildDocument, ChildEnd, ChildOutcome, ChildrenRequest, PlayedRun } from "./children";
import type { Dataset } from "./datasets";
import type { ExecutionLog, ExecutionRequest } from "./programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "./questions";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "./retrieval";
import type { EmbeddedTexts } from "./vectors";

export interface ActOptions {
  /** Distinguishes the acts of one action in one stage; by default the iteration. */
  key?: string;
  /** By default the stage's. */
  iteration?: number;
  subject?: string;
  /** Addresses `models.roles["<role>_<n>"]`. */
  member?: number;
  /**
   * Seed of this act's model call, sent as it is. By default the engine derives one from the run's seed and the act's name, so that no two
   * acts share a seed. When the caller sets a seed for the role, it is derived from that one.
   */
  seed?: number;
  sentFrom?: string;
  inputs?: readonly Artifact[];
}

/** Why an act gave no artifact. */
export interface Failure {
  code: string;
  detail: string;
}

/** The artifact of an act, or the reason why its model gave none. */
export type Attempt<Output> = { artifact: Artifact<Output>; failure: null } | { artifact: null; failure: Failure };

export interface RecordEntry<T> extends Omit<ActOptions, "member" | "seed"> {
  action: string;
  kind: string;
  role: string;
  content: T;
  mediaType?: string;
}

export interface RetrievalRequest {
  query: string;
  limit: number;
  corpus_ids: readonly string[];
  /** Ids of passages to leave out. */
  exclude?: readonly string[];
  /** Passages of other jurisdictions rank lower. */
  jurisdiction?: string | null;
  /**
   * The run's own evidence comes whole and first where it has at most this many characters, else what fits best, and `limit` bounds
   * passages of corpora. Absent: evidence is ranked with the corpora.
   */
  whole_evidence?: number | null;
}

/** The reference by which an output or a stage's result names an artifact. */
export const reference = (artifact: Artifact | null | undefined): DocumentReference | null =>
  artifact ? { artifact_id: artifact.id, kind: artifact.kind } : null;

/** Faults that the calls of each stage meet in order, and the time that each call takes. */
export type RehearsalSettings = Pick<TestSettings, "faults" | "latency_ms">;

export interface RunFacts {
  /** ISO 8601; null: an instance from before it was kept. */
  created_at: string | null;
  workflow_version: number;
  /** Of the deployment that plays now. */
  code_version: string;
}

/** The interface that workflows are written against: the engine calls `workflow.run` with it, once for each epoch of a run. */
export interface Run {
  readonly id: string;
  /**
   * A named phase: one Workflow step. After a crash, a pause or a wait for a person it is entered again, and finds its acts in D1.
   * Values for later stages must be returned, never assigned: `fn` does not run when the step's result is known.
   */
  stage<T>(name: string, fn: () => Promise<T>, options?: { iteration?: number }): Promise<T>;

  /** One model call (and its bounded repair), one artifact, one event, one commit. Only inside a stage. */
  act<Input, Output>(action: Action<Input, Output>, input: Input, options?: ActOptions): Promise<Artifact<Output>>;

  /**
   * As `act`, but the run goes on when the model gives no usable answer, the request does not fit into its context, or a limit of the run allows
   * no further call. The failure is not stored: the caller records what follows from it. Only inside a stage.
   */
  attempt<Input, Output>(action: Action<Input, Output>, input: Input, options?: ActOptions): Promise<Attempt<Output>>;

  /** Commits an artifact that no model made: a person's words, a drawing. Only inside a stage. */
  record<T>(entry: RecordEntry<T>): Promise<Artifact<T>>;

  /** Commits the result of work without a model: `make` runs only if the act has no artifact yet. Only inside a stage. */
  compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>>;

  /**
   * Commits a document that nothing in the run reads, such as a drawing: it is made while the run goes on, and committed before the stage counts
   * as completed. Only inside a stage, after what its acts wait for: those of the same stage must not name it among their inputs.
   * @returns its reference
   */
  recordLater<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T): DocumentReference;

  /**
   * The artifacts of these references, in their order. A stage passes large contents to later stages as references. Only inside a
   * stage.
   */
  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]>;

  /**
   * Whether the run follows a change of the workflow's code: true for runs that were created after the change, false for ever for those created
   * before. A change of the order, names or inputs of stages and acts keeps its old branch behind this until `plays_from` is raised.
   * @param name one of the workflow's `patches`
   */
  patched(name: string): boolean;

  /** The seed in the request; null: none. */
  readonly seed: number | null;

  /** True in test mode: no model is asked. */
  readonly isRehearsal: boolean;

  /** Settings of test mode that mean the same to every workflow, for runs that this one starts; null: none were given. */
  readonly rehearsal: RehearsalSettings | null;

  /** What a report says of the run that wrote it. */
  readonly facts: RunFacts;

  /** `<provider>/<model>` of a role, or of one member of a role; `rehearsal` in test mode. */
  modelOf(role: string, member?: number): string;

  /** `<provider>/<model>` of roles that name none: the first model of `models.default` or of the deployment. */
  readonly defaultModel: string;

  /** `<provider>/<model>` of the embedding model; null: none is configured. */
  readonly embeddingModel: string | null;

  /**
   * Vectors of texts, in their order and of unit length. Every hundred texts are one act with one artifact. Only inside a stage.
   * @param texts none of them empty
   * @returns null when no embedding model is configured
   */
  embed(
    texts: readonly string[],
    options: Pick<ActOptions, "iteration"> & { key: string },
  ): Promise<EmbeddedTexts | null>;

  /** Indexes texts for `retrieve` of this run only. Only inside a stage. */
  indexEvidence(
    evidence: readonly EvidenceText[],
    options: ActOptions & { key: string },
  ): Promise<Artifact<EvidenceIndex>>;

  /** The passages of the run's evidence and of corpora that match a query best, verbatim. Only inside a stage. */
  retrieve(request: RetrievalRequest, options: ActOptions & { key: string }): Promise<Artifact<Retrieved>>;

  /** Searches the source of papers; a failure is part of the result. Only inside a stage. */
  searchPapers(query: PaperQuery, limit: number, options: ActOptions & { key: string }): Promise<Artifact<PaperSearch>>;

  /** Asks a person questions, or their opinion of artifacts, and waits for the answer or the expiry. Only inside a stage. */
  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;

  /**
   * The worker agents that the run may use. The registry is read once, so a replay finds the same agents. Only inside a stage.
   * @param ids null: all of the tenant's registry
   */
  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>>;

  /**
   * Runs a generated program in the sandbox, once: its finished execution is an artifact, and each of its agent calls is an act. Only inside
   * a stage. If the stage is left during the execution, the program later runs again from its start over the stored outcomes.
   */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>>;

  /**
   * Starts runs and waits until all have ended: the stage is left meanwhile and entered again once. Each child is stored once, whatever
   * crashes. Its calls count towards this run's limits; cancel, pause, resume, retry and delete reach it. Only inside a stage.
   */
  children(request: ChildrenRequest): Promise<Artifact<ChildEnd[]>>;

  /**
   * Completed children of the owner's earlier runs that are equal to children which this run would start; they are not started again. The
   * search is made once. Only inside a stage.
   */
  playedBefore(request: Pick<ChildrenRequest, "key" | "children" | "request">): Promise<Artifact<PlayedRun[]>>;

  /**
   * What children of this run, and runs that stand for them, gave and used, in the order of their ids; they must have ended. A run that was
   * removed meanwhile is left out. Only inside a stage.
   */
  childOutcomes(ids: readonly string[]): Promise<ChildOutcome[]>;

  /** One of the data sets that the run reads (`WorkflowDefinition.datasets`), with all items, read anew at each call. Only inside a stage. */
  dataset(id: string): Promise<Dataset>;

  /**
   * Contents of artifacts of such runs, in the order of the references; undefined: its run was removed meanwhile. The caller bounds how many
   * it holds at once. Only inside a stage.
   */
  childContents(documents: readonly ChildDocument[]): Promise<unknown[]>;

  /** Runs `fn` over items, at most `limit` at the same time; a failure is thrown once all started branches have settled. */
  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit?: number): Promise<R[]>;
}
