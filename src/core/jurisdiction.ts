/** Compares jurisdictions as people write them: codes such as `BR` and `US-CA`, or names of countries. */

import { normalForm } from "./normal-form";

/** Languages of the known country names. */
const LANGUAGES = ["en", "pt", "es", "fr", "de"];
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const OTHER_NAMES = { usa: "us", eua: "us", uk: "gb", england: "gb", inglaterra: "gb", el: "gr", onu: "un", ue: "eu" };

/** Countries whose law the law of a union is part of, by the union's code: the European Union's members, since 2020. */
const MEMBERS: Readonly<Record<string, ReadonlySet<string>>> = {
  eu: new Set("at be bg hr cy cz dk ee fi fr de gr hu ie it lv lt lu mt nl pl pt ro sk si es se".split(" ")),
};
/** Law of all countries. */
const WORLDWIDE = new Set(["un", "international", "internacional", "völkerrecht", "droit international"]);

const folded = (text: string): string =>
  normalForm(text, "NFKC").replace(/\./gu, "").replace(/\s+/gu, " ").trim().toLowerCase();

let cached: ReadonlyMap<string, string> | undefined;

/** Codes of countries by code and by name. */
function countries(): ReadonlyMap<string, string> {
  if (cached) return cached;
  const found = new Map<string, string>(Object.entries(OTHER_NAMES));
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const code of LETTERS.flatMap((first) => LETTERS.map((second) => first + second))) {
      const name = names.of(code);
      if (name === undefined) continue;
      // Former codes stand for today's: "France" is also the name of FX.
      const current = Intl.getCanonicalLocales(`und-${code}`)[0]!.slice("und-".length).toLowerCase();
      found.set(code.toLowerCase(), current);
      found.set(folded(name), current);
    }
  }
  return (cached = found);
}

/** The parts of a jurisdiction, the country first. */
function places(jurisdiction: string): string[] {
  const [first = "", ...rest] = folded(jurisdiction)
    .split(/[^\p{L}\p{N}\s]+/u)
    .map((part) => part.trim())
    .filter(Boolean);
  const country = countries().get(first);
  return [...(country || WORLDWIDE.has(first) ? [country ?? first] : first.split(" ")), ...rest];
}

/** Whether one is the law of all countries, or of a union to which the other belongs. */
const isAbove = (one: string, other: string): boolean => WORLDWIDE.has(one) || (MEMBERS[one]?.has(other) ?? false);

/**
 * Whether an authority is from another jurisdiction: `US-NY` is foreign to `US-CA` and to `Brazil`, not to `US`; `EU` is not foreign to `DE`, and
 * `UN` to nobody. A missing jurisdiction, or a country against a name that is no country (`US` and `California`), cannot be compared and is
 * not called foreign.
 */
export function isForeign(authority: string | null, question: string | null): boolean {
  if (!authority || !question) return false;
  const [one, other] = [places(authority), places(question)];
  const [first = "", second = ""] = [one[0], other[0]];
  if (isAbove(first, second) || isAbove(second, first)) return false;
  const [here, there] = [first, second].map((name) => countries().has(name));
  if (here !== there) return false;
  return one.slice(0, Math.min(one.length, other.length)).some((place, index) => place !== other[index]);
}
