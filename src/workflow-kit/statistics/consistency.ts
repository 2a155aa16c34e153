import { mean } from "simple-statistics";

/** Turns texts into vectors, in their order. */
export interface TextEmbedder {
  model: string;
  embed(texts: readonly string[]): Promise<readonly ArrayLike<number>[]>;
}

/** Decides whether a text entails another: an NLI model, or a language model instead (spec, ambiguity 10). */
export interface Entailer {
  model: string;
  entails(premise: string, hypothesis: string): Promise<boolean>;
}

/** The end of a debate. */
export interface Ending {
  /** The judge's three points, as one text. */
  rationale: string;
  arguments: readonly { debater: string; text: string; /** First claim of the last brief. */ main_premise: string }[];
  /** The debaters whose position the answer is: not those who argued best. */
  prevailed: readonly string[];
}

export interface Consistency {
  /** Cosine similarity of the rationale and each debater's argument. */
  similarity: Record<string, number>;
  /** Whether the rationale entails each debater's main premise. */
  entailed: Record<string, boolean>;
  /** Whether the rationale entails a main premise of the debaters that prevailed; null: none did. */
  consistent: boolean | null;
  embedding_model: string;
  entailment_model: string;
}

/**
 * Whether a debate's rationale supports the side that it decides for (Silva et al., 4.2: reasoning consistency; "winning" is whose answer
 * prevailed).
 */
export async function consistency(ending: Ending, embedder: TextEmbedder, entailer: Entailer): Promise<Consistency> {
  const { rationale, prevailed } = ending;
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
    consistent: prevailed.length === 0 ? null : prevailed.some((debater) => entailed[debater] === true),
    embedding_model: embedder.model,
    entailment_model: entailer.model,
  };
}

/** Share of consistent debates among those in which a side prevailed, 0 to 1; null: in none. */
export function consistencyRate(debates: readonly Pick<Consistency, "consistent">[]): number | null {
  const decided = debates.flatMap(({ consistent }) => (consistent === null ? [] : [Number(consistent)]));
  return decided.length === 0 ? null : mean(decided);
}

/** Cosine similarity of vectors of any length; 0 if one is zero. */
function cosine(left: ArrayLike<number>, right: ArrayLike<number>): number {
  let [dot, leftSquares, rightSquares] = [0, 0, 0];
  for (let index = 0; index < left.length; index++) {
    dot += left[index]! * right[index]!;
    leftSquares += left[index]! ** 2;
    rightSquares += right[index]! ** 2;
  }
  return leftSquares === 0 || rightSquares === 0 ? 0 : dot / Math.sqrt(leftSquares * rightSquares);
}
