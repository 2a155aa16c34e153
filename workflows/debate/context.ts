import type { Run } from "#workflow-kit/run";
import { seedOf } from "#workflow-kit/programs";
import type { Question } from "./artifacts";
import type { Input, Options } from "./contract";

/** What one run works with. */
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

/** Length of a brief that a request leaves open: an open question has more to treat. Tokens, quotes not counted. */
const BRIEF_TOKENS = { choices: 400, open: 900 } as const;

/** The length that briefs are asked for, in tokens without quotes. */
export const briefTokens = ({ options, question }: Pick<DebateContext, "options" | "question">): number =>
  options.brief_tokens ?? (question.choices.length ? BRIEF_TOKENS.choices : BRIEF_TOKENS.open);
