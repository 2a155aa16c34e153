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

/** How alike some texts are, two by two: 0 to 1, for vectors also below 0. */
export interface Similarities {
  readonly count: number;
  /**
   * Of one text with each of those after it, by their places; what stands at its own place and before means nothing.
   * @param floor what is not above it may be told as less than it is, which saves most of the work; by default all is exact
   */
  after(one: number, floor?: number): Float32Array;
}

/** Above it are no similarities, so everything is. */
const NO_FLOOR = -2;
/** Dimensions after which the rest of a product is estimated. */
const BLOCK = 64;
/** More than rounding can amount to. */
const MARGIN = 1e-5;

/** Cosine of vectors of unit length. A product ends as soon as what is left of both vectors could not lift it above the floor. */
export function byVectors(vectors: readonly Float32Array[]): Similarities {
  const blocks = Math.ceil((vectors[0]?.length ?? 0) / BLOCK);
  const rests = vectors.map((vector) => restLengths(vector, blocks));
  const dimensions = vectors[0]?.length ?? 0;
  const product = (one: number, other: number, floor: number): number => {
    const a = vectors[one]!;
    const b = vectors[other]!;
    const rest = rests[one]!;
    const otherRest = rests[other]!;
    let sum = 0;
    for (let block = 0; block < blocks; block++) {
      sum += partialProduct(a, b, block * BLOCK, Math.min((block + 1) * BLOCK, dimensions));
      if (sum + rest[block]! * otherRest[block]! + MARGIN <= floor) return sum;
    }
    return sum;
  };
  return {
    count: vectors.length,
    after(one, floor = NO_FLOOR) {
      const row = new Float32Array(vectors.length);
      for (let other = one + 1; other < vectors.length; other++) row[other] = product(one, other, floor);
      return row;
    },
  };
}

/** How long what is left of a vector is after each block. */
function restLengths(vector: Float32Array, blocks: number): Float32Array {
  const lengths = new Float32Array(blocks);
  let squares = 0;
  for (let block = blocks - 1; block >= 0; block--) {
    lengths[block] = Math.sqrt(squares);
    for (const value of vector.subarray(block * BLOCK, (block + 1) * BLOCK)) squares += value * value;
  }
  return lengths;
}

/** Four sums at once: additions then need not wait for each other. */
function partialProduct(a: Float32Array, b: Float32Array, from: number, to: number): number {
  let s = 0;
  let t = 0;
  let u = 0;
  let v = 0;
  let at = from;
  for (; at + 3 < to; at += 4) {
    s += a[at]! * b[at]!;
    t += a[at + 1]! * b[at + 1]!;
    u += a[at + 2]! * b[at + 2]!;
    v += a[at + 3]! * b[at + 3]!;
  }
  for (; at < to; at++) s += a[at]! * b[at]!;
  return s + t + u + v;
}

/** The texts that hold a term, in their order, and how much of each it is. */
interface Postings {
  places: number[];
  weights: number[];
}

/** Cosine of the counts of words and of pairs of neighbouring words. It knows two texts and nothing else, so no idea depends on a third. */
export function byWords(texts: readonly string[]): Similarities {
  const numbers = new Map<string, number>();
  const counts = texts.map((text) => termCounts(text, numbers));
  const shared = sharedTerms(counts);
  const index = new Map<number, Postings>();
  const weighted = counts.map((terms, place) => {
    let squares = 0;
    for (const count of terms.values()) squares += count * count;
    const length = Math.sqrt(squares);
    const own: { weight: number; postings: Postings }[] = [];
    for (const [term, count] of terms) {
      if (!shared.has(term)) continue;
      let postings = index.get(term);
      if (!postings) index.set(term, (postings = { places: [], weights: [] }));
      postings.places.push(place);
      postings.weights.push(count / length);
      own.push({ weight: count / length, postings });
    }
    return own;
  });
  return {
    count: texts.length,
    after(one) {
      const row = new Float32Array(texts.length);
      for (const { weight, postings } of weighted[one]!) {
        const { places, weights } = postings;
        for (let at = places.length - 1; places[at]! > one; at--) row[places[at]!]! += weight * weights[at]!;
      }
      return row;
    },
  };
}

/** Terms of more than one text: the others, most pairs of words, add nothing to any product. */
function sharedTerms(counts: readonly ReadonlyMap<number, number>[]): Set<number> {
  const seen = new Set<number>();
  const shared = new Set<number>();
  for (const terms of counts)
    for (const term of terms.keys()) {
      if (seen.has(term)) shared.add(term);
      else seen.add(term);
    }
  return shared;
}

/** Words that one run may know; pairs of their numbers are numbers too. */
const MOST_WORDS = 2 ** 26;

/**
 * How often each word, and each pair of neighbouring words, stands in a text.
 * @param numbers of the words that are known so far; grows
 */
function termCounts(text: string, numbers: Map<string, number>): Map<number, number> {
  const counts = new Map<number, number>();
  const count = (term: number) => counts.set(term, (counts.get(term) ?? 0) + 1);
  let before = 0;
  for (const word of wordsOf(text)) {
    let number = numbers.get(word);
    if (number === undefined) numbers.set(word, (number = numbers.size + 1));
    count(number);
    if (before) count(before * MOST_WORDS + number);
    before = number;
  }
  return counts;
}

/** Words that say nothing of what a text is about. */
const STOP_WORDS = new Set(
  "a about across also an and are as at be been between both but by can could did do does each for from had has have how if in into is it its may more most no not of on only or other our over s so such than that the their them then there these they this those through to under use used using via was we were what when where which while who will with within would".split(
    " ",
  ),
);

/** Scripts that put no blanks between words: there, two neighbouring characters stand for a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const parted = UNSPACED.test(text)
    ? words.flatMap((word) => (UNSPACED.test(word) ? characterPairs(word) : [word]))
    : words;
  return parted.filter((word) => !STOP_WORDS.has(word));
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  return characters.length < 2 ? characters : characters.slice(1).map((character, at) => characters[at]! + character);
}

/** All similarities of some texts, worked out when the first is asked for. */
export function pairwise(similarities: Similarities): (one: number, other: number) => number {
  let rows: Float32Array[] | null = null;
  return (one, other) => {
    rows ??= Array.from({ length: similarities.count }, (_, place) => similarities.after(place));
    return one === other ? 1 : rows[Math.min(one, other)]![Math.max(one, other)]!;
  };
}
