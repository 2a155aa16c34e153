/** Stems of a language: they are in the index, so that a stemmer which gives others cannot find what is indexed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { languageKnowledge } from "#retrieval/languages";

/** A word and its stem a line, as Snowball's own stemmers give them (snowball-stemmers 0.6.0). */
const snowballStems = (language: string) =>
  readFileSync(join(import.meta.dirname, `../../fixtures/stems/${language}.txt`), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));

describe.each(["en", "pt"])("stems of %s", (language) => {
  it("are Snowball's", () => {
    const { stem } = languageKnowledge(language)!;
    const words = snowballStems(language);
    expect(words.length).toBeGreaterThan(2500);
    expect(words.filter(([word, expected]) => stem(word!) !== expected)).toEqual([]);
  });
});

it("digits of an English word stay as they are", () => {
  const { stem } = languageKnowledge("en")!;
  for (const word of ["3", "403", "1983", "13th", "a3b3c3"]) expect(stem(word)).toBe(word);
});
