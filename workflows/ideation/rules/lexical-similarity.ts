import { plainSearch, type Similarities } from "./similarity";

/** The measure that stands in where no encoder is configured; the README says how far the two agree. */
export const LEXICAL_MEASURE = "word-and-pair-cosine";

/**
 * Cosine of the counts of words and of pairs of neighbouring words. It knows two texts and nothing else, so no idea depends on a third.
 * Sums are of whole numbers: what is exactly at a threshold is not above it.
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

/** Which texts hold which terms: lists that belong together place by place, term after term, and the texts of a term in their order. */
interface SharedTerms {
  /** The text that holds a term. */
  places: Int32Array;
  /** How often it does. */
  counts: Int32Array;
  /** Where the texts of the same term begin. */
  begins: Int32Array;
  /** For each text, where in these lists it stands. */
  own: number[][];
  /** Of each text, the square of its length, its terms that no other has included. */
  squares: Float64Array;
}

/** Terms of one text alone, most pairs of words, add nothing to any product and are left out of the lists. */
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

/** Every use of a term by a text, sorted by terms, and those of a term by texts. */
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
  // Sorting by counting, which keeps the order of equals, is far quicker here than maps of maps.
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

/** Puts uses in the order of their keys; equal ones stay in the order they had. */
function sorted(uses: Int32Array, keys: Int32Array, most: number): Int32Array {
  const begins = new Int32Array(most + 1);
  for (const use of uses) begins[keys[use]! + 1]!++;
  for (let key = 1; key <= most; key++) begins[key]! += begins[key - 1]!;
  const order = new Int32Array(uses.length);
  for (const use of uses) order[begins[keys[use]!]!++] = use;
  return order;
}

/**
 * The words of a text as numbers, from 1.
 * @param numbers of the words that are known so far; grows
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

/** Words that say nothing of what a text is about. */
const STOP_WORDS =
  "a about across also an and are as at be been between both but by can could did do does each for from had has have how if in into is it its may more most no not of on only or other our over s so such than that the their them then there these they this those through to under use used using via was we were what when where which while who will with within would".split(
    " ",
  );

/** Scripts that put no blanks between words: there, two neighbouring characters stand for a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function wordsOf(text: string): string[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return UNSPACED.test(text) ? words.flatMap((word) => (UNSPACED.test(word) ? characterPairs(word) : [word])) : words;
}

function characterPairs(word: string): string[] {
  const characters = [...word];
  return characters.length < 2 ? characters : characters.slice(1).map((character, at) => characters[at]! + character);
}
