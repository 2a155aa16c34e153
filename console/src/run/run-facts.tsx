import { ENDED, type Run } from "../parley.ts";
import { plural, formatCost, formatCount, tokensOf } from "../shared/amounts.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { Ago, formatDuration, useNow } from "../shared/time.tsx";

/** The figures of a run in one line. */
export function RunInfo({ run }: { run: Run }) {
  const now = useNow();
  const end = run.finished_at ? Date.parse(run.finished_at) : now;
  const facts: [string, React.ReactNode][] = [
    ["Id", <CopyButton key="id" text={run.id} />],
    ["Created", <Ago key="created" at={run.created_at} now={now} />],
    [
      ENDED.includes(run.status) ? "Took" : "For",
      run.started_at ? formatDuration(end - Date.parse(run.started_at)) : "not started",
    ],
    ["Cost", run.usage.cost_usd === null ? "no price is known" : formatCost(run.usage.cost_usd)],
    ["Tokens", formatCount(tokensOf(run.usage))],
    ["Calls", formatCount(run.usage.llm_calls)],
    ["Model", run.models.default],
  ];
  if (run.requested_by) facts.push(["Requested by", run.requested_by]);
  if (run.children) facts.push(["Runs started", plural(run.children.total, "run")]);
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
