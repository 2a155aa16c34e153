import { useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "wouter";
import { LIST_INTERVAL_MS, useParley } from "../parley.ts";
import { plural, formatBytes, formatCount } from "../shared/amounts.ts";
import { DataTable } from "../shared/data-table.tsx";
import { DangerButton } from "../shared/form-fields.tsx";
import { Pager } from "../shared/pager.tsx";
import { ProblemBox } from "../shared/problem.tsx";
import { Status } from "../shared/status.tsx";
import { useAction, usePage } from "../shared/use-page.ts";
import { useTitle } from "../shared/use-title.ts";
import { CorpusSearch } from "./corpus-search.tsx";
import { CorpusUpload } from "./corpus-upload.tsx";

/** A corpus: search, upload, documents. */
export default function CorpusPage() {
  const { id } = useParams<{ id: string }>();
  const parley = useParley();
  const [, go] = useLocation();
  const { data: corpus, error } = useQuery({
    queryKey: ["corpora", "one", id],
    queryFn: ({ signal }) => parley.corpora.get(id, { signal }),
    refetchInterval: LIST_INTERVAL_MS,
  });
  const documents = usePage(["documents", id], (query, options) => parley.documents.list(id, query, options));
  const remove = useAction(() => parley.corpora.delete(id), ["corpora"]);
  const drop = useAction((document: string) => parley.documents.delete(id, document), ["documents", id]);
  useTitle(corpus?.name ?? "Corpus");
  if (!corpus) return error ? <ProblemBox error={error} /> : <p className="quiet">Loading …</p>;
  const problem = error ?? documents.error ?? remove.error ?? drop.error;
  return (
    <>
      <p className="crumbs">
        <Link href="/corpora">Corpora</Link>
      </p>
      <header className="page-head">
        <h1>
          {corpus.name} <Status status={corpus.status} />
        </h1>
        <DangerButton
          question={`Delete the corpus ${corpus.name} with its documents?`}
          onSure={() => remove.mutate(undefined, { onSuccess: () => go("/corpora") })}
        >
          Delete corpus
        </DangerButton>
      </header>
      <p className="quiet">
        {corpus.description} {plural(corpus.counts.documents, "document")}, {plural(corpus.counts.passages, "passage")},{" "}
        {formatCount(corpus.counts.embedded_passages)} with vectors.
      </p>
      {corpus.failure && (
        <p className="box wrong" role="alert">
          {corpus.failure}
        </p>
      )}
      {problem && <ProblemBox error={problem} />}
      <CorpusSearch corpus={id} />
      <CorpusUpload corpus={id} />
      {documents.data && (
        <section className="page-section">
          <h2>Documents</h2>
          <DataTable
            title="Documents"
            rows={documents.data.data}
            keyOf={(document) => document.id}
            empty="No document yet. Upload some above."
            columns={[
              ["Source", ({ source, title }) => (title ? `${title} (${source})` : source)],
              ["Status", ({ status }) => <Status status={status} />],
              ["Jurisdiction", ({ jurisdiction }) => jurisdiction ?? "–"],
              ["Language", ({ language }) => language ?? "–"],
              ["#Passages", ({ passages }) => formatCount(passages)],
              ["#Size", ({ size }) => formatBytes(size)],
              [
                "Delete",
                ({ id: document, source }) => (
                  <DangerButton question={`Delete the document ${source}?`} onSure={() => drop.mutate(document)}>
                    Delete
                  </DangerButton>
                ),
              ],
            ]}
          />
          <Pager next={documents.data.next_cursor} />
        </section>
      )}
    </>
  );
}
