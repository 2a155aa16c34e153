import { newStemmer } from "snowball-stemmers";
import { eng } from "stopword/src/stopwords_eng.js";
import { por } from "stopword/src/stopwords_por.js";
import { foldMarks } from "./fold";

/** What is known of a language: which words say nothing, and how inflected forms come together. */
export interface LanguageKnowledge {
  stopWords: ReadonlySet<string>;
  /** @param word in lower case, with its diacritics */
  stem(word: string): string;
}

const knowledge = (stopWords: readonly string[], algorithm: string): LanguageKnowledge => {
  const stemmer = newStemmer(algorithm);
  return { stopWords: new Set(stopWords.map(foldMarks)), stem: (word) => stemmer.stem(word) };
};

/** By primary subtag. Short lists: longer ones hold words that mean something in law, like `conselho` and `trabalho`. Words of any other language are taken as they stand. */
const LANGUAGES: Readonly<Record<string, LanguageKnowledge>> = {
  en: knowledge(eng, "english"),
  pt: knowledge(por, "portuguese"),
};

/** `pt-BR` and `PT` are `pt`. */
export const primarySubtag = (language: string): string => language.toLowerCase().split("-")[0]!;

/** @param language BCP 47; null when nobody said which */
export function languageKnowledge(language: string | null): LanguageKnowledge | null {
  const primary = language === null ? "" : primarySubtag(language);
  return Object.hasOwn(LANGUAGES, primary) ? LANGUAGES[primary]! : null;
}
