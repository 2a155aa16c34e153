import { isTraced, idRanges, linesNamedIn, type DraftLine } from "../rules/draft-lines";

/** How a requirement is verified that the Documenter's table forgot. */
const FORGOTTEN = { method: "Test", passed: "What the requirement says is observed." };

/**
 * Adds the requirements that the table of the verification forgot as a row of their own. The table is the one that names the most requirements, if
 * these are half of them at least; a text without such a table stays as it is.
 * @param text the Documenter's text, before code fills in tables of its own
 */
export function completeVerification(text: string, lines: readonly DraftLine[]): string {
  const traced = lines.filter(({ id }) => isTraced(id));
  const rows = text.split("\n");
  const isCell = (row: string | undefined) => row?.trimStart().startsWith("|") === true;
  const ends = rows.flatMap((row, index) => (isCell(row) && !isCell(rows[index + 1]) ? [index] : []));
  const tables = ends.map((end) => {
    const start = rows.findLastIndex((row, index) => index < end && !isCell(row)) + 1;
    const named = new Set(
      linesNamedIn(
        rows
          .slice(start, end + 1)
          .join(" ")
          .replaceAll("|", " "),
        traced,
      ),
    );
    return { end, columns: columnsOf(rows[start]!), idColumn: idColumnOf(rows.slice(start, end + 1), traced), named };
  });
  const [table] = tables.toSorted((one, other) => other.named.size - one.named.size);
  if (!table || table.named.size * 2 < traced.length) return text;
  const forgotten = traced.filter((line) => !table.named.has(line)).map(({ id }) => id);
  if (forgotten.length === 0) return text;
  const cells = Array.from({ length: table.columns }, (_, column) => {
    if (column === table.idColumn) return idRanges(forgotten).join(", ");
    return column === 0 || (table.idColumn === 0 && column === 1) ? FORGOTTEN.method : FORGOTTEN.passed;
  });
  return rows.toSpliced(table.end + 1, 0, `| ${cells.join(" | ")} |`).join("\n");
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/gu, "")
    .split("|");

const columnsOf = (row: string): number => cellsOf(row).length;

/** The column with the most ids. */
function idColumnOf(rows: readonly string[], traced: readonly DraftLine[]): number {
  const counts = cellsOf(rows[0]!).map(
    (_, column) => rows.flatMap((row) => linesNamedIn(cellsOf(row)[column] ?? "", traced)).length,
  );
  return counts.indexOf(Math.max(...counts));
}
