import type { Template } from "@parley/sdk";
import { useLocation } from "wouter";
import { useParley } from "../parley.ts";
import { DangerButton, FoldedForm, TextField } from "../shared/form-fields.tsx";
import { JsonTree } from "../shared/json-tree.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { useAction } from "../shared/use-page.ts";

type Values = Record<string, unknown>;

/** A saved request, with a form for its fields that starts a run. */
export function TemplateCard({ template }: { template: Template }) {
  const { id, name, description, workflow, version, request, fields } = template;
  const parley = useParley();
  const [, go] = useLocation();
  const start = useAction((given: Values) => parley.templates.start(id, { fields: given }), ["runs"]);
  const remove = useAction(() => parley.templates.delete(id), ["templates"]);
  return (
    <li className="card">
      <p className="card-head">
        <strong>{name}</strong> <span className="quiet">{`${workflow}, version ${version}`}</span>
        <DangerButton question={`Delete the template ${name}?`} onSure={() => remove.mutate(undefined)}>
          Delete
        </DangerButton>
      </p>
      {description && <p>{description}</p>}
      {remove.error && <ProblemBox error={remove.error} />}
      <details>
        <summary>Request</summary>
        <JsonTree value={request} open={3} />
      </details>
      <FoldedForm
        title={`Start a run of ${name}`}
        button="Start run"
        busy={start.isPending}
        error={start.error}
        onSend={(values) => start.mutate(typed(values, fields), { onSuccess: (run) => go(`/runs/${run.id}`) })}
      >
        {Object.entries(fields).map(([field, { type, description: hint }]) => (
          <TextField
            key={field}
            label={field}
            name={field}
            hint={`${hint ?? ""} (${type})`}
            rows={type === "json" ? 3 : undefined}
          />
        ))}
      </FoldedForm>
    </li>
  );
}

/** Texts of a form as values of the types of the template's fields. A text that is none is left for the API to refuse. */
function typed(values: Record<string, string>, fields: Template["fields"]): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, fields[name]?.type === "string" ? text : parsed(text)]),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
