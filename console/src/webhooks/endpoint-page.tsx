import type { DeliveryPage } from "@parley/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation, useParams } from "wouter";
import { useParley } from "../parley.ts";
import { DangerButton } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

type Delivery = DeliveryPage["data"][number];

/** An endpoint: what was sent to it, and what it answered. */
export default function EndpointPage() {
  useTitle("Webhook endpoint");
  const { id } = useParams<{ id: string }>();
  const parley = useParley();
  const [, go] = useLocation();
  const [secret, setSecret] = useState<string | null>(null);
  const { data: endpoint, error } = useQuery({
    queryKey: ["endpoints", "one", id],
    queryFn: ({ signal }) => parley.webhookEndpoints.get(id, { signal }),
  });
  const deliveries = usePage(["deliveries", id], (query, options) =>
    parley.webhookEndpoints.listDeliveries(id, query, options),
  );
  const ping = useAction(() => parley.webhookEndpoints.ping(id), ["deliveries", id]);
  const rotate = useAction(() => parley.webhookEndpoints.rotateSecret(id, { overlap: "24h" }), ["endpoints"]);
  const update = useAction(
    (status: "enabled" | "disabled") => parley.webhookEndpoints.update(id, { status }),
    ["endpoints"],
  );
  const remove = useAction(() => parley.webhookEndpoints.delete(id), ["endpoints"]);
  if (!endpoint) return error ? <ProblemBox error={error} /> : <p className="quiet">Loading …</p>;
  const problem = deliveries.error ?? ping.error ?? rotate.error ?? update.error ?? remove.error;
  const enabled = endpoint.status === "enabled";
  return (
    <>
      <p className="crumbs">
        <Link href="/webhooks">Webhooks</Link>
      </p>
      <header className="page-head">
        <h1>
          {endpoint.url ?? "Read by polling"} <Status status={endpoint.status} />
        </h1>
        <div className="actions">
          <button type="button" disabled={ping.isPending} onClick={() => ping.mutate(undefined)}>
            Send a test event
          </button>
          <button
            type="button"
            onClick={() => rotate.mutate(undefined, { onSuccess: (made) => setSecret(made.secret ?? null) })}
          >
            Rotate secret
          </button>
          <button type="button" onClick={() => update.mutate(enabled ? "disabled" : "enabled")}>
            {enabled ? "Disable" : "Enable"}
          </button>
          <DangerButton
            question="Delete this endpoint?"
            onSure={() => remove.mutate(undefined, { onSuccess: () => go("/webhooks") })}
          >
            Delete
          </DangerButton>
        </div>
      </header>
      <p className="quiet">
        {endpoint.description} {endpoint.events.join(", ")}
      </p>
      {secret && <ShownOnce what="The new secret; the old one signs too for a day" value={secret} />}
      {problem && <ProblemBox error={problem} />}
      <h2>Deliveries</h2>
      {deliveries.data?.data.length === 0 && <p className="empty">Nothing was sent yet.</p>}
      <ul className="cards">
        {deliveries.data?.data.map((delivery) => (
          <DeliveryCard key={delivery.id} delivery={delivery} />
        ))}
      </ul>
      {deliveries.data && <Pager next={deliveries.data.next_cursor} />}
    </>
  );
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const parley = useParley();
  const now = useNow(5000);
  const [open, setOpen] = useState(false);
  const { id, endpoint_id, type, status, run_id, created_at, next_attempt_at } = delivery;
  const again = useAction(() => parley.deliveries.redeliver(id), ["deliveries", endpoint_id]);
  return (
    <li className="card">
      <p className="card-head">
        <Status status={status} /> <strong>{type}</strong>
        {run_id && <Link href={`/runs/${run_id}`}>its run</Link>}
        <span className="quiet">
          <Ago at={created_at} now={now} />
          {next_attempt_at && (
            <>
              , next attempt <Ago at={next_attempt_at} now={now} />
            </>
          )}
        </span>
        <button type="button" className="plain" disabled={again.isPending} onClick={() => again.mutate(undefined)}>
          Redeliver
        </button>
      </p>
      {again.error && <ProblemBox error={again.error} />}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Body and attempts</summary>
        {open && <DeliveryDetails id={id} />}
      </details>
    </li>
  );
}

function DeliveryDetails({ id }: { id: string }) {
  const parley = useParley();
  const { data, error } = useQuery({
    queryKey: ["delivery", id],
    queryFn: ({ signal }) => parley.deliveries.get(id, { signal }),
  });
  if (error) return <ProblemBox error={error} />;
  if (!data) return <p className="quiet">Loading …</p>;
  return (
    <>
      <h3>Body</h3>
      <pre className="source">{data.body}</pre>
      {data.attempts.map(({ attempt, started_at, duration_ms, response, error: failure }) => (
        <section key={attempt}>
          <h3>
            Attempt {attempt}: {response ? `answered ${response.status}` : (failure ?? "no answer")}, {duration_ms} ms
          </h3>
          <p className="quiet">{new Date(started_at).toLocaleString()}</p>
          {response?.body && <pre className="source">{response.body}</pre>}
        </section>
      ))}
    </>
  );
}
