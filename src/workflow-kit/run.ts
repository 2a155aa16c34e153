import type { TestSettings } from "#core/run-settings";
import type { Action } from "./action";
import type { Artifact, DocumentReference } from "./artifact";
import type { ChildRuns } from "./children";
import type { Datasets } from "./datasets";
import type { Programs } from "./programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "./questions";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "./retrieval";
import type { EmbeddedTexts } from "./vectors";

export interface StepOptions {
  /** Distinguishes the steps of one action in one stage; by default the iteration. */
  key?: string;
  /** By default the stage's. */
  iteration?: number;
  subject?: string;
  /** Addresses `models.roles["<role>_<n>"]`. */
  member?: number;
  /**
   * Seed of this step's model call, sent as it is. By default the engine derives one from the run's seed and the step's name, so that no two
   * steps share a seed. When the caller sets a seed for the role, it is derived from that one.
   */
  seed?: number;
  sentFrom?: string;
  inputs?: readonly Artifact[];
}

/** Why a step gave no artifact. */
export interface Failure {
  code: string;
  detail: string;
}

/** The artifact of a step, or the reason why its model gave none. */
export type StepResult<Output> = { artifact: Artifact<Output>; failure: null } | { artifact: null; failure: Failure };

export interface RecordEntry<T> extends Omit<StepOptions, "member" | "seed"> {
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
export type SharedTestSettings = Pick<TestSettings, "faults" | "latency_ms">;

export interface RunInfo {
  /** ISO 8601; null in an estimate. */
  created_at: string | null;
  workflow_version: number;
  /** Version of the deployment that executes the run now. */
  code_version: string;
}

/** The models of a run, each as `<provider>/<model>`. */
export interface RunModels {
  /** The model of a role, or of one member of a role; `mock` in test mode. */
  of(role: string, member?: number): string;
  /** For roles that name none: the first model of `models.default` or of the deployment; `mock` in test mode. */
  readonly default: string;
  /** The embedding model; null: none is configured. */
  readonly embedding: string | null;
}

/** Vectors, the run's own evidence, corpora and papers. Only inside a stage. */
export interface RunRetrieval {
  /**
   * Vectors of texts, in their order and of unit length. Every hundred texts are one step with one artifact.
   * @param texts none of them empty
   * @returns null when no embedding model is configured
   */
  embed(
    texts: readonly string[],
    options: Pick<StepOptions, "iteration"> & { key: string },
  ): Promise<EmbeddedTexts | null>;

  /** Indexes texts for `search` of this run only. */
  indexEvidence(
    evidence: readonly EvidenceText[],
    options: StepOptions & { key: string },
  ): Promise<Artifact<EvidenceIndex>>;

  /** The passages of the run's evidence and of corpora that match a query best, verbatim. */
  search(request: RetrievalRequest, options: StepOptions & { key: string }): Promise<Artifact<Retrieved>>;

  /** Searches the source of papers; a failure is part of the result. */
  searchPapers(
    query: PaperQuery,
    limit: number,
    options: StepOptions & { key: string },
  ): Promise<Artifact<PaperSearch>>;
}

/**
 * What a workflow is written against. The engine calls `workflow.run` with it at the start of each segment: after every wait, pause or crash, the
 * function runs again from its top and finds its stored results, so its code must be deterministic outside of `step` and its relatives.
 */
export interface Run {
  readonly id: string;
  readonly info: RunInfo;
  readonly models: RunModels;
  readonly retrieval: RunRetrieval;
  readonly programs: Programs;
  readonly children: ChildRuns;
  readonly datasets: Datasets;

  /** The seed in the request; null: none. */
  readonly seed: number | null;

  /** True in test mode: no model is called. */
  readonly isTestMode: boolean;

  /** Settings of test mode that mean the same to every workflow, for runs that this one starts; null: none were given. */
  readonly testSettings: SharedTestSettings | null;

  /**
   * A named phase, as users see it in the API, the events and the console. A stage that the instance has finished returns its stored result
   * without running `fn`; one that was left for a wait runs `fn` again and finds its steps in D1. Values for later stages must be returned, never
   * assigned.
   */
  stage<T>(name: string, fn: () => Promise<T>, options?: { iteration?: number }): Promise<T>;

  /** One model call (with at most one repair), one artifact, one event, one commit. Only inside a stage. */
  step<Input, Output>(action: Action<Input, Output>, input: Input, options?: StepOptions): Promise<Artifact<Output>>;

  /**
   * As `step`, but the run continues when the model gives no usable answer, the request does not fit into its context, or a limit of the run allows
   * no further call. The failure is not stored: the caller records what follows from it. Only inside a stage.
   */
  tryStep<Input, Output>(
    action: Action<Input, Output>,
    input: Input,
    options?: StepOptions,
  ): Promise<StepResult<Output>>;

  /** Commits an artifact that no model made, such as a person's words. Only inside a stage. */
  record<T>(entry: RecordEntry<T>): Promise<Artifact<T>>;

  /** Commits the result of work without a model: `make` runs only if the step has no artifact yet. Only inside a stage. */
  compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>>;

  /**
   * Commits a document that nothing in the run reads, such as a drawing: it is made while the run continues, and stored before the stage counts
   * as completed. Only inside a stage; no step of the same stage may name it among its inputs.
   * @returns its reference
   */
  recordLater<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T): DocumentReference;

  /**
   * The artifacts of these references, in their order. A stage passes large contents to later stages as references. Only inside a
   * stage.
   */
  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]>;

  /** Asks a person questions, or their opinion of artifacts, and waits for the answer or the expiry. Only inside a stage. */
  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;

  /** Runs `fn` over items, at most `limit` at the same time; a failure is thrown once all started branches have ended. */
  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit?: number): Promise<R[]>;
}
