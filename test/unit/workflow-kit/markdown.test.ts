/** Texts of models in documents of ours: they are shown as they are, and open nothing. */
import { describe, expect, test } from "vitest";
import { inline, listItem, paragraphs, prose } from "#workflow-kit/markdown";
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
  test("stays what it is, alone, below other text and before it", () => {
    expect(seen(renderMarkdown(prose(line)))).toBe(line);
    expect(seen(renderMarkdown(prose(`Text.\n${line}\nText.`)))).toBe(`Text.\n${line}\nText.`);
    expect(seen(renderMarkdown(paragraphs(`Text.\n${line}\nText.`)))).toBe(`Text.\n${line}\nText.`);
    expect(seen(renderMarkdown(`**Here.** ${inline(line)}`))).toBe(`<strong>Here.</strong> ${line}`);
  });
});

test("paragraphs of a list's entry stand under its text", () => {
  const list = renderMarkdown(listItem("10.", paragraphs("One.\n- Two.\n\n\n3. Three.")));
  expect(list.replaceAll("\n", "")).toBe('<ol start="10"><li><p>One.</p><p>- Two.</p><p>3. Three.</p></li></ol>');
});
