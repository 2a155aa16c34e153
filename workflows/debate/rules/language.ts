import type { Question } from "../artifacts";

/** Languages that our own words exist in: those of the report and of rehearsals. Models write in any. */
export type OutputLanguage = "en" | "pt";

/** Frequent small words that the other language does not have. */
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

/** By its language tag, else as the question reads; English when it is neither. */
export function voiceOf({ language, text }: Pick<Question, "language" | "text">): OutputLanguage {
  if (language) return /^pt\b/iu.test(language) ? "pt" : "en";
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const count = (voice: OutputLanguage) => words.filter((word) => SMALL_WORDS[voice].has(word)).length;
  return count("pt") > count("en") ? "pt" : "en";
}
