import { Link, useLocation } from "wouter";
import { useParley } from "../parley.ts";
import { formatCount } from "../shared/amounts.ts";
import { DataTable } from "../shared/data-table.tsx";
import { FoldedForm, TextField } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

/** The tenant's corpora: sets of documents that runs retrieve from. */
export default function CorporaPage() {
  useTitle("Corpora");
  const parley = useParley();
  const now = useNow(10_000);
  const [, go] = useLocation();
  const { data, error } = usePage(["corpora"], parley.corpora.list);
  const create = useAction((given: { name: string }) => parley.corpora.create(given), ["corpora"]);
  return (
    <>
      <header className="page-head">
        <h1>Corpora</h1>
      </header>
      {error && <ProblemBox error={error} />}
      {data && (
        <DataTable
          title="Corpora"
          rows={data.data}
          keyOf={({ id }) => id}
          empty="There is no corpus yet. Runs of debate find their evidence in corpora."
          columns={[
            ["Name", ({ id, name }) => <Link href={`/corpora/${id}`}>{name}</Link>],
            ["Status", ({ status }) => <Status status={status} />],
            [
              "#Documents",
              ({ counts }) => `${formatCount(counts.ready_documents)} of ${formatCount(counts.documents)}`,
            ],
            ["#Passages", ({ counts }) => formatCount(counts.passages)],
            ["Language", ({ language }) => language ?? "–"],
            ["Vectors", ({ embedding_model }) => embedding_model ?? "none"],
            ["Created", ({ created_at }) => <Ago at={created_at} now={now} />],
          ]}
        />
      )}
      {data && <Pager next={data.next_cursor} />}
      <FoldedForm
        title="New corpus"
        button="Create"
        busy={create.isPending}
        error={create.error}
        onSend={(values) => create.mutate(values as { name: string }, { onSuccess: ({ id }) => go(`/corpora/${id}`) })}
      >
        <TextField label="Name" name="name" required />
        <TextField label="Description" name="description" />
        <TextField label="Language" name="language" hint="A tag such as en or pt-BR; by default each document's own." />
        <TextField
          label="Embedding model"
          name="embedding_model"
          hint="By default the one that is configured, if there is one."
        />
      </FoldedForm>
    </>
  );
}
