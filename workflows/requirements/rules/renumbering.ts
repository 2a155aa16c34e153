import { idRanges, isTraced, letterOf, linesNamedIn, type DraftLine } from "./draft-lines";

/** New ids of requirements by their old ones; ids that stay are not in it. */
export type Numbering = ReadonlyMap<string, string>;

const numberOf = (id: string): number => Number(id.slice(letterOf(id).length));

const byNumber = (one: string, other: string): number =>
  letterOf(one).localeCompare(letterOf(other)) || numberOf(one) - numberOf(other);

/**
 * Numbers requirements in the order of their lines. Revisions insert new numbers between old ones: R13, R48, R14. A letter whose numbers rise
 * keeps them. Assumptions and open questions keep theirs: "A4" may be a format of paper as well.
 */
export function renumbering(lines: readonly DraftLine[]): Numbering {
  const groups = Map.groupBy(
    lines.filter(({ id }) => isTraced(id)).map(({ id }) => id),
    letterOf,
  );
  const pairs = [...groups].flatMap(([letter, ids]) => {
    const isRising = ids.every((id, index) => index === 0 || numberOf(ids[index - 1]!) < numberOf(id));
    return isRising ? [] : ids.map((id, index) => [id, `${letter}${index + 1}`] as const);
  });
  return new Map(pairs.filter(([old, now]) => old !== now));
}

const ID_OR_RANGE = /(?<![\p{L}\d])(\p{Lu}{1,3}\d+)(?:\s*[-–]\s*\p{Lu}{1,3}\d+|[-–]\d+)?(?![\p{L}\d])/gu;

/** A text with the new ids; a range (R3–R7) becomes the new ids of its requirements. */
export function renumbered(text: string, numbering: Numbering, lines: readonly DraftLine[]): string {
  if (numbering.size === 0) return text;
  const now = (id: string): string => numbering.get(id) ?? id;
  return text.replace(ID_OR_RANGE, (found: string, id: string) => {
    if (found === id) return now(id);
    const named = linesNamedIn(found, lines).map((line) => now(line.id));
    return named.length > 0 ? idRanges(named.toSorted(byNumber)).join(", ") : found;
  });
}

/** The old and the new ids in few rows: R14–R20 became R15–R21. */
export function numberingRows(numbering: Numbering): [old: string, now: string][] {
  const pairs = [...numbering].toSorted(([one], [other]) => byNumber(one, other));
  const runs: [old: string, now: string][][] = [];
  for (const [old, now] of pairs) {
    const last = runs.at(-1)?.at(-1);
    const follows = (before: string, id: string) =>
      letterOf(before) === letterOf(id) && numberOf(before) + 1 === numberOf(id);
    if (last && follows(last[0], old) && follows(last[1], now)) runs.at(-1)!.push([old, now]);
    else runs.push([[old, now]]);
  }
  const range = (ids: string[]) => (ids.length > 1 ? `${ids[0]}–${ids.at(-1)}` : ids[0]!);
  return runs.map((run) => [range(run.map(([old]) => old)), range(run.map(([, now]) => now))]);
}
