import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { eng } from "stopword/src/stopwords_eng.js";
import { por } from "stopword/src/stopwords_por.js";
import porter2 from "wink-porter2-stemmer";
import { foldMarks } from "./fold";

/** Stop words and stemmer of a language. */
export interface LanguageKnowledge {
  stopWords: ReadonlySet<string>;
  /** @param word in lower case, with its diacritics */
  stem(word: string): string;
}

/** Words whose stem in the package differs from Snowball's. */
const ENGLISH_EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["howe", "howe"],
  ["sses", "ss"],
  ["yyyy", "yyyi"],
]);

/** Stems like Snowball, whose stems existing indexes contain. The package marks a consonant `y` as `3`, so a `3` in the word is hidden from it. */
const stemEnglish = (word: string): string =>
  ENGLISH_EXCEPTIONS.get(word) ?? porter2(word.replaceAll("3", "#")).replaceAll("#", "3");

/** By primary subtag. The stop lists are short, because longer ones contain words of the law, like `conselho` and `trabalho`. Other languages have no stop words and no stemming. */
const LANGUAGES: Readonly<Record<string, LanguageKnowledge>> = {
  en: { stopWords: new Set(eng.map(foldMarks)), stem: stemEnglish },
  pt: { stopWords: new Set(por.map(foldMarks)), stem: stemPortuguese },
};

/** `pt-BR` and `PT` are `pt`. */
export const primarySubtag = (language: string): string => language.toLowerCase().split("-")[0]!;

/** @param language BCP 47; null: unknown */
export function languageKnowledge(language: string | null): LanguageKnowledge | null {
  const primary = language === null ? "" : primarySubtag(language);
  return Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary]! : null;
}
