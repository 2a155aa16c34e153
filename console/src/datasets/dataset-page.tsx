import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "wouter";
import { useParley } from "../parley.ts";
import { plural, formatBytes } from "../shared/amounts.ts";
import { CopyButton } from "../shared/copy-button.tsx";
import { DataTable } from "../shared/data-table.tsx";
import { DangerButton } from "../shared/form-fields.tsx";
import { JsonTree } from "../shared/json-tree.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";

/** A data set and its items. */
export default function DatasetPage() {
  const { id } = useParams<{ id: string }>();
  const parley = useParley();
  const [, go] = useLocation();
  const { data: dataset, error } = useQuery({
    queryKey: ["datasets", "one", id],
    queryFn: ({ signal }) => parley.datasets.get(id, { signal }),
  });
  const items = usePage(["items", id], (query, options) => parley.datasets.listItems(id, query, options));
  const close = useAction(() => parley.datasets.close(id), ["datasets"]);
  const remove = useAction(() => parley.datasets.delete(id), ["datasets"]);
  useTitle(dataset?.name ?? "Data set");
  if (!dataset) return error ? <ProblemBox error={error} /> : <p className="quiet">Loading …</p>;
  const problem = items.error ?? close.error ?? remove.error;
  return (
    <>
      <p className="crumbs">
        <Link href="/datasets">Data sets</Link>
      </p>
      <header className="page-head">
        <h1>{dataset.name}</h1>
        <div className="actions">
          {dataset.status === "open" && (
            <DangerButton
              question={`Close the data set ${dataset.name} for ever? No item can be added or changed from then on.`}
              onSure={() => close.mutate(undefined)}
            >
              Close for ever
            </DangerButton>
          )}
          <DangerButton
            question={`Delete the data set ${dataset.name}?`}
            onSure={() => remove.mutate(undefined, { onSuccess: () => go("/datasets") })}
          >
            Delete
          </DangerButton>
        </div>
      </header>
      <p className="quiet">
        {dataset.description} {dataset.status}, for {dataset.workflow}, {plural(dataset.items, "item")},{" "}
        {formatBytes(dataset.bytes)}. <CopyButton text={dataset.id} />
      </p>
      {problem && <ProblemBox error={problem} />}
      {items.data && (
        <>
          <DataTable
            title="Items"
            rows={items.data.data}
            keyOf={(item) => item.id}
            empty="No item yet."
            columns={[
              ["Id", (item) => item.id],
              ["Tags", ({ tags }) => tags?.join(", ") ?? ""],
              ["Input", ({ input }) => <JsonTree value={input} open={0} />],
              ["Gold", ({ gold }) => (gold ? <JsonTree value={gold} open={0} /> : "–")],
            ]}
          />
          <Pager next={items.data.next_cursor} />
        </>
      )}
    </>
  );
}
