import type { Smell } from "../artifacts";
import { idLines, withWords } from "./draft-lines";

/** `[[R3 = The system shall …]]` on a line of its own: a line of the draft in new words, in the Documenter's text. */
const REWORDING = /^\s*(?:[-*]\s+)?\[\[\s*(\p{Lu}{1,3}\d+)\s*=\s*(\S(?:.*\S)?)\s*\]\]\s*$/u;

export interface Reworded {
  /** The Documenter's text without these lines. */
  text: string;
  /** The draft with the new words. */
  draft: string;
  /** Ids of the lines that have new words. */
  ids: Set<string>;
}

/**
 * Puts the Documenter's new words into the draft, for lines at which a finding stands and for no others. Id, marks and sources of a line
 * stay: an assumption is not made a fact by other words.
 */
export function applyRewordings(written: string, draft: string, findings: readonly Smell[]): Reworded {
  const rows = written.split("\n");
  const wanted = new Map(
    rows.flatMap((row) => {
      const [, id, words] = REWORDING.exec(row) ?? [];
      return id && words ? [[id, words] as const] : [];
    }),
  );
  const ids = new Set<string>();
  const changed = draft.split("\n").map((row) => {
    const line = idLines(row)[0];
    const words = line && wanted.get(line.id);
    if (!line || !words || ids.has(line.id) || !findings.some(({ location }) => location.trim() === line.id))
      return row;
    ids.add(line.id);
    return withWords(row, words);
  });
  return { text: rows.filter((row) => !REWORDING.test(row)).join("\n"), draft: changed.join("\n"), ids };
}
