import { Problem } from "#core/errors";
import type { Owner } from "#core/owner";
import type { GroupedUsage } from "#store/usage";
import type { Services } from "../services";
import { daysOf, type UsageQuery, type UsageReport } from "./schema";

/** Most rows of a report. */
const MAX_ROWS = 5000;

/**
 * Usage of the owner's runs and corpora, by the given groups; deleted ones included.
 * @throws Problem `invalid_query` when there are too many rows
 */
export async function getUsage(
  { store }: Pick<Services, "store">,
  owner: Owner,
  query: UsageQuery,
): Promise<UsageReport> {
  const { group_by } = query;
  const days = daysOf(query);
  const [rows, total] = await Promise.all([
    store.usage.grouped(owner, days, group_by, MAX_ROWS + 1),
    store.usage.total(owner, days),
  ]);
  if (rows.length > MAX_ROWS)
    throw new Problem("invalid_query", `More than ${MAX_ROWS} rows: ask for fewer days or groups.`);
  return { object: "usage", ...days, group_by, data: rows.map(presentRow), total };
}

/** With null in the place of a group that is not known. */
const presentRow = (row: GroupedUsage) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === "" ? null : value]),
  ) as UsageReport["data"][number];
