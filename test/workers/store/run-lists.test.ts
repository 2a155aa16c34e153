/** The plans of the queries behind lists of runs: a page reads the runs that it shows, however many children there are. */
import { expect, it } from "vitest";
import { bindings } from "../../support/parley";
import type { RunFilter } from "#store/run-lists";
import { Store } from "#store/store";

const PARENT = "run_00000000000000000000000000";
const OWNER = { tenant_id: "ten_1", mode: "live" } as const;

/** Parts of a request for a list. */
const FILTERS: Partial<RunFilter>[] = [
  { parent_id: PARENT },
  { workflow: "debate" },
  { workflows: ["debate", "ideation"] },
  { status: "failed" },
  { created_after: 1, created_before: 2 },
  { metadata: { project: "x" } },
];

/** Every form of a list, on its first page and on a later one. */
const FORMS = Array.from({ length: 2 ** FILTERS.length }, (_, chosen) => {
  const filter: RunFilter = Object.assign({}, ...FILTERS.filter((_filter, at) => chosen & (1 << at)));
  return [null, PARENT].map((after) => ({ filter, after, name: JSON.stringify({ ...filter, after }) }));
}).flat();

/** The statements that the store makes of these lists. */
async function statementsOf(forms: typeof FORMS): Promise<{ sql: string; values: unknown[] }[]> {
  const made: { sql: string; values: unknown[] }[] = [];
  const prepare = (sql: string) => ({
    bind: (...values: unknown[]) => ({ all: async () => (made.push({ sql, values }), { results: [] }) }),
  });
  const { runs } = new Store({ prepare } as unknown as D1Database, bindings.BUCKET);
  for (const { filter, after } of forms) await runs.list(OWNER, filter, 20, after);
  return made;
}

/** By which index the runs of the page are found. */
function indexOf({ parent_id, workflow, status, created_after, metadata }: RunFilter, after: string | null): string {
  const bounds = (id: string) => `${created_after ? ` AND ${id}>? AND ${id}<?` : after ? ` AND ${id}<?` : ""})`;
  const runs = (index: string) => `SEARCH runs USING INDEX ${index}${bounds("id")}`;
  if (parent_id) return runs("children_by_id (parent_id=?");
  if (metadata) return `SEARCH m USING PRIMARY KEY (tenant_id=? AND mode=? AND key=? AND value=?${bounds("run_id")}`;
  if (status) return runs("started_runs_by_status (tenant_id=? AND mode=? AND status=?");
  if (workflow) return runs("started_runs_by_workflow (tenant_id=? AND mode=? AND workflow=?");
  return runs("started_runs (tenant_id=? AND mode=?");
}

it("every list finds its page in an index of just these runs, in their order", async () => {
  const statements = await statementsOf(FORMS);
  const plans = await bindings.DB.batch<{ detail: string }>(
    statements.map(({ sql, values }) => bindings.DB.prepare(`EXPLAIN QUERY PLAN ${sql}`).bind(...values)),
  );
  expect(plans).toHaveLength(128);
  for (const [at, { results }] of plans.entries()) {
    const { name, filter, after } = FORMS[at]!;
    const steps = results.map(({ detail }) => detail);
    expect(steps, name).toContain(indexOf(filter, after));
    expect(
      steps.filter((step) => /SCAN (runs|t)\b|TEMP B-TREE/.test(step)),
      name,
    ).toEqual([]);
  }
});
