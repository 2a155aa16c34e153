import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";

/** Maps of bundles by their files, each read when the first stack trace is printed. */
const maps: Map<string, SourceMap | null> = new Map();

function mapOf(script: string) {
  const known = maps.get(script);
  if (known !== undefined) return known;
  const file = `${script}.map`;
  const map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : null;
  maps.set(script, map);
  return map;
}

/**
 * Puts the positions of the sources in the place of a bundle's positions.
 * @param text a line of the log, perhaps with stack traces
 * @param script the bundle, whose source map is beside it
 */
export function onSource(text: string, script: string) {
  if (!/\.js:\d+:\d+/.test(text)) return text;
  const name = script.slice(script.lastIndexOf("/") + 1).replaceAll(".", "\\.");
  return text.replaceAll(
    new RegExp(`[\\w./:-]*\\b${name}:(\\d+):(\\d+)`, "g"),
    (whole: string, line: string, column: string) => {
      const origin = mapOf(script)?.findOrigin(Number(line), Number(column));
      return origin && "fileName" in origin
        ? `${origin.fileName.replace(/^(\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`
        : whole;
    },
  );
}
