import type { Page } from "#core/page";

/** A page from `limit + 1` rows: the extra row only shows that a next page exists. */
export function toPage<Row>(rows: Row[], limit: number, key: (row: Row) => string): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last ? key(last) : null };
}
