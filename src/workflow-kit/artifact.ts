/** An immutable, versioned result. The first five properties are those of the paper (MARE, II-C). */
export interface Artifact<T = unknown> {
  content: T;
  /** Role that made it: a role of the workflow, or `human`. */
  role: string;
  /** Action that made it. */
  caused_by: string;
  sent_from: string;
  send_to: readonly string[];
  id: string;
  kind: string;
  /** Distinguishes artifacts of one kind: a stakeholder, an entity type; `""` if the kind has one. */
  subject: string;
  iteration: number;
  /** Stable name of the step: `stage/action#key`. */
  step: string;
  /** Of an agent's result in a generated program: its position in the order of the execution's commits, from 1. */
  completed_seq?: number;
}

/** A document in a run's output. The stored output holds references; the API adds the text. */
export interface DocumentReference {
  artifact_id: string;
  kind: string;
}
