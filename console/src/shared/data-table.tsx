import type { ReactNode } from "react";

interface DataTableProps<T> {
  /** What the rows are, for people who hear the page. */
  title: string;
  /** Heading and content of each column; a heading that begins with `#` stands over figures. */
  columns: readonly (readonly [heading: string, cell: (row: T) => ReactNode])[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** Shown in the place of an empty table. */
  empty: ReactNode;
}

/** A table of things of one kind. */
export function DataTable<T>({ title, columns, rows, keyOf, empty }: DataTableProps<T>) {
  if (rows.length === 0) return <div className="empty">{empty}</div>;
  return (
    <div className="scroll" role="region" aria-label={title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([heading]) => (
              <th key={heading} className={heading.startsWith("#") ? "number" : undefined}>
                {heading.replace("#", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(([heading, cell]) => (
                <td key={heading} className={heading.startsWith("#") ? "number" : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
