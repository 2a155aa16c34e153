import { ApiError, type CreateRun, type RunEstimate } from "@parley/sdk";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useLocation, useParams, useSearchParams } from "wouter";
import { useParley, useSession, useWorkflow, useWorkflows } from "../parley.ts";
import { plural, formatCost, formatCompact } from "../shared/amounts.ts";
import { parseJson } from "../shared/parse-json.ts";
import { ProblemBox } from "../shared/problem.tsx";
import { useTitle } from "../shared/use-title.ts";
import type { Schema } from "./json-schema.ts";
import { SchemaForm } from "./schema-form.tsx";

type Values = Record<string, unknown>;

/** Chooses a workflow, and fills in its form. */
export default function NewRunPage() {
  useTitle("New run");
  const { workflow } = useParams<{ workflow?: string }>();
  return workflow ? <NewRun key={workflow} name={workflow} /> : <ChooseWorkflow />;
}

function ChooseWorkflow() {
  const { data, error } = useWorkflows();
  return (
    <>
      <header className="page-head">
        <h1>New run: which method?</h1>
      </header>
      {error && <ProblemBox error={error} />}
      <ul className="workflow-choice">
        {data?.map(({ name, title, summary }) => (
          <li key={name}>
            <Link href={`/runs/new/${name}`}>
              <strong>{title}</strong>
              <span className="quiet">{summary}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Loads what the form begins with: the workflow's example, or the request of an earlier run. */
function NewRun({ name }: { name: string }) {
  const parley = useParley();
  const [search] = useSearchParams();
  const from = search.get("from");
  const { data: workflow, error } = useWorkflow(name);
  const earlier = useQuery({
    queryKey: ["run", from],
    queryFn: ({ signal }) => parley.runs.get(from!, { signal }),
    enabled: from !== null,
  });
  const problem = error ?? earlier.error;
  if (problem) return <ProblemBox error={problem} />;
  if (!workflow || (from && !earlier.data)) return <p className="quiet">Loading …</p>;
  const { input = {}, options = {} } = (earlier.data ?? workflow.example) as { input?: Values; options?: Values };
  return (
    <>
      <p className="crumbs">
        <Link href="/runs/new">All methods</Link>
      </p>
      <header className="page-head">
        <h1>New run: {workflow.title}</h1>
      </header>
      <p className="quiet">
        {workflow.summary}{" "}
        {from ? "Filled in as in the earlier run." : "Filled in with the example; change what you like."}
      </p>
      <RunForm
        name={name}
        inputSchema={workflow.input as Schema}
        optionsSchema={workflow.options as Schema}
        first={{ input, options }}
      />
    </>
  );
}

interface RunFormProps {
  name: string;
  inputSchema: Schema;
  optionsSchema: Schema;
  first: { input: Values; options: Values };
}

function RunForm({ name, inputSchema, optionsSchema, first }: RunFormProps) {
  const parley = useParley();
  const { mode } = useSession();
  const [, go] = useLocation();
  const [input, setInput] = useState(first.input);
  const [options, setOptions] = useState(first.options);
  const [further, setFurther] = useState("");
  const request = useMemo(
    () => () =>
      ({
        workflow: name,
        input,
        options,
        ...(further.trim() && (parseJson(further, "Further fields") as object)),
      }) as CreateRun,
    [name, input, options, further],
  );
  const start = useMutation({
    mutationFn: () => parley.runs.create(request()),
    onSuccess: ({ id }) => go(`/runs/${id}`),
  });
  const estimate = useMutation({ mutationFn: () => parley.runs.estimate(request()) });
  const error = start.error ?? estimate.error;
  const errors = error instanceof ApiError ? error.errors : [];
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate();
      }}
    >
      <h2>Input</h2>
      <SchemaForm schema={inputSchema} value={input} onChange={setInput} path="input" errors={errors} />
      <h2>Options</h2>
      <SchemaForm schema={optionsSchema} value={options} onChange={setOptions} path="options" errors={errors} />
      <details className="fold">
        <summary>Models, limits and further fields of the request</summary>
        <div className="field">
          <label htmlFor="further">As JSON</label>
          <p className="hint">
            Such as <code>{'{"limits": {"max_cost_usd": 2}}'}</code>
            {mode === "test" && (
              <>
                {" "}
                or, to watch a mock run slowly, <code>{'{"test": {"latency_ms": 1500}}'}</code>
              </>
            )}
          </p>
          <textarea
            id="further"
            className="code"
            rows={3}
            spellCheck={false}
            value={further}
            onChange={({ target }) => setFurther(target.value)}
          />
        </div>
      </details>
      {error && <ProblemBox error={error} />}
      {estimate.data && !error && <Estimate estimate={estimate.data} />}
      <div className="actions">
        <button className="primary" disabled={start.isPending}>
          {start.isPending ? "Starting …" : "Start run"}
        </button>
        <button type="button" disabled={estimate.isPending} onClick={() => estimate.mutate()}>
          Estimate its cost
        </button>
        {mode === "test" && (
          <span className="quiet">With a test key: free, and a stand-in answers for the models.</span>
        )}
      </div>
    </form>
  );
}

const formatRange = (
  { low, high }: { low: number | null; high: number | null },
  say: (value: number) => string,
): string => (low === null || high === null ? "not known" : low === high ? say(low) : `${say(low)} to ${say(high)}`);

const Estimate = ({ estimate }: { estimate: RunEstimate }) => (
  <div className="box good" role="status">
    <p>
      <strong>{estimate.cost_usd ? formatRange(estimate.cost_usd, formatCost) : "No price is known"}</strong>, with{" "}
      {formatRange(estimate.calls, (calls) => plural(calls, "call"))},{" "}
      {formatRange(estimate.input_tokens, formatCompact)} tokens of input and{" "}
      {formatRange(estimate.output_tokens, formatCompact)} of output.
    </p>
    {estimate.notes.length > 0 && (
      <ul>
        {estimate.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    )}
  </div>
);
