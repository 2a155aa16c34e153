import { parseCsv } from "./csv.ts";

/** Rows that are shown at most. */
const MAX_ROWS = 500;

/** A CSV text as a table. */
export function CsvTable({ text }: { text: string }) {
  const [head = [], ...rows] = parseCsv(text);
  return (
    <>
      <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {head.map((name, index) => (
                <th key={index}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && (
        <p className="quiet">
          The first {MAX_ROWS} of {rows.length} rows; the file has all.
        </p>
      )}
    </>
  );
}
