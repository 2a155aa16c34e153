import { STATUTE_NAMES } from "./statute-names";

/** Prefix of terms for places in the law; no word begins with it. */
const MARK = "§";

const NUMBER = String.raw`\d{1,3}(?:\.\d{3})+|\d{1,6}`;
// The patterns are matched where each run of white space is one blank: two adjacent `\s*` would try all ways to share a long run.

/** Article numbers and lists of them: `5º`, `2-A`, `34 e 35`, `7, 8 and 9`. Ordinals are folded to `o` and `a`. */
const CITED_NUMBER = String.raw`(?:${NUMBER})(?:[oa](?![a-z]))?(?:-[a-z]\b|-\d+)?`;
const LIST = String.raw`(${CITED_NUMBER}(?: ?(?:,|;|\be\b|\bou\b|\band\b|\bor\b) ?${CITED_NUMBER})*)`;
const ROMANS = String.raw`([ivxlcdm]{1,8}(?: ?(?:,|\be\b|\bou\b) ?[ivxlcdm]{1,8})*)\b`;

const ARTICLE = new RegExp(String.raw`\b(?:arts?|artigos?|articles?|articulos?)\b\.? ?${LIST}`, "g");
const SECTION = new RegExp(String.raw`(?:§{1,2}|\b(?:paragrafos?|paragraphs?|sections?|secs?)\b\.?) ?${LIST}`, "g");
const CLAUSE = new RegExp(String.raw`\b(?:incisos?|incs?)\b\.? ?${ROMANS}`, "g");
/** Laws cited by number: `Lei nº 8.906/94`, `Decreto-Lei 2.848`, `LC 75`. */
const LAW = new RegExp(
  String.raw`\b(lei complementar|lc|decreto-lei|dec\.-lei|dl|decreto|medida provisoria|mp|emenda constitucional|ec|lei)(?: (?:federal|estadual|municipal))? ?(?:n ?[o.]{1,2})? ?(${NUMBER})(?!\d)`,
  "g",
);
const LAW_KINDS: Readonly<Record<string, string>> = {
  "lei complementar": "lc",
  "decreto-lei": "dl",
  "dec.-lei": "dl",
  decreto: "dec",
  "medida provisoria": "mp",
  "emenda constitucional": "ec",
};

/** `8.906` is `8906`, `5o` is `5`, `5-a` is `5·a`. */
const digits = (number: string) =>
  number
    .replace(/\.(?=\d{3})/g, "")
    .replace(/(?<=\d)[oa]/, "")
    .replace(/-/g, "·");

function* places(folded: string, pattern: RegExp, kind: string, each: RegExp): Generator<string> {
  for (const [, list] of folded.matchAll(pattern))
    for (const [number] of list!.matchAll(each)) yield `${MARK}${kind}${digits(number)}`;
}

const EACH_NUMBER = new RegExp(CITED_NUMBER, "g");
const EACH_ROMAN = /[ivxlcdm]+/g;

/**
 * Terms of the places of statutes that a text cites: `§art34`, `§par1`, `§incxi`, `§lei8906`. Understands Portuguese and English
 * citations; `Section 5`, `§ 5` and `parágrafo 5` share one term.
 * @param text in lower case, without diacritics
 * @param jurisdictions add their names of statutes: `EAOAB` is `§lei8906` in Brazil only
 */
export function statuteTerms(text: string, jurisdictions: readonly string[]): string[] {
  const folded = text.replace(/\s+/g, " ");
  const terms = [
    ...places(folded, ARTICLE, "art", EACH_NUMBER),
    ...places(folded, SECTION, "par", EACH_NUMBER),
    ...places(folded, CLAUSE, "inc", EACH_ROMAN),
  ];
  for (const [, kind, number] of folded.matchAll(LAW))
    terms.push(`${MARK}${LAW_KINDS[kind!] ?? kind}${digits(number!)}`);
  for (const book of new Set(jurisdictions.flatMap((jurisdiction) => bookFor(jurisdiction) ?? [])))
    for (const match of folded.matchAll(book.pattern))
      terms.push(MARK + book.names[match.slice(1).findIndex(Boolean)]!);
  return terms;
}

interface NameBook {
  names: readonly string[];
  /** One group per name. */
  pattern: RegExp;
}

const BOOKS = new Map<string, NameBook>(
  Object.entries(STATUTE_NAMES).map(([country, lines]) => [
    country,
    {
      names: lines.map(([name]) => name),
      pattern: new RegExp(
        String.raw`(?<![a-z0-9])(?:${lines.map(([, ...written]) => `(${written.join("|")})`).join("|")})(?![a-z0-9])`,
        "g",
      ),
    },
  ]),
);

/** The book of names for a jurisdiction, or none. `BR-SP` uses the names of `BR`. */
const bookFor = (jurisdiction: string): NameBook | undefined => BOOKS.get(jurisdiction.toUpperCase().split("-")[0]!);
