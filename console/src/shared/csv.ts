/**
 * Rows of cells (RFC 4180), in one pass over the text. A quote inside a cell that does not begin with one is a character of it, and a quoted cell
 * that is never closed goes to the end of the text. Lines without any text are left out.
 */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length || row.length > 0) {
    const [cell, end] = text[at] === '"' ? quotedCell(text, at + 1) : bareCell(text, at);
    row.push(cell);
    const lineEnd = lineEndAt(text, end);
    at = end + (lineEnd || 1);
    if (lineEnd > 0 || end >= text.length) {
      if (row.length > 1 || row[0] !== "") rows.push(row);
      row = [];
    }
  }
  return rows;
}

type Cell = readonly [cell: string, end: number];

/** @param from where the cell begins; it ends before a comma or the end of its line */
function bareCell(text: string, from: number): Cell {
  let end = from;
  while (end < text.length && text[end] !== "," && lineEndAt(text, end) === 0) end++;
  return [text.slice(from, end), end];
}

/** @param from where the text behind the opening quote begins; text between the closing quote and the next comma belongs to the cell */
function quotedCell(text: string, from: number): Cell {
  const pieces: string[] = [];
  for (let at = from; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return [pieces.join("") + text.slice(at), text.length];
    pieces.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') {
      const [rest, end] = bareCell(text, quote + 1);
      return [pieces.join("") + rest, end];
    }
    pieces.push('"');
    at = quote + 2;
  }
}

/** How many characters the end of a line has that stands here; 0: none does. */
function lineEndAt(text: string, at: number): number {
  if (text[at] === "\n") return 1;
  if (text[at] !== "\r") return 0;
  return text[at + 1] === "\n" ? 2 : 1;
}
