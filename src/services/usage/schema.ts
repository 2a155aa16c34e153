import { z } from "zod";
import { USAGE_GROUPS, type UsageGroup } from "#store/usage";
import { usageSchema } from "../fields/schema";

const DAY_MS = 86_400_000;
const LONGEST_DAYS = 366;

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

/** The query of `GET /v1/usage`. Without `from` the report has the 30 days that end with `to`. */
export const usageQuery = z
  .strictObject({
    from: daySchema.optional(),
    to: daySchema.default(() => dayOf(Date.now())),
    group_by: groupBy,
  })
  .refine(({ to, from = to }) => from <= to && Date.parse(to) - Date.parse(from) < LONGEST_DAYS * DAY_MS, {
    path: ["from"],
    message: "Not after `to`, and at most 366 days.",
  });
export type UsageQuery = z.output<typeof usageQuery>;

/** The first day of a report that ends with a day, where the query names none. */
export const firstDayOf = (to: string): string => dayOf(Date.parse(to) - 29 * DAY_MS);

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
