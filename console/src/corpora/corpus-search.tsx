import type { Passage } from "@parley/sdk";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useParley } from "../parley.ts";
import { ProblemBox } from "../shared/problem.tsx";

/** Searches a corpus as runs do, and marks the words of the query in what it finds. */
export function CorpusSearch({ corpus }: { corpus: string }) {
  const parley = useParley();
  const [query, setQuery] = useState("");
  const search = useMutation({ mutationFn: () => parley.corpora.search(corpus, { query, limit: 10 }) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search.mutate();
  };
  return (
    <section className="page-section">
      <h2>Search</h2>
      <form role="search" className="filters" onSubmit={submit}>
        <label>
          Query
          <input type="search" required value={query} onChange={({ target }) => setQuery(target.value)} />
        </label>
        <button disabled={search.isPending}>Search</button>
      </form>
      {search.error && <ProblemBox error={search.error} />}
      {search.data && (
        <>
          <p role="status" className="quiet">
            {search.data.data.length === 0 ? "Nothing was found." : `Ranked by ${search.data.method}.`}
          </p>
          <ol className="cards">
            {search.data.data.map((passage) => (
              <FoundPassage key={passage.id} passage={passage} query={search.data.query} />
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

const FoundPassage = ({ passage, query }: { passage: Passage; query: string }) => (
  <li className="card">
    <p className="card-head">
      <strong>{passage.title ?? passage.source}</strong>
      {passage.heading && <span className="quiet">{passage.heading}</span>}
      <span className="quiet">{scoresOf(passage)}</span>
    </p>
    <p>
      <Highlighted text={passage.excerpt} query={query} />
    </p>
  </li>
);

const scoresOf = ({ scores }: Passage): string =>
  Object.entries(scores)
    .filter((entry): entry is [string, number] => entry[1] !== null)
    .map(([name, score]) => `${name} ${score.toFixed(2)}`)
    .join(", ");

/** A text with the words of a query marked: whole words that begin alike, as the search stems them. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  const stems = [...query.toLowerCase().matchAll(/[\p{L}\p{N}]{3,}/gu)].map(([word]) =>
    word.slice(0, Math.max(3, word.length - 2)),
  );
  const pieces = text.split(/([\p{L}\p{N}]+)/u);
  return pieces.map((piece, at) =>
    stems.some((stem) => piece.toLowerCase().startsWith(stem)) ? <mark key={at}>{piece}</mark> : piece,
  );
}
