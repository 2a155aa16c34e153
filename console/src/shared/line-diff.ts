export interface DiffLine {
  is: "same" | "added" | "removed";
  text: string;
}

/** Longer texts are compared as a whole only. Lines of both together. */
const MAX_LINES = 6000;

/**
 * What to remove from and add to one text to get the other, line by line: the longest common subsequence, by the table of its lengths. Lines that
 * both begin and end with are put aside first, so that the table is small.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, young] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start++;
  let end = 0;
  while (end < old.length - start && end < young.length - start && old.at(-1 - end) === young.at(-1 - end)) end++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ is: "same", text }));
  const middle = changes(old.slice(start, old.length - end), young.slice(start, young.length - end));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

function changes(old: string[], young: string[]): DiffLine[] {
  const as = (is: DiffLine["is"], lines: string[]) => lines.map((text) => ({ is, text }));
  if (old.length + young.length > MAX_LINES) return [...as("removed", old), ...as("added", young)];
  const width = young.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = young.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        old[row] === young[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
  const found: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < young.length) {
    if (old[row] === young[column]) {
      found.push({ is: "same", text: old[row++]! });
      column++;
    } else if (lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
      found.push({ is: "removed", text: old[row++]! });
    else found.push({ is: "added", text: young[column++]! });
  }
  return [...found, ...as("removed", old.slice(row)), ...as("added", young.slice(column))];
}
