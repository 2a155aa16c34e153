import type { Action } from "./action";
import type { AgentProfile } from "./agents";
import type { Artifact, DocumentReference } from "./artifact";
import type { ExecutionLog, ExecutionRequest } from "./programs";
import type { Clarification, ClarificationReply, Consultation, ConsultationReply } from "./questions";
import type { EvidenceIndex, EvidenceText, PaperQuery, PaperSearch, Retrieved } from "./retrieval";
import type { EmbeddedTexts } from "./vectors";

export interface ActOptions {
  /** Tells apart acts of one action in one stage; by default the iteration. */
  key?: string;
  /** By default the stage's. */
  iteration?: number;
  subject?: string;
  /** Addresses `models.roles["<role>_<n>"]`. */
  member?: number;
  /** Seed of this act's model call; one that the caller names for the role stands above it. */
  seed?: number;
  sentFrom?: string;
  inputs?: readonly Artifact[];
}

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
  /** Passages that are known already. */
  exclude?: readonly string[];
}

/** A document in an output. */
export const reference = (artifact: Artifact | null | undefined): DocumentReference | null =>
  artifact ? { artifact_id: artifact.id, kind: artifact.kind } : null;

/** What a workflow is written in: `workflow.run` is called with it, once for each epoch of a run. */
export interface Run {
  readonly id: string;
  /**
   * A named phase: one Workflow step, entered again over what D1 holds after a crash, a pause or a wait for a person. What later
   * stages need is returned, never assigned: when the step's result is known, `fn` does not run.
   */
  stage<T>(name: string, fn: () => Promise<T>, options?: { iteration?: number }): Promise<T>;

  /** One model call (and its bounded repair), one artifact, one event, one commit. Only inside a stage. */
  act<Input, Output>(action: Action<Input, Output>, input: Input, options?: ActOptions): Promise<Artifact<Output>>;

  /** An artifact that no model made: a person's words, a drawing. Only inside a stage. */
  record<T>(entry: RecordEntry<T>): Promise<Artifact<T>>;

  /** Work that takes no model and is done once: `make` runs when the act has no artifact yet. Only inside a stage. */
  compute<T>(entry: Omit<RecordEntry<T>, "content">, make: () => T | Promise<T>): Promise<Artifact<T>>;

  /**
   * Artifacts that a stage before has handed on as references, in their order: what is too large for a step's result. Only inside a
   * stage.
   */
  read<T>(references: readonly DocumentReference[]): Promise<Artifact<T>[]>;

  /** The seed that the caller gave the run. */
  readonly seed: number | null;

  /** True in test mode: no model is asked. */
  readonly isRehearsal: boolean;

  /** `<provider>/<model>` that speaks for a role, or for one of several; `rehearsal` in test mode. */
  modelOf(role: string, member?: number): string;

  /** `<provider>/<model>` that turns the run's texts into vectors; null: none does. */
  readonly embeddingModel: string | null;

  /**
   * Vectors of texts, in their order and of unit length: an act for every hundred of them, kept as an artifact. Only inside a stage.
   * @param texts none of them empty
   * @returns null when no embedding model is configured
   */
  embed(
    texts: readonly string[],
    options: Pick<ActOptions, "iteration"> & { key: string },
  ): Promise<EmbeddedTexts | null>;

  /** Indexes texts for this run alone, so that `retrieve` finds them. Only inside a stage. */
  indexEvidence(
    evidence: readonly EvidenceText[],
    options: ActOptions & { key: string },
  ): Promise<Artifact<EvidenceIndex>>;

  /** The passages of the run's evidence and of corpora that suit a query best, as they stand in their documents. Only inside a stage. */
  retrieve(request: RetrievalRequest, options: ActOptions & { key: string }): Promise<Artifact<Retrieved>>;

  /** Asks the source of papers; that it fails is an answer too. Only inside a stage. */
  searchPapers(query: PaperQuery, limit: number, options: ActOptions & { key: string }): Promise<Artifact<PaperSearch>>;

  /** Puts questions to a person, or asks what they think of artifacts, and waits for the answer or for its expiry. Only inside a stage. */
  ask(question: Clarification): Promise<ClarificationReply>;
  ask<Additions>(question: Consultation<Additions>): Promise<ConsultationReply<Additions>>;

  /**
   * The worker agents that the run may use, read from the registry once: a replay meets the same. Only inside a stage.
   * @param ids null: all of the tenant's registry
   */
  agents(ids: readonly string[] | null): Promise<Artifact<AgentProfile[]>>;

  /**
   * Runs a generated program in the sandbox, once: an execution that ended is an artifact. Each of its agent calls is an act. Only inside
   * a stage, which may be left in the middle of it: the program then runs again from its top over the outcomes that are stored.
   */
  execute(request: ExecutionRequest): Promise<Artifact<ExecutionLog>>;

  /** Runs `fn` over items, at most `limit` at once; all that have begun settle before a failure is thrown. */
  parallel<T, R>(items: readonly T[], fn: (item: T, index: number) => Promise<R>, limit?: number): Promise<R[]>;
}
