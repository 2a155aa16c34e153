import { useQuery } from "@tanstack/react-query";
import { type Manifest, type Run, type Usage, useParley } from "../parley.ts";
import { formatCost, formatCount, tokensOf } from "../shared/amounts.ts";
import { JsonTree } from "../shared/json-tree.tsx";
import { ProblemBox } from "../shared/problem.tsx";

interface CostRow {
  name: string;
  steps: number;
  usage: Usage;
}

/** What a run has used, by role, by action and by model, and the manifest that it comes from. */
export function Costs({ run }: { run: Run }) {
  const parley = useParley();
  const { data: manifest, error } = useQuery({
    queryKey: ["run", run.id, "manifest"],
    queryFn: ({ signal }) => parley.runs.manifest(run.id, { signal }),
  });
  if (error) return <ProblemBox error={error} />;
  if (!manifest) return <p className="quiet">Loading …</p>;
  return (
    <>
      <section>
        <h2>Cost and tokens</h2>
        <CostTable title="Role" rows={byRole(manifest)} />
        <CostTable title="Action" rows={manifest.usage_by_action.map((row) => ({ ...row, name: row.action }))} />
        <CostTable title="Model" rows={manifest.usage_by_model.map((row) => ({ ...row, name: row.model }))} />
      </section>
      <section>
        <h2>Manifest</h2>
        <p className="quiet">Models, prompts and parameters behind every artifact, to do the run again.</p>
        <JsonTree value={manifest} open={1} />
      </section>
    </>
  );
}

function byRole({ actions, usage_by_action }: Manifest): CostRow[] {
  const roles = new Map(actions.map(({ action, role }) => [action, role]));
  const rows = new Map<string, CostRow>();
  for (const { action, steps, usage } of usage_by_action) {
    const name = roles.get(action) ?? "none";
    const row = rows.get(name);
    rows.set(name, row ? { name, steps: row.steps + steps, usage: sum(row.usage, usage) } : { name, steps, usage });
  }
  return [...rows.values()];
}

const sum = (one: Usage, other: Usage): Usage => ({
  llm_calls: one.llm_calls + other.llm_calls,
  input_tokens: one.input_tokens + other.input_tokens,
  cached_input_tokens: one.cached_input_tokens + other.cached_input_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
  cost_usd: one.cost_usd === null || other.cost_usd === null ? null : one.cost_usd + other.cost_usd,
});

function CostTable({ title, rows }: { title: string; rows: CostRow[] }) {
  const paid = rows.filter(({ usage }) => usage.llm_calls > 0);
  const all = paid.reduce((tokens, { usage }) => tokens + tokensOf(usage), 0);
  if (paid.length === 0) return null;
  return (
    <div className="scroll" role="region" aria-label={`Cost by ${title.toLowerCase()}`} tabIndex={0}>
      <table className="costs">
        <thead>
          <tr>
            <th>{title}</th>
            <th className="number">Steps</th>
            <th className="number">Calls</th>
            <th className="number">Input</th>
            <th className="number">Output</th>
            <th className="number">Cost</th>
            <th>Share of tokens</th>
          </tr>
        </thead>
        <tbody>
          {paid.map(({ name, steps, usage }) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="number">{steps}</td>
              <td className="number">{usage.llm_calls}</td>
              <td className="number">{formatCount(usage.input_tokens)}</td>
              <td className="number">{formatCount(usage.output_tokens)}</td>
              <td className="number">{formatCost(usage.cost_usd)}</td>
              <td>
                <meter min={0} max={Math.max(1, all)} value={tokensOf(usage)} aria-label={`Tokens of ${name}`} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
