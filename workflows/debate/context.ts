import type { Run } from "#workflow-kit/run";
import { seedOf } from "#workflow-kit/programs";
import type { Question } from "./artifacts";
import type { Input, Options } from "./contract";

/** Data and functions of one run. */
export interface DebateContext {
  run: Run;
  input: Input;
  options: Options;
  question: Question;
  /** Seed of every random order: a hash of the run's seed, or else of its id, with the question. */
  seed: number;
}

export function createContext(run: Run, input: Input, options: Options): DebateContext {
  const { question: text, choices = [], jurisdiction = null, language = null } = input;
  const seed = seedOf(`${run.seed ?? run.id}/${text}`);
  return { run, input, options, question: { text, choices, jurisdiction, language }, seed };
}
