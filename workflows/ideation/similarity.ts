import { cosine } from "../../src/engine/vectors";
import type { Idea } from "./artifacts";

/** The measure that stands in where no encoder is configured; the README says how far the two agree. */
export const LEXICAL_MEASURE = "word-and-pair-cosine";

/** Above these, ideas are duplicates. The encoder's is the paper's; the lexical one was measured (`npm run lexical-agreement`). */
export const THRESHOLDS = { embedding: 0.8, lexical: 0.6 } as const;

/** An idea as it is compared (spec, step 6): its name, then a line for each field. */
export const comparedText = (idea: Idea): string =>
  [
    idea.name,
    `Problem: ${idea.problem}`,
    `Existing Methods: ${idea.existing_methods}`,
    `Motivation: ${idea.motivation}`,
    `Proposed Method: ${idea.proposed_method}`,
    `Experiment Plan: ${idea.experiment_plan}`,
  ].join("\n");

/** How alike two of some texts are, by their places: 0 to 1, sometimes a little below 0 for vectors. */
export type Similarity = (one: number, other: number) => number;

export const byVectors =
  (vectors: readonly Float32Array[]): Similarity =>
  (one, other) =>
    cosine(vectors[one]!, vectors[other]!);

/** Cosine of the counts of words and of pairs of neighbouring words. It knows two texts and nothing else, so no idea depends on a third. */
export function byWords(texts: readonly string[]): Similarity {
  const ids = new Map<string, number>();
  const counted = texts.map((text) => counts(terms(text), ids));
  return (one, other) => sharedCosine(counted[one]!, counted[other]!);
}

/** Counts of terms by their numbers, in ascending order, scaled to unit length. */
interface Counts {
  terms: Uint32Array;
  weights: Float32Array;
}

function counts(found: readonly string[], ids: Map<string, number>): Counts {
  const numbers = new Map<number, number>();
  for (const term of found) {
    const id = ids.get(term) ?? ids.size;
    ids.set(term, id);
    numbers.set(id, (numbers.get(id) ?? 0) + 1);
  }
  const sorted = [...numbers].toSorted(([one], [other]) => one - other);
  const length = Math.hypot(...sorted.map(([, count]) => count)) || 1;
  return {
    terms: Uint32Array.from(sorted, ([term]) => term),
    weights: Float32Array.from(sorted, ([, count]) => count / length),
  };
}

function sharedCosine(one: Counts, other: Counts): number {
  let sum = 0;
  for (let a = 0, b = 0; a < one.terms.length && b < other.terms.length;) {
    const difference = one.terms[a]! - other.terms[b]!;
    if (difference === 0) sum += one.weights[a++]! * other.weights[b++]!;
    else if (difference < 0) a++;
    else b++;
  }
  return sum;
}

/** Words that say nothing of what a text is about. */
const STOP_WORDS = new Set(
  "a about across also an and are as at be been between both but by can could did do does each for from had has have how if in into is it its may more most no not of on only or other our over s so such than that the their them then there these they this those through to under use used using via was we were what when where which while who will with within would".split(
    " ",
  ),
);

/** Scripts that put no blanks between words: there, two neighbouring characters stand for a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function terms(text: string): string[] {
  const words = (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .flatMap((word) => (UNSPACED.test(word) ? characterPairs(word) : [word]))
    .filter((word) => !STOP_WORDS.has(word));
  return [...words, ...words.slice(1).map((word, index) => `${words[index]!} ${word}`)];
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  return characters.length < 2 ? characters : characters.slice(1).map((character, at) => characters[at]! + character);
}

/** The same measure with every pair worked out once, when the first is asked for: several readers look at all of them. */
export function tabulated(similarity: Similarity, count: number): Similarity {
  let table: Float32Array | null = null;
  const fill = () => {
    const filled = new Float32Array((count * (count - 1)) / 2);
    for (let later = 1, at = 0; later < count; later++)
      for (let earlier = 0; earlier < later; earlier++) filled[at++] = similarity(earlier, later);
    return filled;
  };
  return (one, other) => {
    table ??= fill();
    const [earlier, later] = one < other ? [one, other] : [other, one];
    return one === other ? 1 : table[(later * (later - 1)) / 2 + earlier]!;
  };
}
