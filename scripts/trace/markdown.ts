import { inline as escapeInline, prose } from "#workflow-kit/markdown";

/** Pieces of Markdown that traces are made of. */

export const words = (name: string) => name.replaceAll("_", " ");
export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
export const number = (count: number) => count.toLocaleString("en");
export const seconds = (ms: number) => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`);

/** Contents with more lines are folded. */
const LINES_SHOWN = 60;
/** Languages of code fences by media type. */
const LANGUAGES: Record<string, string> = {
  "application/json": "json",
  "text/javascript": "js",
  "text/x-gherkin": "gherkin",
  "text/markdown": "markdown",
  "text/x-mermaid": "mermaid",
  "text/vnd.mermaid": "mermaid",
  "image/svg+xml": "xml",
};

const cell = (text: unknown) => String(text).replaceAll("|", "\\|").replaceAll("\n", " ");
export const table = (head: string[], rows: unknown[][]) =>
  [head, head.map((title) => (title.endsWith(":") ? "---:" : "---")), ...rows]
    .map((row, i) => `| ${row.map((text) => (i === 0 ? cell(text).replace(/:$/, "") : cell(text))).join(" | ")} |`)
    .join("\n");

/** A code fence longer than any run of backticks in the text, so that the text cannot close it. */
function fenced(text: string, language = "text") {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.replace(/\n$/, "")}\n${fence}`;
}

export const json = (content: unknown) => fenced(JSON.stringify(content, null, 2), "json");

export const folded = (block: string, name: string) =>
  `<details>\n<summary>${name}</summary>\n\n${block}\n\n</details>`;

/** The block, folded when it is long. */
export function shown(block: string, name: string) {
  const lines = block.split("\n").length;
  return lines <= LINES_SHOWN ? block : folded(block, `${name}, ${number(lines)} lines`);
}

/** Whether the lines of a text are paragraphs; indented text is code, pseudocode or a diagram. */
const isProse = (text: string) => /[^\n]{160}/.test(text) && !/^(?: {2}|\t)/m.test(text);
const quoted = (text: string) =>
  prose(text)
    .replace(/(\S)\n(?=\S)/g, "$1  \n")
    .replace(/^/gm, "> ");
const plain = (text: string) => (isProse(text) ? quoted(text) : fenced(text));

export const isTable = (content: unknown): content is Record<string, unknown> =>
  typeof content === "object" && content !== null && !Array.isArray(content);
const isScalar = (entry: unknown) => typeof entry !== "object" || entry === null;

/** A text within a line of prose; nothing in it opens markup. */
const inline = (entry: unknown) => (entry === null ? "none" : escapeInline(String(entry)));
const labeled = (entries: [string, unknown][]) =>
  entries
    .map(
      ([name, entry]) =>
        `${words(name)}: ${Array.isArray(entry) ? entry.map(inline).join(", ") || "none" : inline(entry)}`,
    )
    .join("; ");
const isFlat = (entry: unknown) =>
  isTable(entry) &&
  Object.values(entry).every((inner) => isScalar(inner) || (Array.isArray(inner) && inner.every(isScalar)));

/** One entry of a list: its first value in bold, then the other values with their names. */
function item(entry: unknown) {
  if (!isTable(entry)) return `- ${inline(entry)}`;
  const [first, ...rest] = Object.values(entry);
  const [second] = rest;
  if (rest.length === 1 && isScalar(second)) return `- **${inline(first)}**: ${inline(second)}`;
  return `- **${inline(Array.isArray(first) ? first.join(", ") : first)}**${rest.length ? `: ${labeled(Object.entries(entry).slice(1))}` : ""}`;
}

/** A property of an object as prose or list; null when it nests too deep. */
function property([name, entry]: [string, unknown]) {
  const label = `**${capital(words(name))}**`;
  if (typeof entry === "string" && (entry.includes("\n") || entry.length > 160)) return `${label}\n\n${plain(entry)}`;
  if (isScalar(entry)) return `${label}: ${inline(entry)}`;
  if (Array.isArray(entry)) {
    if (entry.length === 0) return `${label}: none`;
    if (!entry.every((member) => isScalar(member) || (isFlat(member) && Object.keys(member as object).length > 0)))
      return null;
    return `${label}\n\n${entry.map(item).join("\n")}`;
  }
  const inner = Object.entries(entry as object) as [string, unknown][];
  if (inner.length === 0 || !inner.every(([, member]) => isScalar(member) || isFlat(member))) return null;
  return `${label}\n\n${inner.map(([key, member]) => `- **${words(key)}**: ${isScalar(member) ? inline(member) : labeled(Object.entries(member as object))}`).join("\n")}`;
}

/** A value for people: text with its line breaks, an object property by property, and deeper nesting as JSON. */
export function value(content: unknown, media = "application/json") {
  const language = LANGUAGES[media];
  if (typeof content === "string") return language && language !== "json" ? fenced(content, language) : plain(content);
  if (!isTable(content) || Object.keys(content).length === 0) return json(content);
  const parts = Object.entries(content).map((entry) => ({ entry, text: property(entry) }));
  const deep = parts.filter(({ text }) => text === null).map(({ entry }) => entry);
  return [...parts.flatMap(({ text }) => text ?? []), ...(deep.length ? [json(Object.fromEntries(deep))] : [])].join(
    "\n\n",
  );
}

/**
 * A run's report within a trace: its headings go below ours, HTML stays text. A `<` behind a backslash is text already. The kit's
 * `subdocument` leaves headings of the fifth level, which reports have, above the fourth.
 */
export function embeddedReport(text: string, depth = 2) {
  let code = false;
  return text
    .trim()
    .split("\n")
    .map((line) => {
      if (/^\s*(```|~~~)/.test(line)) code = !code;
      if (code) return line;
      return line
        .replace(/(?<!\\)((?:\\\\)*)</g, "$1&lt;")
        .replace(/^#{1,6}(?= )/, (marks) => "#".repeat(Math.min(6, marks.length + depth)));
    })
    .join("\n");
}
