import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CommandError } from "./command-error.ts";

/** A row of a published file, in its publishers' form. */
export type Row = any;

/** The text of a file; null: it is absent. */
function textOf(folder: string, name: string, needed: boolean) {
  const path = join(folder, name);
  if (existsSync(path)) return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  if (needed) throw new CommandError(`${path} is missing. Put it there: the other files of the set need it.`);
  return null;
}

function parsed(text: string, place: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${place} is no JSON. Download the file again, or correct the line.`);
  }
}

/**
 * The values of a file with a JSON value a line.
 * @param name path in the folder
 * @returns null: it is absent
 */
export function jsonLines(folder: string, name: string, { needed = false }: { needed?: boolean } = {}): Row[] | null {
  const text = textOf(folder, name, needed);
  if (text === null) return null;
  const lines = text.split("\n").map((line, index) => ({ line, place: `${join(folder, name)}, line ${index + 1},` }));
  return lines.filter(({ line }) => line.trim() !== "").map(({ line, place }) => parsed(line, place));
}

/** The value of a JSON file; null: it is absent. */
export function jsonOf(folder: string, name: string): Row {
  const text = textOf(folder, name, false);
  return text === null ? null : parsed(text, join(folder, name));
}

/**
 * The rows of a file with separated columns. With commas, a cell in double quotes may hold separators and line breaks, and a doubled quote is
 * one; with tabs, quotes are text.
 * @returns null: it is absent
 */
export function rowsOf(folder: string, name: string, separator: "," | "\t"): string[][] | null {
  const text = textOf(folder, name, false);
  if (text === null) return null;
  const rows =
    separator === "\t"
      ? text.split("\n").map((line) => line.replace(/\r$/, "").split(separator))
      : quotedRows(text, separator);
  return rows.filter((row) => row.some((cell) => cell !== ""));
}

function quotedRows(text: string, separator: string) {
  let row = [""];
  const rows = [row];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted && character === '"' && text[at + 1] === '"') row.push(`${row.pop()}${text.charAt(++at)}`);
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) row.push("");
    else if (!quoted && character === "\n") rows.push((row = [""]));
    else if (quoted || character !== "\r") row.push(`${row.pop()}${character}`);
  }
  return rows;
}
