import type { Run } from "#workflow-kit/run";
import { seedOf } from "#workflow-kit/programs";
import type { Question } from "./artifacts";
import type { Input, Options } from "./contract";

/** What the stages of a run share. */
export class Context {
  readonly question: Question;
  /** Seed of every random order: a hash of the run's seed, or else of its id, with the question. */
  readonly seed: number;

  constructor(
    readonly run: Run,
    readonly input: Input,
    readonly options: Options,
  ) {
    const { question: text, choices = [], jurisdiction = null, language = null } = input;
    this.question = { text, choices, jurisdiction, language };
    this.seed = seedOf(`${run.seed ?? run.id}/${text}`);
  }
}
