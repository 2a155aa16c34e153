import type { UsageReport } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { useSession } from "../parley.ts";
import { humanize, formatCost, formatCount } from "../shared/amounts.ts";
import { DataTable } from "../shared/data-table.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { useTitle } from "../shared/use-title.ts";
import { BudgetSection } from "./budget.tsx";
import { ModelsSection } from "./models.tsx";

type Row = UsageReport["data"][number];
const GROUPS = ["day", "workflow", "role", "model"] as const;
type Group = (typeof GROUPS)[number];
const RANGES = [7, 30, 90] as const;

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** What the tenant has used, by day, workflow, role or model. Range and group are in the address. */
export default function UsagePage() {
  useTitle("Usage");
  const { parley, mode } = useSession();
  const [search, setSearch] = useSearchParams();
  const days = RANGES.find((each) => String(each) === search.get("days")) ?? 30;
  const group = GROUPS.find((each) => each === search.get("by")) ?? "day";
  const from = dayBefore(days - 1);
  const { data, error } = useQuery({
    queryKey: ["usage", from, group],
    queryFn: ({ signal }) => parley.tenant.usage({ from, group_by: group }, { signal }),
    refetchInterval: 30_000,
    placeholderData: (before) => before,
  });
  const set = (name: string, value: string) =>
    setSearch((before) => {
      const after = new URLSearchParams(before);
      after.set(name, value);
      return after;
    });
  return (
    <>
      <header className="page-head">
        <h1>Usage</h1>
      </header>
      <div className="filters">
        <label>
          Of the last
          <select value={days} onChange={({ target }) => set("days", target.value)}>
            {RANGES.map((each) => (
              <option key={each} value={each}>
                {each} days
              </option>
            ))}
          </select>
        </label>
        <label>
          By
          <select value={group} onChange={({ target }) => set("by", target.value)}>
            {GROUPS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
      </div>
      <p className="quiet">
        {mode === "test" ? "Of test runs, which cost nothing; a live key shows the others. " : "Of live runs. "}
        Days begin at midnight UTC.
      </p>
      {error && <ProblemBox error={error} />}
      {data && <UsageTable report={data} group={group} />}
      <BudgetSection />
      {mode === "live" && <ModelsSection />}
    </>
  );
}

function UsageTable({ report, group }: { report: UsageReport; group: Group }) {
  const { total, data } = report;
  const all = Math.max(1, tokensOf(total));
  return (
    <>
      <dl className="facts">
        <Fact name="Cost" value={formatCost(total.cost_usd)} />
        <Fact name="Calls" value={formatCount(total.llm_calls)} />
        <Fact name="Input tokens" value={formatCount(total.input_tokens)} />
        <Fact name="From the cache" value={formatCount(total.cached_input_tokens)} />
        <Fact name="Output tokens" value={formatCount(total.output_tokens)} />
        <Fact name="Reasoning" value={formatCount(total.reasoning_tokens)} />
        {total.unpriced_calls > 0 && (
          <Fact name="Calls without a known price" value={formatCount(total.unpriced_calls)} />
        )}
      </dl>
      <DataTable
        title="Usage"
        rows={data}
        keyOf={(row) => String(row[group])}
        empty="Nothing was used in this time."
        columns={[
          [humanize(group), (row) => row[group] ?? "not known"],
          ["#Calls", ({ llm_calls }) => formatCount(llm_calls)],
          ["#Input", ({ input_tokens }) => formatCount(input_tokens)],
          ["#Output", ({ output_tokens }) => formatCount(output_tokens)],
          ["#Cost", ({ cost_usd }) => formatCost(cost_usd)],
          [
            "Share of tokens",
            (row) => (
              <meter min={0} max={all} value={tokensOf(row)} aria-label={`Tokens of ${row[group] ?? "others"}`} />
            ),
          ],
        ]}
      />
    </>
  );
}

const tokensOf = ({ input_tokens, output_tokens }: UsageReport["total"] | Row): number => input_tokens + output_tokens;

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);
