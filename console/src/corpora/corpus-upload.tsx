import type { CorpusProgress, CorpusUploadResult } from "@parley/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useParley } from "../parley.ts";
import { plural } from "../shared/amounts.ts";
import { ProblemBox } from "../shared/problem.tsx";

/** Files that hold one document each; others hold a document a line, as JSON. */
const WHOLE = /\.(txt|md)$/i;

/** Adds documents from files, and shows how many of them are ready for searches. */
export function CorpusUpload({ corpus }: { corpus: string }) {
  const parley = useParley();
  const queries = useQueryClient();
  const id = useId();
  const [progress, setProgress] = useState<CorpusProgress | null>(null);
  const upload = useMutation({
    mutationFn: (files: File[]): Promise<CorpusUploadResult> =>
      parley.corpora.upload(corpus, documentsOf(files), { onProgress: setProgress }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["documents", corpus] }),
  });
  const { data } = upload;
  return (
    <section className="page-section">
      <h2>Upload</h2>
      <div className="field form">
        <label htmlFor={id}>Add files</label>
        <p className="hint">
          Text or Markdown files are a document each; an NDJSON file has a document on each line, with <code>text</code>{" "}
          and <code>source</code>.
        </p>
        <input
          id={id}
          type="file"
          multiple
          accept=".txt,.md,.ndjson,.jsonl"
          disabled={upload.isPending}
          onChange={({ target }) => {
            setProgress(null);
            if (target.files?.length) upload.mutate([...target.files]);
          }}
        />
      </div>
      {progress && (
        <p role="status">
          <progress max={Math.max(1, progress.added)} value={progress.ready} aria-label="Documents that are ready" />
          {plural(progress.sent, "line")} sent, {progress.ready} of {progress.added} new documents ready,{" "}
          {progress.unchanged} unchanged, {progress.invalid} refused.
        </p>
      )}
      {upload.error && <ProblemBox error={upload.error} />}
      {data && data.errors.length > 0 && (
        <div className="box wrong">
          <p className="box-title">Refused lines</p>
          <ul>
            {data.errors.map(({ line, errors }) => (
              <li key={line}>
                Line {line}: {errors.map(({ path, message }) => `${path} ${message}`).join(" ")}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** The lines of an upload, file after file, read as they are sent. */
async function* documentsOf(files: File[]): AsyncGenerator<string> {
  for (const file of files) {
    if (WHOLE.test(file.name)) yield `${JSON.stringify({ text: await file.text(), source: file.name })}\n`;
    else {
      const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
      yield "\n";
    }
  }
}
