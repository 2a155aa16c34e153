import { lazy } from "react";
import { Link } from "wouter";
import type { Run } from "../parley.ts";
import { humanize } from "../shared/amounts.ts";
import { JsonTree } from "../shared/json-tree.tsx";

const Markdown = lazy(() => import("../shared/markdown.tsx").then(({ Markdown: content }) => ({ default: content })));

interface OutputDocument {
  artifact_id: string;
  kind: string;
  media_type: string;
  text?: string | null;
}

/** What the run answers: its document, the whole output as a tree, and what was asked. */
export function Result({ run }: { run: Run }) {
  const { document } = (run.output ?? {}) as { document?: OutputDocument | null };
  return (
    <section>
      <h2>{run.output ? "Result" : "Request"}</h2>
      {document?.text && document.media_type === "text/markdown" && (
        <details className="fold" open>
          <summary>{humanize(document.kind)}</summary>
          <p>
            <Link href={`/runs/${run.id}/artifacts?artifact=${document.artifact_id}`}>Open beside the others</Link>
          </p>
          <Markdown text={document.text} />
        </details>
      )}
      {run.output && (
        <details className="fold">
          <summary>The whole output as data</summary>
          <JsonTree value={run.output} open={1} />
        </details>
      )}
      <details className="fold" open={run.status === "failed"}>
        <summary>What was asked: input and options</summary>
        <JsonTree value={{ input: run.input, options: run.options }} open={3} />
      </details>
    </section>
  );
}
