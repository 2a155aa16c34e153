/** An immutable, versioned result. The first five properties are the paper's (MARE, II-C); the rest says how it came about. */
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
  /** Which of several of a kind: a stakeholder, an entity type; `""` where there is one. */
  subject: string;
  iteration: number;
  /** Stable name of the act: `stage/action#key`. */
  act: string;
  /** Of an agent's result in a generated program: its place in the order in which the execution's outcomes were committed, from 1. */
  completed_seq?: number;
}

/** A document in a run's output: a reference when stored, with its text when shown. */
export interface DocumentReference {
  artifact_id: string;
  kind: string;
}
