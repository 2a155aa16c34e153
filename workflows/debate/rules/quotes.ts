import { normalForm } from "#workflow-kit/text";
import { languageOf } from "#workflow-kit/language";
import type { QuoteMatch } from "../artifacts";

/** Compares quotes with the authorities that they are taken from. */

/** Fewest letters and digits of a quote: shorter ones occur in nearly any text. Scripts without spaces need fewer. */
const MIN_QUOTE_LENGTH = 12;
const MIN_LENGTH_IN_DENSE_SCRIPT = 5;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const OMISSION = /\s*(?:[[(]\s*(?:\.{3}|…)\s*[\])]|\.{3,}|…)\s*/u;

/**
 * Statutes keep old spellings, and models modernise them: "freqüentar", "assembléia", "vôo" before the Portuguese reform of 1990,
 * "daß" before the German reform of 1996, and the optional vowel signs of Arabic. Other accents stay: "e" is not "é".
 */
const OLDER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/([gq])ü(?=[eéêiíî])/gu, "$1u"],
  [/éi/gu, "ei"],
  [/ói/gu, "oi"],
  [/êe/gu, "ee"],
  [/ôo/gu, "oo"],
  [/ß/gu, "ss"],
  [/[\u064b-\u0652\u0670]/gu, ""],
];

/**
 * A text normalised for the comparison of quotes: Unicode form, dashes, quotation marks, white space, case and older spellings;
 * invisible characters are removed. `‹` becomes `<`, because prompts escape `<` as `‹` (src/workflow-kit/prompt-values.ts).
 */
