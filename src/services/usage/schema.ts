import { z } from "zod";
import { USAGE_GROUPS, type UsageGroup } from "#store/usage";
import { usageSchema } from "../fields/schema";

const DAY_MS = 86_400_000;
const MAX_DAYS = 366;

/** A day in UTC. */
const daySchema = z.iso.date().meta({ example: "2026-11-21" });
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const groupBy = z
  .string()
  .default("day")
  .transform((text) => text.split(",") as UsageGroup[])
  .refine(
    (groups) => groups.every((group) => USAGE_GROUPS.includes(group)) && new Set(groups).size === groups.length,
    `Write some of ${USAGE_GROUPS.join(", ")}, each once, with commas between them.`,
  );

interface Days {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * The days of a report. `to` is today where the query names none: no default of the schema, because openapi.json would show the day on which it was
 * written.
 */
export function daysOf({ to = dayOf(Date.now()), from = dayOf(Date.parse(to) - 29 * DAY_MS) }: Days) {
  return { from, to };
}

/** Whether a report may have these days. */
function isPeriod(query: Days): boolean {
  const { from, to } = daysOf(query);
  return from <= to && Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS;
}

/** The query of `GET /v1/usage`. */
export const usageQuery = z
  .strictObject({
    from: daySchema.optional().describe("By default the 30 days that end with `to`."),
    to: daySchema.optional().describe("Today by default."),
    group_by: groupBy,
  })
  .refine(isPeriod, { path: ["from"], message: "Not after `to`, and at most 366 days." });
export type UsageQuery = z.output<typeof usageQuery>;

const sums = { ...usageSchema.shape, unpriced_calls: z.int().describe("Calls whose cost is not known.") };
const group = z.string().nullable().optional();

export const usageReportSchema = z
  .strictObject({
    object: z.literal("usage"),
    from: daySchema,
    to: daySchema,
    group_by: z.array(z.enum(USAGE_GROUPS)),
    data: z
      .array(
        z.strictObject({
          day: daySchema.optional(),
          workflow: group.describe("null: a corpus, outside of runs."),
          role: group.describe("null: none, or not known."),
          model: group.describe("null: not known."),
          ...sums,
        }),
      )
      .describe("Sorted by the groups; each row has the fields of `group_by`."),
    total: z.strictObject(sums),
  })
  .meta({ id: "UsageReport" });
export type UsageReport = z.infer<typeof usageReportSchema>;
