import { quoted } from "#workflow-kit/text";
import type { Authority, Citation, Position, Question } from "../artifacts";
import { isForeign } from "#workflow-kit/jurisdiction";
import { outputLanguageOf } from "../rules/language";
import { PHRASES, type Phrases } from "./phrases";

export const phrasesFor = (question: Question): Phrases => PHRASES[outputLanguageOf(question)];

/** A part of the case as one safe line without its final punctuation; "…" for a text without words. */
export const short = (text: string, max = 160): string => quoted(text, max).replace(/[?!:;,\s]+$/u, "") || "…";

export const shortPosition = ({ statement }: Pick<Position, "statement">): string => short(statement);

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu));

/** Number of words that two texts share. */
export const sharedWords = (one: string, other: string): number => words(one).intersection(words(other)).size;

/** The authority that shares most words with a position; the earlier one on a tie. */
const nearest = (authorities: readonly Authority[], position: string): Authority | undefined =>
  authorities.toSorted((one, other) => sharedWords(other.excerpt, position) - sharedWords(one.excerpt, position))[0];

/** The first sentence of an excerpt that is long enough for a quote, or its beginning, verbatim. */
export function passageOf({ excerpt }: Authority): string {
  const sentences = excerpt.split(/(?<=[.;:!?。])\s+|\n+/u).map((sentence) => sentence.trim());
  const sentence =
    sentences.find((candidate) => (candidate.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 12) ?? excerpt.trim();
  return sentence.length <= MAX_QUOTE_LENGTH ? sentence : wholeWords(sentence.slice(0, MAX_QUOTE_LENGTH));
}

const MAX_QUOTE_LENGTH = 300;

/** A cut text up to its last whole word; in a script without spaces, up to its last whole character. */
const wholeWords = (cut: string): string => cut.replace(/\s+\S*$/u, "").replace(/[\ud800-\udbff]$/, "");

/** The citation that `outcome` asks for; none without an authority to cite. */
export function mockCitations(
  question: Question,
  authorities: readonly Authority[],
  position: string,
  outcome: string,
): Citation[] {
  const phrases = phrasesFor(question);
  const proposition = (quote: string) => phrases.proposition(short(quote));
  if (outcome === "no_citation") return [];
  if (outcome === "cite_invented") return [{ ...phrases.invented, proposition: proposition(phrases.invented.quote) }];
  const home = authorities.filter(({ jurisdiction }) => !isForeign(jurisdiction, question.jurisdiction));
  const foreign = authorities.filter((authority) => !home.includes(authority));
  const from = outcome === "foreign_jurisdiction" && foreign.length ? foreign : home.length ? home : authorities;
  const authority = nearest(from, position);
  if (!authority) return [];
  const quote = outcome === "misquote" ? phrases.misquote : passageOf(authority);
  return [{ authority_id: authority.label, quote, proposition: proposition(quote) }];
}
