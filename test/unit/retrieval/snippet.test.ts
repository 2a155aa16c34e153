import { describe, expect, it } from "vitest";
import { snippetOf as snippetWith } from "#retrieval/snippet";
import { queryTerms } from "#retrieval/terms";

const EN = { language: "en", jurisdiction: null };
const snippetOf = (text: string, query: string, locale: typeof EN) =>
  snippetWith(text, new Set(queryTerms(query, [locale])), locale.language);

describe("a snippet", () => {
  const text = `${"Nothing of interest stands here. ".repeat(30)}The fine for late tools is small.${" More of nothing follows.".repeat(30)}`;
  it("is where most of the query's words stand", () => {
    const { start, end } = snippetOf(text, "fines for tools that are late", EN);
    expect(text.slice(start, end)).toContain("fine for late tools");
    expect(end - start).toBeLessThan(400);
  });

  it("is the beginning when none of them does, and all of a short text", () => {
    expect(snippetOf(text, "zebra", EN).start).toBe(0);
    expect(snippetOf("«Short.»", "zebra", EN)).toEqual({ start: 0, end: 8 });
    expect(snippetOf("…", "zebra", EN)).toEqual({ start: 0, end: 1 });
  });
});
