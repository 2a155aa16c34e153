/** Passages are slices of their document, and together they cover its text. */
import { describe, expect, it } from "vitest";
import { splitIntoPassages } from "#retrieval/split-passages";

const split = (text: string, longest?: number) =>
  Array.from(splitIntoPassages(text, longest), (slice) => ({ ...slice, excerpt: text.slice(slice.start, slice.end) }));

/** A seeded random generator. */
function dice(seed: number) {
  let state = seed;
  return (sides: number) => {
    state = (state * 48271) % 2147483647;
    return state % sides;
  };
}

describe("passages", () => {
  const NASTY = [
    "👩‍👩‍👧‍👦", "e\u0301", "\ufeff", "\u200b", "\u2028", "\u2029", "\r\n", "\r", "\n", "\n\n", "\t", "\u00a0", "法律", "ไทย", "مرحبا", "\u202e", "ﬁ", "½",
    "# ", "## T", "Art. 1", "§ 2º", "\ud800", "\udc00", "\0", "\ufffd", "x".repeat(300), "a. ", "Dr. B. ", "?! ", "- ", "| a | b |", "```", " ", "word ", "İ", "ß",
  ]; // prettier-ignore

  it("are verbatim, in order, and omit nothing but blanks, for any text", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const roll = dice(seed * 7919);
      const text = Array.from({ length: roll(400) }, () => NASTY[roll(NASTY.length)]).join("");
      const passages = split(text, 1 + roll(40));
      let at = 0;
      for (const { start, end, excerpt } of passages) {
        expect(text.slice(at, start).trim(), `seed ${seed}`).toBe("");
        expect(end).toBeGreaterThan(start);
        expect(excerpt).toBe(excerpt.trim());
        at = end;
      }
      expect(text.slice(at).trim(), `seed ${seed}`).toBe("");
    }
  });

  it("begin at titles and articles, and have their headings", () => {
    const text =
      "# Law\n\nPreamble.\n\n## Part I\nArt. 1º First.\n§ 1º Of the first.\n\nArt. 2-A. Second.\n### Annex\nTable.\n# Other\nText.";
    expect(split(text).map(({ excerpt, heading }) => [excerpt, heading])).toEqual([
      ["# Law\n\nPreamble.", "Law"],
      ["## Part I\nArt. 1º First.\n§ 1º Of the first.", "Law · Part I · Art. 1º"],
      ["Art. 2-A. Second.", "Law · Part I · Art. 2-A"],
      ["### Annex\nTable.", "Law · Part I · Annex"],
      ["# Other\nText.", "Other"],
    ]);
    expect(split("Section 1. A.\nSection 2. B.").map(({ heading }) => heading)).toEqual(["Section 1", "Section 2"]);
  });

  it("of a long article have its opening in their heading", () => {
    const text = `Art. 34. These are infractions:\n${Array.from({ length: 60 }, (_, n) => `${n} - to do what the rule of number ${n} forbids;`).join("\n")}`;
    const passages = split(text, 100);
    expect(passages.length).toBeGreaterThan(3);
    expect(passages[0]!.heading).toBe("Art. 34");
    for (const { heading } of passages.slice(1)) expect(heading).toBe("Art. 34. These are infractions:");
  });

  it("end at lines, else at sentences, else at words", () => {
    const sentence = "One two three four five six seven eight nine ten. ";
    for (const { excerpt } of split(sentence.repeat(20), 25)) expect(excerpt).toMatch(/^One .* ten\.$/);
    for (const { excerpt } of split("word ".repeat(200), 30))
      expect(excerpt.split(" ")).toHaveLength(excerpt.length > 100 ? 30 : 20);
    for (const { excerpt } of split("line of five words here\n".repeat(40), 12))
      expect(excerpt).toMatch(/^line .* here$/s);
  });

  it("have at most the maximum of words, or of letters in scripts without blanks", () => {
    for (const { excerpt } of split("法律".repeat(500), 50)) expect(excerpt.length).toBeLessThanOrEqual(50);
    for (const { excerpt } of split("x".repeat(10_000), 5)) expect(excerpt.length).toBeLessThanOrEqual(200);
  });

  it("do not exist for an empty or blank text", () => {
    expect(split("")).toEqual([]);
    expect(split(" \n\t\u00a0\n")).toEqual([]);
  });

  it("of two megabytes take seconds, not minutes", () => {
    expect(split("A sentence of some words. ".repeat(80_000)).length).toBeGreaterThan(1000);
  }, 20_000);
});
