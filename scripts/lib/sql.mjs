/**
 * A value as a literal of SQL.
 * @param {string | number | null} value
 */
export const sqlValue = (value) =>
  value === null ? "NULL" : typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
