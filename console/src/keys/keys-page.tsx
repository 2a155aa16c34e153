import type { CreateKey } from "@parley/sdk";
import { useState } from "react";
import { useParley } from "../parley.ts";
import { DataTable } from "../shared/data-table.tsx";
import { DangerButton, FoldedForm, TextField } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { ShownOnce } from "../shared/shown-once.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

const SCOPES = [
  ["runs:read", "reads runs, artifacts and questions"],
  ["runs:write", "starts, answers and ends runs"],
  ["admin", "manages keys, agents, corpora and webhooks"],
] as const;

/** The tenant's keys: which there are, a new one, another one in the place of one that may be known. */
export default function KeysPage() {
  useTitle("Keys");
  const parley = useParley();
  const now = useNow(10_000);
  const [secret, setSecret] = useState<{ what: string; key: string } | null>(null);
  const { data, error } = usePage(["keys"], parley.keys.list);
  const shown = (what: string) => ({ onSuccess: ({ key }: { key: string }) => setSecret({ what, key }) });
  const create = useAction((given: CreateKey) => parley.keys.create(given), ["keys"]);
  const roll = useAction((id: string) => parley.keys.roll(id, {}), ["keys"]);
  const revoke = useAction((id: string) => parley.keys.revoke(id), ["keys"]);
  const problem = error ?? roll.error ?? revoke.error;
  return (
    <>
      <header className="page-head">
        <h1>Keys</h1>
      </header>
      {problem && <ProblemBox error={problem} />}
      {secret && <ShownOnce what={secret.what} value={secret.key} />}
      {!error && (
        <FoldedForm
          title="New key"
          button="Create"
          busy={create.isPending}
          error={create.error}
          onSend={({ name, mode }, form) =>
            create.mutate({ name, mode, scopes: form.getAll("scopes") } as unknown as CreateKey, shown("The new key"))
          }
        >
          <TextField label="Name" name="name" required hint="Where it is used." />
          <div className="field">
            <label htmlFor="mode">Mode</label>
            <select id="mode" name="mode">
              <option value="test">test: mock model, free</option>
              <option value="live">live: calls models</option>
            </select>
          </div>
          <fieldset>
            <legend>Scopes</legend>
            <ul className="check-list">
              {SCOPES.map(([scope, words]) => (
                <li key={scope}>
                  <label>
                    <input type="checkbox" name="scopes" value={scope} defaultChecked={scope !== "admin"} />
                    {scope} <span className="quiet">{words}</span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        </FoldedForm>
      )}
      {data && (
        <DataTable
          title="Keys"
          rows={data.data}
          keyOf={({ id }) => id}
          empty="There is no key."
          columns={[
            [
              "Name",
              ({ name, hint }) => (
                <>
                  {name} <code className="quiet">{hint}</code>
                </>
              ),
            ],
            ["Mode", ({ mode }) => mode],
            ["Scopes", ({ scopes }) => scopes.join(", ")],
            ["Last used", ({ last_used_at }) => (last_used_at ? <Ago at={last_used_at} now={now} /> : "never")],
            ["State", ({ revoked_at, expires_at }) => stateOf(revoked_at, expires_at, now)],
            [
              "Actions",
              ({ id, name, revoked_at }) =>
                revoked_at === null && (
                  <span className="actions">
                    <button
                      type="button"
                      onClick={() => roll.mutate(id, shown(`The new key; ${name} is accepted for a day more`))}
                    >
                      Replace
                    </button>
                    <DangerButton
                      question={`Revoke the key ${name}? Its callers are refused at once.`}
                      onSure={() => revoke.mutate(id)}
                    >
                      Revoke
                    </DangerButton>
                  </span>
                ),
            ],
          ]}
        />
      )}
      {data && <Pager next={data.next_cursor} />}
    </>
  );
}

function stateOf(revoked: string | null, expires: string | null, now: number) {
  if (revoked) return "revoked";
  if (!expires) return "active";
  return Date.parse(expires) < now ? (
    "expired"
  ) : (
    <>
      expires <Ago at={expires} now={now} />
    </>
  );
}
