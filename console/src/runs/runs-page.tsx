import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { Link, useSearchParams } from "wouter";
import { LIST_INTERVAL_MS, type RunEntry, useParley } from "../parley.ts";
import { formatCost, formatCompact, tokensOf } from "../shared/amounts.ts";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, formatDuration, useNow } from "../shared/time.tsx";
import { useTitle } from "../shared/use-title.ts";
import { filtersOf, RunFilters } from "./run-filters.tsx";

const PAGE = 50;
/** How often the list is read while one of its runs is under way. Milliseconds. */
const ACTIVE_LIST_INTERVAL_MS = 1000;

const isUnderWay = ({ status }: RunEntry): boolean => status === "queued" || status === "running";

/** The tenant's runs, newest first: one page of them, read again and again. Filters and page are in the address. */
export function RunsPage() {
  useTitle("Runs");
  const parley = useParley();
  const [search] = useSearchParams();
  const filters = filtersOf(search);
  const cursor = search.get("cursor") ?? undefined;
  const { data, error, isPending } = useQuery({
    queryKey: ["runs", filters, cursor],
    queryFn: ({ signal }) => parley.runs.list({ ...filters, cursor, limit: PAGE }, { signal, maxRetries: 0 }).page(),
    refetchInterval: ({ state }) => (state.data?.data.some(isUnderWay) ? ACTIVE_LIST_INTERVAL_MS : LIST_INTERVAL_MS),
    placeholderData: (before) => before,
  });
  return (
    <>
      <header className="page-head">
        <h1>{filters.parent_id ? "Runs that a run has started" : "Runs"}</h1>
        <Link href="/runs/new" className="button primary">
          New run
        </Link>
      </header>
      <RunFilters />
      {error && <ProblemBox error={error} />}
      {isPending && !error && <p className="quiet">Loading …</p>}
      {data && <RunsTable runs={data.data} filtered={Object.keys(filters).length > 0} />}
      {data && <Pager next={data.next_cursor} />}
    </>
  );
}

function RunsTable({ runs: latest, filtered }: { runs: RunEntry[]; filtered: boolean }) {
  const now = useNow();
  const runs = useDeferredValue(latest); // a page of other runs is rendered in slices
  if (runs.length === 0)
    return (
      <div className="empty">
        <p>{filtered ? "No run fits these filters." : "There is no run yet."}</p>
        {!filtered && (
          <p>
            <Link href="/runs/new">Start the first one</Link>: its form comes filled in with an example.
          </p>
        )}
      </div>
    );
  return (
    <div className="scroll" role="region" aria-label="Runs" tabIndex={0}>
      <table className="runs">
        <thead>
          <tr>
            <th>Status</th>
            <th>About</th>
            <th>Workflow</th>
            <th className="number">Tokens</th>
            <th className="number">Cost</th>
            <th className="number">Took</th>
            <th>Created</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run, now }: { run: RunEntry; now: number }) {
  const end = run.finished_at ? Date.parse(run.finished_at) : now;
  return (
    <tr>
      <td>
        <Status status={run.status} />
      </td>
      <td className="about">
        <Link href={`/runs/${run.id}`}>{run.about.title ?? run.about.excerpt ?? run.id}</Link>
        {run.error && <span className="why">{run.error.title}</span>}
      </td>
      <td>
        {run.workflow}
        <span className="under">{run.stage?.replaceAll("_", " ") ?? "not begun"}</span>
      </td>
      <td className="number">{formatCompact(tokensOf(run.usage))}</td>
      <td className="number">{formatCost(run.usage.cost_usd)}</td>
      <td className="number">{run.started_at ? formatDuration(end - Date.parse(run.started_at)) : "–"}</td>
      <td className="quiet">
        <Ago at={run.created_at} now={now} />
      </td>
    </tr>
  );
}
