/** Variants of an input: with one of its texts made hostile, or one of its lists made empty. */

type Path = readonly (string | number)[];

function pathsOf(value: unknown, matches: (leaf: unknown) => boolean, path: Path = []): Path[] {
  const own = matches(value) ? [path] : [];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, matches, [...path, key]))];
}

/** The input with the value at the path replaced. */
function replaced(input: unknown, [key, ...rest]: Path, change: (value: any) => unknown): unknown {
  if (key === undefined) return change(input);
  const copy: any = Array.isArray(input) ? [...input] : { ...(input as object) };
  copy[key] = replaced(copy[key], rest, change);
  return copy;
}

interface Variant {
  /** The changed part, as `rounds.0.questions`. */
  path: string;
  input: unknown;
}

const variants = (input: unknown, matches: (leaf: unknown) => boolean, change: (value: any) => unknown): Variant[] =>
  pathsOf(input, matches).map((path) => ({ path: path.join("."), input: replaced(input, path, change) }));

/** The input with `addition` at the end of each of its texts in turn. */
export const withHostileTexts = (input: unknown, addition: string): Variant[] =>
  variants(
    input,
    (leaf) => typeof leaf === "string",
    (text: string) => text + addition,
  );

/** The input with each of its lists in turn without entries. */
export const withEmptyLists = (input: unknown): Variant[] =>
  variants(
    input,
    (leaf) => Array.isArray(leaf) && leaf.length > 0,
    () => [],
  );
