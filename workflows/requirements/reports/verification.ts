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
  const [table] = tablesIn(rows, traced).toSorted((one, other) => other.named.size - one.named.size);
  if (!table || table.named.size * 2 < traced.length) return text;
  const forgotten = traced.filter((line) => !table.named.has(line)).map(({ id }) => id);
  if (forgotten.length === 0) return text;
  const method = table.idColumn === 0 ? 1 : 0;
  const cells = table.countOfColumn.map((_, column) => {
    if (column === table.idColumn) return idRanges(forgotten).join(", ");
    return column === method ? FORGOTTEN.method : FORGOTTEN.passed;
  });
  return rows.toSpliced(table.end + 1, 0, `| ${cells.join(" | ")} |`).join("\n");
}

interface IdTable {
  /** Index of its last row. */
  end: number;
  /** The requirements that it names. */
  named: Set<DraftLine>;
  /** How many ids each column has, and the column that has the most. */
  countOfColumn: number[];
  idColumn: number;
}

function tablesIn(rows: readonly string[], traced: readonly DraftLine[]): IdTable[] {
  const isOfTable = (row: string | undefined) => row?.trimStart().startsWith("|") === true;
  const ends = rows.flatMap((row, index) => (isOfTable(row) && !isOfTable(rows[index + 1]) ? [index] : []));
  return ends.map((end) => {
    const start = rows.findLastIndex((row, index) => index < end && !isOfTable(row)) + 1;
    const cells = rows.slice(start, end + 1).map(cellsOf);
    const idsOf = (column: number) => cells.flatMap((row) => linesNamedIn(row[column] ?? "", traced));
    const countOfColumn = cells[0]!.map((_, column) => idsOf(column).length);
    const named = new Set(countOfColumn.flatMap((_, column) => idsOf(column)));
    return { end, named, countOfColumn, idColumn: countOfColumn.indexOf(Math.max(...countOfColumn)) };
  });
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/gu, "")
    .split("|");
