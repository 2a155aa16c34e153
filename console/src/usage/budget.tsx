import type { Budget, PutBudget } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { LIST_INTERVAL_MS, useParley } from "../parley.ts";
import { formatCost } from "../shared/amounts.ts";
import { FoldedForm, TextField } from "../shared/form-fields.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction } from "../shared/use-page.ts";

/** What live runs may spend in a month, what they have spent, and a form that changes it. */
export function BudgetSection() {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["budget"],
    queryFn: ({ signal }) => parley.budget.get({ signal }),
    refetchInterval: LIST_INTERVAL_MS,
  });
  const put = useAction((given: PutBudget) => parley.budget.put(given), ["budget"]);
  return (
    <section>
      <h2>Budget of this month</h2>
      {error && <ProblemBox error={error} />}
      {data && <BudgetFacts budget={data} />}
      {/* Not before the budget is known: its arrival would clear what was typed. */}
      {data && (
        <FoldedForm
          title={data.amount_usd ? "Change the budget" : "Set a budget"}
          button="Save"
          busy={put.isPending}
          error={put.error}
          onSend={({ amount, at_limit }) =>
            put.mutate({ amount_usd: amount ? Number(amount) : null, at_limit: at_limit as PutBudget["at_limit"] })
          }
        >
          <TextField
            label="Dollars a month"
            name="amount"
            type="number"
            min={0.01}
            step={0.01}
            key={data.amount_usd}
            first={data.amount_usd ?? undefined}
            hint="For live runs of all keys. Empty: no budget. Only a live key of an administrator can change it."
          />
          <div className="field">
            <label htmlFor="at-limit">At 100 %</label>
            <select id="at-limit" name="at_limit" key={data.at_limit} defaultValue={data.at_limit}>
              <option value="alarm">only send the alarm</option>
              <option value="refuse">refuse new live runs</option>
            </select>
          </div>
          {put.isSuccess && <p role="status">Saved.</p>}
        </FoldedForm>
      )}
    </section>
  );
}

function BudgetFacts({
  budget: { amount_usd, spent_usd, unpriced_calls, reached, at_limit, resets_at },
}: {
  budget: Budget;
}) {
  const now = useNow(60_000);
  if (amount_usd === null)
    return (
      <>
        <p>There is no budget. Live runs have spent {formatCost(spent_usd)} this month, as far as prices are known.</p>
        <Unpriced calls={unpriced_calls} />
      </>
    );
  const percent = Math.floor((spent_usd / amount_usd) * 100);
  const isSpent = spent_usd >= amount_usd;
  return (
    <>
      <p>
        <meter
          min={0}
          max={amount_usd}
          high={amount_usd * 0.8}
          value={spent_usd}
          aria-label="Share of the budget that is spent"
        />{" "}
        <strong>
          {formatCost(spent_usd)} of {formatCost(amount_usd)}
        </strong>{" "}
        ({percent} %) spent by live runs, as far as prices are known.
      </p>
      <Unpriced calls={unpriced_calls} />
      <p>
        {formatLimit(at_limit, isSpent)} It begins anew <Ago at={resets_at} now={now} />.{" "}
        {reached.length > 0 && `Alarms sent at ${reached.map((each) => `${each} %`).join(", ")}.`}
      </p>
    </>
  );
}

function Unpriced({ calls }: { calls: number }) {
  if (calls === 0) return null;
  return <p role="note">The cost of {calls} model calls is not counted: their models have no price.</p>;
}

function formatLimit(atLimit: Budget["at_limit"], isSpent: boolean): string {
  if (atLimit === "alarm") return "At 100 % webhooks are sent; runs are still started.";
  return isSpent
    ? "The budget is spent: new live runs are refused. A higher budget lets them start."
    : "At 100 % new live runs are refused; those that have started continue.";
}
