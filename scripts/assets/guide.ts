// Makes the pages of the guide at /docs/guide from Markdown. `npm run assets` and vitest.config.ts call it.
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { ROOT } from "../lib/wrangler.ts";
import { writeAsset } from "./static-files.ts";

/** Files of the pages, in the order of the menu. A page's name is its file's; `index` is the first. */
const PAGES = [
  ...["index", "quick-start", "webhooks", "questions", "faults", "ci"].map((name) => `docs/guide/${name}.md`),
  ...["notifications", "schedules", "coding-agents", "a2a"].map((name) => `docs/${name}.md`),
];
/** Other pages of the server, in the menu behind them. */
const OTHERS = [
  ["/docs", "API reference"],
  ["/docs/errors", "Errors"],
  ["/console", "Console"],
];

const nameOf = (file: string) => /([\w-]+)\.md$/.exec(file)?.[1] ?? "";
const addressOf = (file: string) => (nameOf(file) === "index" ? "/docs/guide" : `/docs/guide/${nameOf(file)}`);

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

export function buildGuide() {
  const pages = PAGES.map((file) => ({ file, text: read(file) }));
  const titles = pages.map(({ file, text }): [string, string] => [file, /^# (.+)$/m.exec(text)?.[1] ?? ""]);
  for (const page of pages) writeAsset(`docs/guide/${nameOf(page.file)}.html`, Buffer.from(pageOf(page, titles)));
  writeAsset("docs/guide/guide.css", Buffer.from(read("docs/guide/guide.css")));
}

const pageOf = (
  { file, text }: { file: string; text: string },
  titles: [file: string, title: string][],
) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titles.find(([name]) => name === file)?.[1] ?? "")} · Parley</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/guide/guide.css">
</head>
<body>
<div class="layout">
<nav aria-label="Guide">
<a class="brand" href="/docs/guide">Parley</a>
<ul>
${titles.map(([name, title]) => `<li><a href="${addressOf(name)}"${name === file ? ' aria-current="page"' : ""}>${escaped(title)}</a></li>`).join("\n")}
</ul>
<hr>
<ul>
${OTHERS.map(([address, title]) => `<li><a href="${address}">${title}</a></li>`).join("\n")}
</ul>
</nav>
<main>
${bodyOf(file, text)}
</main>
</div>
</body>
</html>
`;

/** A page's Markdown as HTML: with the names of files above their code, anchors at headings, and links between pages. */
function bodyOf(file: string, text: string) {
  const names = [...text.matchAll(/^```(\w+)(?: (\S+))?\n/gm)].map(([, language, name]) =>
    name?.includes(".") ? name : language === "text" ? "prints" : undefined,
  );
  let block = 0;
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] })
    .replace(/<pre>(.*?)<\/pre>/gs, (_, code) => {
      const name = names[block++];
      return name
        ? `<figure><figcaption>${escaped(name)}</figcaption><pre tabindex="0">${code}</pre></figure>`
        : `<pre tabindex="0">${code}</pre>`;
    })
    .replace(/<h([23])>(.*?)<\/h\1>/g, (_, level, title) => `<h${level} id="${anchorOf(title)}">${title}</h${level}>`)
    .replace(/<table>.*?<\/table>/gs, (table) => `<div class="table">${table}</div>`)
    .replace(/href="([^"]+)"/g, (_, link) => `href="${linkOf(file, link)}"`);
  if (block !== names.length) throw new Error(`${file} has code without a language: \`\`\`text is one.`);
  return html;
}

const anchorOf = (title: string) =>
  title
    .replace(/<[^>]+>|&\w+;/g, "")
    .toLowerCase()
    .replace(/[^\w]+/g, "-")
    .replace(/^-|-$/g, "");

/** @throws Error when a link leads to a file that is no page */
function linkOf(file: string, link: string) {
  if (/^(https?:|\/|#)/.test(link)) return link;
  const [path = "", anchor] = link.split("#");
  const page = PAGES.find((each) => resolve(ROOT, each) === resolve(ROOT, dirname(file), path));
  if (!page) throw new Error(`${file} links to ${link}, which is no page of the guide.`);
  return addressOf(page) + (anchor ? `#${anchor}` : "");
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
