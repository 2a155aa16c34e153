import type { Question } from "../artifacts";

/** Languages of our own texts: reports and rehearsals. Models write in any language. */
export type OutputLanguage = "en" | "pt";

/** Frequent words that the other language does not have. */
const SMALL_WORDS: Record<OutputLanguage, ReadonlySet<string>> = {
  en: new Set(
    "the of and is was that which to for with by on has had his her their would should who what not be an it".split(
      " ",
    ),
  ),
  pt: new Set(
    "de da do das dos que não uma um para com por em no na os as foi seu sua é ao pela pelo qual ser à se são".split(
      " ",
    ),
  ),
};

/** The language of a question: by its tag, else by its frequent words; English by default. */
export function outputLanguageOf({ language, text }: Pick<Question, "language" | "text">): OutputLanguage {
  if (language) return /^pt\b/iu.test(language) ? "pt" : "en";
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (candidate: OutputLanguage) => words.filter((word) => SMALL_WORDS[candidate].has(word)).length;
  return count("pt") > count("en") ? "pt" : "en";
}
