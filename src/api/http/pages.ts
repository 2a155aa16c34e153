import { z } from "@hono/zod-openapi";
import { Problem } from "#core/errors";
import type { Page } from "#core/page";
import { json } from "./operation";

/** A cursor is opaque to clients: the list's name, and the entry to continue behind. */
export const encode = (list: string, after: string) => Buffer.from(`${list}:${after}`).toString("base64url");

/**
 * The entry that a cursor of this list continues behind; null without a cursor.
 * @param form of the entry
 * @throws Problem `invalid_cursor`
 */
export function readCursor(list: string, form: RegExp, cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [name, after = ""] = Buffer.from(cursor, "base64url").toString("utf8").split(":");
  if (name !== list || !form.test(after) || encode(list, after) !== cursor) {
    throw new Problem("invalid_cursor", `"${cursor.slice(0, 100)}" is not a cursor of this list.`);
  }
  return after;
}

/** A page as clients see it. */
export const toListResponse = <T>(list: string, { rows, next }: Page<T>) => ({
  data: rows,
  next_cursor: next === null ? null : encode(list, next),
});

export const limitOf = (fallback: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(fallback)
    .openapi({ type: "integer", description: "How many entries at most.", example: 20 });

/** For a path without query parameters: any parameter is refused. */
export const NO_QUERY = z.strictObject({});

/** Query parameters of every list. */
export const pageQuery = {
  limit: limitOf(50),
  cursor: z.string().min(1).max(500).optional().openapi({ description: "`next_cursor` of the page before." }),
};

/** The query of a list without filters. */
export const PAGE = z.strictObject(pageQuery);

/** Query parameters of lists by time: `created_after` and `created_before`. */
export const moment = z.iso.datetime({ offset: true }).optional().openapi({ description: "RFC 3339; exclusive." });

const toMilliseconds = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));

/** Both in milliseconds since the epoch. */
export const between = (query: { created_after?: string | undefined; created_before?: string | undefined }) => ({
  created_after: toMilliseconds(query.created_after),
  created_before: toMilliseconds(query.created_before),
});

export const pageSchema = <T extends z.ZodType>(name: string, entry: T) =>
  z
    .strictObject({
      data: z.array(entry),
      next_cursor: z.string().nullable().openapi({ description: "null on the last page." }),
    })
    .openapi(name);

export type PageSchema<T extends z.ZodType> = ReturnType<typeof pageSchema<T>>;

/** The JSON answer of a list. @param name of the page's schema @param entries what the page holds, such as `runs` */
export const jsonPage = <T extends z.ZodType>(name: string, entry: T, entries: string, example: unknown) =>
  json(pageSchema(name, entry), `A page of ${entries}.`, { data: [example], next_cursor: null });
