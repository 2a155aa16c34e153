import type { CreateWebhookEndpoint } from "@parley/sdk";
import { useState } from "react";
import { Link } from "wouter";
import { useParley } from "../parley.ts";
import { DataTable } from "../shared/data-table.tsx";
import { FoldedForm, TextField } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

/** Where the tenant's events are sent. */
export default function WebhooksPage() {
  useTitle("Webhooks");
  const parley = useParley();
  const now = useNow(10_000);
  const { data, error } = usePage(["endpoints"], parley.webhookEndpoints.list);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction((given: CreateWebhookEndpoint) => parley.webhookEndpoints.create(given), ["endpoints"]);
  return (
    <>
      <header className="page-head">
        <h1>Webhooks</h1>
      </header>
      {error && <ProblemBox error={error} />}
      {secret && <ShownOnce what="The secret that signs its webhooks" value={secret} />}
      {data && (
        <DataTable
          title="Endpoints"
          rows={data.data}
          keyOf={({ id }) => id}
          empty="No endpoint receives events yet. One tells another system, a Slack channel or a mailbox that a run waits, has failed or has completed."
          columns={[
            [
              "Endpoint",
              ({ id, url, description }) => (
                <Link href={`/webhooks/${id}`}>{url ?? (description || "read by polling")}</Link>
              ),
            ],
            [
              "Status",
              ({ status, disabled_because }) => (
                <>
                  <Status status={status} /> {disabled_because?.replaceAll("_", " ")}
                </>
              ),
            ],
            ["Kind", ({ kind }) => kind],
            ["Events", ({ events }) => (events.length > 3 ? `${events.length} types` : events.join(", "))],
            ["Run", ({ run_id }) => (run_id ? <Link href={`/runs/${run_id}`}>one run</Link> : "all")],
            ["Created", ({ created_at }) => <Ago at={created_at} now={now} />],
          ]}
        />
      )}
      {data && <Pager next={data.next_cursor} />}
      <FoldedForm
        title="New endpoint"
        button="Create"
        busy={create.isPending}
        error={create.error}
        onSend={({ kind, url, description, events }) =>
          create.mutate(
            {
              kind: kind as CreateWebhookEndpoint["kind"],
              url,
              description,
              ...(events && { events: events.split(/[\s,]+/) as CreateWebhookEndpoint["events"] }),
            },
            { onSuccess: (made) => setSecret(made.secret ?? null) },
          )
        }
      >
        <div className="field">
          <label htmlFor="kind">Kind</label>
          <select id="kind" name="kind">
            <option value="http">HTTP: signed webhooks</option>
            <option value="slack">Slack: messages to an incoming webhook</option>
            <option value="email">E-mail</option>
          </select>
        </div>
        <TextField label="URL" name="url" type="url" required hint="Of e-mail: mailto: and an address." />
        <TextField label="Description" name="description" />
        <TextField
          label="Events"
          name="events"
          hint="Types such as run.completed run.failed; without any, a sensible choice of them."
        />
      </FoldedForm>
    </>
  );
}
