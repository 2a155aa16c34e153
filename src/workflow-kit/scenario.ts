/**
 * A small request to a workflow, and what people answer its questions with. Chaos runs, the simulation and recorded histories run it:
 * first in test mode, then live, where the model gives each step the answer of the test run.
 */
export interface Scenario {
  name: string;
  input: Readonly<Record<string, unknown>>;
  options: Readonly<Record<string, unknown>>;
  /** Steps that only live runs have. */
  live_steps?: readonly string[];
  /** Is stored first; `input.dataset_id` then names it. */
  dataset?: { workflow: string; items: readonly object[] };
  /** A person's additions to a consultation, by the schema of `additions`. */
  additions?(schema: any, note: string): object;
}
