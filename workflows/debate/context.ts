import type { Action } from "#workflow-kit/action";
import type { Artifact } from "#workflow-kit/artifact";
import type { Run } from "#workflow-kit/run";
import { seedOf } from "#workflow-kit/programs";
import { KINDS, type Kind, type Question } from "./artifacts";
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

export interface ActMetadata {
  key: string;
  /** Round of the debate, or number of the sample or attempt; `test.script` counts by it. */
  iteration: number;
  member?: number;
  subject?: string;
  inputs?: readonly Artifact[];
}

export const perform = <I, O>(
  { run }: DebateContext,
  action: Action<I, O>,
  input: I,
  how: ActMetadata,
): Promise<Artifact<O>> => run.act(action, input, { ...how, sendTo: KINDS[action.kind as Kind].send_to });

/** Keeps what no model made. */
export const publish = <T>(
  { run }: DebateContext,
  kind: Kind,
  content: T,
  by: { action: string; role: string; iteration?: number; inputs?: readonly Artifact[] },
): Promise<Artifact<T>> => run.record({ ...by, kind, content, sendTo: KINDS[kind].send_to });
