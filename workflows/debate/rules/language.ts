import { languageOf } from "#workflow-kit/language";
import type { Question } from "../artifacts";

/** Languages of our own texts: reports and mock outputs. Models write in any language. */
export type OutputLanguage = "en" | "pt";

/** The language of a question for our own texts: by its tag, else by its words; English where it is neither. */
export function outputLanguageOf({ language, text }: Pick<Question, "language" | "text">): OutputLanguage {
  if (language) return /^pt\b/iu.test(language) ? "pt" : "en";
  return languageOf(text) === "pt" ? "pt" : "en";
}
