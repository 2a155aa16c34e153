import { mean } from "simple-statistics";

/** Turns texts into vectors, in their order; `model` names what does. */
export interface Embedder {
  model: string;
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>;
}

/** Says whether a text entails another; `model` names what does, a language model where there is no NLI model (spec, ambiguity 10). */
export interface Entailer {
  model: string;
  entails(premise: string, hypothesis: string): Promise<boolean>;
}

/** What a debate ended with. */
export interface Ending {
  /** The judge's three points, as one text. */
  rationale: string;
  arguments: readonly { debater: string; text: string; /** First claim of the last brief. */ main_premise: string }[];
  winner: string | null;
}

export interface Consistency {
  /** Cosine of the rationale and each debater's argument. */
  similarity: Record<string, number>;
  /** Whether the rationale entails each debater's main premise. */
  entailed: Record<string, boolean>;
  /** Whether it entails the winner's; null: nobody won. */
  consistent: boolean | null;
  embedding_model: string;
  entailment_model: string;
}

/** Whether a debate's rationale follows its winner (Silva et al., 4.2: reasoning consistency). */
export async function consistency(ending: Ending, embedder: Embedder, entailer: Entailer): Promise<Consistency> {
  const { rationale, winner } = ending;
  const [vectors, verdicts] = await Promise.all([
    embedder.embed([rationale, ...ending.arguments.map(({ text }) => text)]),
    Promise.all(ending.arguments.map(({ main_premise }) => entailer.entails(rationale, main_premise))),
  ]);
  const of = <T>(value: (index: number) => T) =>
    Object.fromEntries(ending.arguments.map(({ debater }, index) => [debater, value(index)]));
  const entailed = of((index) => verdicts[index]!);
  return {
    similarity: of((index) => cosine(vectors[0]!, vectors[index + 1]!)),
    entailed,
    consistent: winner === null ? null : (entailed[winner] ?? null),
    embedding_model: embedder.model,
    entailment_model: entailer.model,
  };
}

/** Share of consistent debates among those that somebody won, 0 to 1; null: nobody won any. */
export function consistencyRate(debates: readonly Pick<Consistency, "consistent">[]): number | null {
  const decided = debates.flatMap(({ consistent }) => (consistent === null ? [] : [Number(consistent)]));
  return decided.length === 0 ? null : mean(decided);
}

/** Of vectors of any length; 0 when one has none. */
function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, first, second] = [0, 0, 0];
  for (let at = 0; at < one.length; at++) {
    dot += one[at]! * other[at]!;
    first += one[at]! ** 2;
    second += other[at]! ** 2;
  }
  return first === 0 || second === 0 ? 0 : dot / Math.sqrt(first * second);
}