const comparable = (text: string): string =>
  OLDER_SPELLINGS.reduce(
    (modern, [older, newer]) => modern.replace(older, newer),
    normalForm(text.replace(/…/gu, "..."), "NFKC")
      .replace(/[\u00AD\u0640\p{Cf}]/gu, "")
      .replace(/[\p{Pd}\u2212]/gu, "-")
      .replace(/‹(?=\s*(?:\/\s*)?material)/giu, "<")
      .replace(/["'`´‘’‚‛“”„‟«»‹›「」『』]+/gu, "'")
      .replace(/\s+/gu, " ")
      .toLowerCase()
      .trim(),
  );

/** Without the marks that the writer, not the source, put around a quote. */
const trimmed = (text: string): string => text.replace(/^[\s'".,;:()[\]-]+|[\s'".,;:()[\]-]+$/gu, "");

/** A key that is equal for two texts of the same words. */
export const sameWords = (text: string): string => trimmed(comparable(text));

/** Whether a quote is long enough to prove anything: an empty one, or one of a word or two, is not. */
function isLongEnough(quote: string): boolean {
  const letters = quote.match(/[\p{L}\p{N}]/gu) ?? [];
  return letters.length >= (DENSE.test(quote) ? MIN_LENGTH_IN_DENSE_SCRIPT : MIN_QUOTE_LENGTH);
}

/** A hyphenated line break within a word, as in texts extracted from pages. */
const CUT_WORD = /(?<=\p{L})[-\u00ad\u2010]\r?\n\s*(?=\p{Ll})/gu;

/**
 * How an excerpt contains a quote: as one passage, or as parts in order where the quote marks omissions. An omission counts only when it is
 * short and drops no word that can turn the meaning, or when it drops whole items of an enumeration.
 */
export function matchOf(quote: string, excerpt: string): QuoteMatch {
  const parts = comparable(quote)
    .split(OMISSION)
    .map(trimmed)
    .filter((part) => part !== "");
  if (parts.length === 0 || !isLongEnough(parts.join(" "))) return "missing";
  const turning = languageOf(excerpt) === "pt" ? [TURNING] : [TURNING, TURNING_BUT_NOT_IN_PORTUGUESE];
  const found = [excerpt, excerpt.replace(CUT_WORD, "")].map((text) => bestMatch(comparable(text), parts, turning));
  return BEST_FIRST.find((match) => found.includes(match))!;
}

const BEST_FIRST = ["verbatim", "abridged", "altered", "missing"] as const satisfies readonly QuoteMatch[];

function bestMatch(text: string, parts: readonly string[], turning: readonly RegExp[]): QuoteMatch {
  if (parts.length === 1) return placesOf(text, parts[0]!, 0).length ? "verbatim" : "missing";
  const isHarmless = (gap: string) =>
    WHOLE_ITEMS.test(gap) || (gap.length <= MAX_GAP && !turning.some((pattern) => pattern.test(gap)));
  const gaps = gapsBetween(text, parts, isHarmless);
  if (gaps === null) return "missing";
  return gaps.every((choices) => choices.some(isHarmless)) ? "abridged" : "altered";
}

/**
 * The texts that may stand between each part and the next: from each place of a part to the next place of the following one. Parts are taken
 * where the parts before them can stand too.
 * @returns null: the parts are not in this order
 */
function gapsBetween(text: string, parts: readonly string[], isHarmless: (gap: string) => boolean): string[][] | null {
  let before = placesOf(text, parts[0]!, 0);
  const gaps: string[][] = [];
  for (const [index, part] of parts.slice(1).entries()) {
    const ends = before.map((place) => place + parts[index]!.length);
    const next = placesOf(text, part, Math.min(...ends));
    const between = next.flatMap((place) => {
      const nearest = Math.max(...ends.filter((end) => end <= place));
      return Number.isFinite(nearest) ? [{ place, gap: text.slice(nearest, place) }] : [];
    });
    if (between.length === 0) return null;
    gaps.push(between.map(({ gap }) => gap));
    const harmless = between.filter(({ gap }) => isHarmless(gap));
    before = (harmless.length ? harmless : between).map(({ place }) => place);
  }
  return gaps;
}

/** Longest omission, in characters: about sixty words. */
const MAX_GAP = 400;

const anyOf = (...lists: readonly string[]): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${lists.join("|")})(?![\p{L}\p{N}])`, "iu");

/**
 * Words that turn the meaning of the sentence that they are in: negations, conditions and exceptions, in English, Portuguese, Spanish, French
 * and German, and in some scripts with other words. A Portuguese "se" is too often a pronoun.
 */
const TURNING = new RegExp(
  [
    anyOf(
      String.raw`not|\p{L}+n't|cannot|none|nor|never|neither|nobody|nothing|without|unless|except|excepting|exceptions?|excluding|but|however|if|provided|only|save|other than|notwithstanding|subject to`,
      "não|nunca|jamais|nem|nenhum|nenhuma|ninguém|nada|sem|salvo|exceto|excepto|exceção|excetuad[oa]s?|ressalvad[oa]s?|ressalva|senão|desde que|a menos que|apenas|somente|só|mas|porém|vedad[oa]s?|proibid[oa]s?",
      "jamás|ni|ningún|ninguno|ninguna|nadie|sin|excepción|sino|siempre que|pero|sólo|solamente|prohibid[oa]s?",
      String.raw`ne|n'\p{L}+|pas|aucune?|sans|sauf|hormis|excepté|exception|à moins|seulement|toutefois|interdite?s?`,
      String.raw`nicht|nichts|nie|niemals|niemand|kein\p{L}*|ohne|außer|ausser|ausgenommen|ausnahmen?|weder|es sei denn|wenn|sofern|soweit|nur|aber|jedoch|unzulässig|verboten`,
    ).source,
    "[不没沒無无非未否除但]|ない|ません|ただし|لا|لم|لن|ليس|غير|إلا|بدون|دون",
  ].join("|"),
  "iu",
);
/** In Portuguese these mean "in the", "oneself" and "more". */
const TURNING_BUT_NOT_IN_PORTUGUESE = anyOf("no|si|mais");

/** Whole items of an enumeration: from a colon or semicolon to the next item's beginning, its number included. */
const WHOLE_ITEMS = /^\s*[:;].*;(?:\s*(?:e|ou|and|or|y|o|et|ou|und|oder))?\s*(?:\(?[\p{L}\p{N}]{1,6}\s*[-.)º°]+\s*)?$/u;

/** Places of whole words in a text, from one place on: "art. 3" is not in "art. 34". */
function placesOf(text: string, words: string, from: number): number[] {
  const joins = (one: string | undefined, other: string | undefined) =>
    one !== undefined && other !== undefined && !DENSE.test(one + other) && /^[\p{L}\p{N}]{2}$/u.test(one + other);
  const places: number[] = [];
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    if (!joins(text[at - 1], words[0]) && !joins(words.at(-1), text[end])) places.push(at);
  }
  return places;
}
