/** D1 limits a parameter to 2 MB. JSON of this many characters stays below, in any script. */
export const MAX_PARAMETER = 500_000;

/** Packs rows into JSON arrays of at most `MAX_PARAMETER` characters; a row that is larger gets its own array. */
export function inParameters(rows: readonly unknown[]): string[] {
  const arrays: string[][] = [];
  let size = Infinity;
  for (const row of rows) {
    const json = JSON.stringify(row);
    if (size + json.length > MAX_PARAMETER) {
      arrays.push([]);
      size = 0;
    }
    arrays.at(-1)!.push(json);
    size += json.length + 1;
  }
  return arrays.map((array) => `[${array.join()}]`);
}
