import type { CreateAgent } from "@parley/sdk";
import { useParley } from "../parley.ts";
import { DangerButton, FoldedForm, TextField } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

/** The registry of worker agents that waterfall plans over. */
export default function AgentsPage() {
  useTitle("Agents");
  const parley = useParley();
  const { data, error } = usePage(["agents"], parley.agents.list);
  const create = useAction((given: CreateAgent) => parley.agents.create(given), ["agents"]);
  const remove = useAction((id: string) => parley.agents.delete(id), ["agents"]);
  const problem = error ?? remove.error;
  return (
    <>
      <header className="page-head">
        <h1>Agents</h1>
      </header>
      <p className="quiet">Waterfall plans over these agents, and its programs call them.</p>
      {problem && <ProblemBox error={problem} />}
      <FoldedForm
        title="New agent"
        button="Register"
        busy={create.isPending}
        error={create.error}
        onSend={({ capabilities = "", tools, ...values }) =>
          create.mutate({
            ...values,
            capabilities: linesOf(capabilities),
            ...(tools && { tools: linesOf(tools) }),
          } as CreateAgent)
        }
      >
        <TextField label="Name" name="name" required />
        <TextField label="Description" name="description" required />
        <TextField label="Capabilities" name="capabilities" required rows={2} hint="One on each line." />
        <TextField label="When to use it" name="when_to_use" required />
        <TextField label="Input" name="input" required />
        <TextField label="Output" name="output" required />
        <TextField label="Instructions" name="instructions" required rows={4} />
        <TextField
          label="Tools"
          name="tools"
          rows={2}
          hint="Such as calculator, date_arithmetic, http_request, web_search; one on each line."
        />
        <TextField label="Model" name="model" hint="By default the run's own." />
      </FoldedForm>
      <ul className="cards">
        {data?.data.map(
          ({ id, name, description, built_in, capabilities, tools, unavailable_tools, model, instructions }) => (
            <li className="card" key={id}>
              <p className="card-head">
                <strong>{name}</strong> <span className="quiet">{built_in ? "built in" : "your own"}</span>
                {model && <span className="quiet">{model}</span>}
                {!built_in && (
                  <DangerButton question={`Delete the agent ${name}?`} onSure={() => remove.mutate(id)}>
                    Delete
                  </DangerButton>
                )}
              </p>
              <p>{description}</p>
              <p className="quiet">
                {capabilities.join(", ")}
                {tools.length > 0 && `; tools: ${tools.join(", ")}`}
                {unavailable_tools.length > 0 && `; not available here: ${unavailable_tools.join(", ")}`}
              </p>
              <details>
                <summary>Instructions</summary>
                <pre className="source">{instructions}</pre>
              </details>
            </li>
          ),
        )}
      </ul>
      {data && <Pager next={data.next_cursor} />}
    </>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
