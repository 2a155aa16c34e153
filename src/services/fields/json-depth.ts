/** Levels of arrays and objects in JSON of a caller: what reads and writes JSON recursively has a stack for many more. */
export const MAX_JSON_DEPTH = 200;

/** Whether JSON is nested more than `MAX_JSON_DEPTH` levels deep. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return true;
    level = level.flatMap((inner) => (inner !== null && typeof inner === "object" ? Object.values(inner) : []));
  }
  return false;
}
