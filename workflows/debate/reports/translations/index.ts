import type { OutputLanguage } from "../../rules/language";
import { ENGLISH } from "./en";
import { PORTUGUESE } from "./pt";
import type { Translation } from "./words";

export type { Translation } from "./words";

export const TRANSLATIONS: Record<OutputLanguage, Translation> = { en: ENGLISH, pt: PORTUGUESE };
