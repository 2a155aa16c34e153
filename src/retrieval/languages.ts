import { newStemmer } from "snowball-stemmers";
import { eng } from "stopword/src/stopwords_eng.js";
import { por } from "stopword/src/stopwords_por.js";
import { foldMarks } from "./fold";

/** Stop words and stemmer of a language. */
export interface LanguageKnowledge {
  stopWords: ReadonlySet<string>;
  /** @param word in lower case, with its diacritics */
  stem(word: string): string;
}

const knowledge = (stopWords: readonly string[], algorithm: string): LanguageKnowledge => {
  const stemmer = newStemmer(algorithm);
  return { stopWords: new Set(stopWords.map(foldMarks)), stem: (word) => stemmer.stem(word) };
};

/** By primary subtag. The stop lists are short, because longer ones contain words of the law, like `conselho` and `trabalho`. Other languages have no stop words and no stemming. */
const LANGUAGES: Readonly<Record<string, LanguageKnowledge>> = {
  en: knowledge(eng, "english"),
  pt: knowledge(por, "portuguese"),
};

/** `pt-BR` and `PT` are `pt`. */
export const primarySubtag = (language: string): string => language.toLowerCase().split("-")[0]!;

/** @param language BCP 47; null: unknown */
export function languageKnowledge(language: string | null): LanguageKnowledge | null {
  const primary = language === null ? "" : primarySubtag(language);
  return Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary]! : null;
}
