import type { DatasetProgress } from "@parley/sdk";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useParley, useWorkflows } from "../parley.ts";
import { plural, formatBytes, formatCount } from "../shared/amounts.ts";
import { DataTable } from "../shared/data-table.tsx";
import { FoldedForm, TextField } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Status } from "../shared/status.tsx";
import { Ago, useNow } from "../shared/time.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

interface NewDataset {
  name: string;
  workflow: string;
  file: File;
}

/** The tenant's data sets, whose items experiments run on. */
export default function DatasetsPage() {
  useTitle("Data sets");
  const parley = useParley();
  const now = useNow(10_000);
  const [, go] = useLocation();
  const [progress, setProgress] = useState<DatasetProgress | null>(null);
  const { data, error } = usePage(["datasets"], parley.datasets.list);
  const { data: workflows = [] } = useWorkflows();
  const upload = useAction(
    ({ name, workflow, file }: NewDataset) =>
      parley.datasets.upload({ name, workflow }, file.stream(), { onProgress: setProgress }),
    ["datasets"],
  );
  return (
    <>
      <header className="page-head">
        <h1>Data sets</h1>
      </header>
      {error && <ProblemBox error={error} />}
      {data && (
        <DataTable
          title="Data sets"
          rows={data.data}
          keyOf={({ id }) => id}
          empty="There is no data set yet. Experiments compare workflows on the items of one."
          columns={[
            ["Name", ({ id, name }) => <Link href={`/datasets/${id}`}>{name}</Link>],
            ["Status", ({ status }) => (status === "open" ? <Status status="open" /> : "closed")],
            ["Workflow", ({ workflow }) => workflow],
            ["#Items", ({ items }) => formatCount(items)],
            ["#Size", ({ bytes }) => formatBytes(bytes)],
            ["Created", ({ created_at }) => <Ago at={created_at} now={now} />],
          ]}
        />
      )}
      {data && <Pager next={data.next_cursor} />}
      <FoldedForm
        title="Upload a data set"
        button="Upload"
        busy={upload.isPending}
        error={upload.error}
        onSend={({ name, workflow }, form) => {
          const file = form.get("file") as File;
          upload.mutate({ name: name!, workflow: workflow!, file }, { onSuccess: ({ id }) => go(`/datasets/${id}`) });
        }}
      >
        <TextField label="Name" name="name" required />
        <div className="field">
          <label htmlFor="workflow">Workflow that its inputs are for</label>
          <select id="workflow" name="workflow" required>
            {workflows.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </div>
        <TextField
          label="File"
          name="file"
          type="file"
          required
          hint="NDJSON: an item on each line, with id, input, and where known gold. The data set is closed once all items are there."
        />
        {progress && <p role="status">{plural(progress.sent, "item")} sent.</p>}
      </FoldedForm>
    </>
  );
}
