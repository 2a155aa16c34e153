/** Frequent small words of a language, which tell it from the others. */
const SMALL_WORDS = {
  en: "the of and is was that which to for with by on has had his her their would should who what not be it shall this are",
  pt: "do da dos das que não uma um para com por em no na os as foi seu sua é ao pela pelo qual ser à são ou nos nas",
  es: "el los las del que una un para con por en fue su es al cual ser son y no se lo sus ha como este",
  fr: "le les des du et est une un pour dans par sur qui que ne pas au aux ce cette il elle sont ou l d à",
  de: "der die das und ist ein eine einer des dem den nicht von zu mit für auf im sich wird oder daß dass als bei",
} as const;

export type KnownLanguage = keyof typeof SMALL_WORDS;

const SETS = Object.entries(SMALL_WORDS).map(([language, words]) => [language, new Set(words.split(" "))] as const);

/** Share of a text's words that must be small words of its language, and a lead over the next language that must be kept. */
const MIN_SHARE = 0.12;
const MIN_LEAD = 1.25;

/** The language of a text by its frequent small words; null: it is too short, mixed, or of another language. */
export function languageOf(text: string): KnownLanguage | null {
  const words =
    text
      .slice(0, 5_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = SETS.map(([language, set]) => ({ language, count: words.filter((word) => set.has(word)).length }));
  const [first, second] = counts.toSorted((one, other) => other.count - one.count);
  const clear = first!.count >= words.length * MIN_SHARE && first!.count >= second!.count * MIN_LEAD;
  return words.length > 0 && clear ? (first!.language as KnownLanguage) : null;
}
