import { normalForm } from "#workflow-kit/text";
import { plainSearch, type Similarities } from "./similarity";

/** The measure used without an embedding model; the README says how far the two agree. */
export const LEXICAL_MEASURE = "word-and-pair-cosine";

/**
 * Cosine of the counts of words and of pairs of neighbouring words. It depends on the two texts alone, never on a third. Sums are
 * integers, so a similarity equal to a threshold is never above it.
 */
export function byWords(texts: readonly string[]): Similarities {
  const { places, counts, begins, own, squares } = sharedTerms(texts);
  const before = (place: number): Float64Array => {
    const products = new Int32Array(place);
    for (const at of own[place]!) {
      const count = counts[at]!;
      for (let other = begins[at]!; other < at; other++) products[places[other]!]! += count * counts[other]!;
    }
    const row = new Float64Array(place);
    for (let other = 0; other < place; other++)
      if (products[other]) row[other] = products[other]! / Math.sqrt(squares[place]! * squares[other]!);
    return row;
  };
  return { count: texts.length, before, search: () => plainSearch(before) };
}

/** An inverted index of terms: parallel arrays with an entry per term and text, sorted by term, then by text. */
interface SharedTerms {
  /** The text of each entry. */
  places: Int32Array;
  /** How often the text contains the term. */
  counts: Int32Array;
  /** Index of the first entry of the same term. */
  begins: Int32Array;
  /** For each text, the indices of its entries. */
  own: number[][];
  /** The squared norm of each text, over all its terms. */
  squares: Float64Array;
}

/** Builds the index. Terms of a single text, such as most word pairs, add nothing to any product and get no entry. */
function sharedTerms(texts: readonly string[]): SharedTerms {
  const uses = usesOfTerms(texts);
  const places = new Int32Array(uses.length);
  const counts = new Int32Array(uses.length);
  const begins = new Int32Array(uses.length);
  const own: number[][] = texts.map(() => []);
  const squares = new Float64Array(texts.length);
  let end = 0;
  for (let use = 0; use < uses.length;) {
    const begin = end;
    const term = uses.terms[use];
    for (; uses.terms[use] === term; use++) {
      const place = uses.places[use]!;
      if (end === begin || places[end - 1] !== place) places[end++] = place;
      counts[end - 1]!++;
    }
    for (let at = begin; at < end; at++) squares[places[at]!]! += counts[at]! ** 2;
    if (end - begin === 1) {
      counts[begin] = 0;
      end = begin;
    }
    for (let at = begin; at < end; at++) {
      begins[at] = begin;
      own[places[at]!]!.push(at);
    }
  }
  return { places, counts, begins, own, squares };
}

/** Every use of a term in a text, sorted by term, then by text. */
interface Uses {
  length: number;
  terms: Float64Array;
  places: Int32Array;
}

/** A term is a word, or a word and the one before it. */
function usesOfTerms(texts: readonly string[]): Uses {
  const numbers = new Map(STOP_WORDS.map((word) => [word, 0]));
  const numbered = texts.map((text) => wordNumbers(text, numbers));
  const most = 2 * numbered.reduce((sum, words) => sum + words.length, 0);
  const [befores, words, places] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  let length = 0;
  const add = (before: number, word: number, place: number) => {
    befores[length] = before;
    words[length] = word;
    places[length++] = place;
  };
  numbered.forEach((found, place) =>
    found.forEach((word, at) => {
      add(0, word, place);
      if (at > 0) add(found[at - 1]!, word, place);
    }),
  );
  // A stable counting sort is far faster here than maps of maps.
  const order = sorted(
    sorted(
      new Int32Array(length).map((_, use) => use),
      words,
      numbers.size,
    ),
    befores,
    numbers.size,
  );
  const uses = { length, terms: new Float64Array(length), places: new Int32Array(length) };
  for (let at = 0; at < length; at++) {
    const use = order[at]!;
    uses.terms[at] = befores[use]! * numbers.size + words[use]!;
    uses.places[at] = places[use]!;
  }
  return uses;
}

/** Sorts uses by their keys; the sort is stable. */
function sorted(uses: Int32Array, keys: Int32Array, most: number): Int32Array {
  const begins = new Int32Array(most + 1);
  for (const use of uses) begins[keys[use]! + 1]!++;
  for (let key = 1; key <= most; key++) begins[key]! += begins[key - 1]!;
  const order = new Int32Array(uses.length);
  for (const use of uses) order[begins[keys[use]!]!++] = use;
  return order;
}

/**
 * The words of a text as numbers, from 1, without stop words.
 * @param numbers number of each known word; new words are added
 */
function wordNumbers(text: string, numbers: Map<string, number>): number[] {
  const found: number[] = [];
  for (const word of wordsOf(text)) {
    let number = numbers.get(word);
    if (number === undefined) numbers.set(word, (number = numbers.size));
    if (number) found.push(number);
  }
  return found;
}

/** Words that say nothing about the topic of a text. */
const STOP_WORDS =
  "a about across also an and are as at be been between both but by can could did do does each for from had has have how if in into is it its may more most no not of on only or other our over s so such than that the their them then there these they this those through to under use used using via was we were what when where which while who will with within would".split(
    " ",
  );

/** Scripts without spaces: there, a pair of neighbouring characters counts as a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(text: string): string[] {
  const words =
    normalForm(text, "NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return UNSPACED.test(text) ? words.flatMap((word) => (UNSPACED.test(word) ? characterPairs(word) : [word])) : words;
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  return characters.length < 2 ? characters : characters.slice(1).map((character, at) => characters[at]! + character);
}
