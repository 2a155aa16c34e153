import { lazy, useState } from "react";
import type { ArtifactWithContent } from "../parley.ts";
import { JsonTree } from "../shared/json-tree.tsx";
import { CsvTable } from "../shared/csv-table.tsx";
import { Picture } from "../shared/picture.tsx";

const Markdown = lazy(() => import("../shared/markdown.tsx").then(({ Markdown: content }) => ({ default: content })));

/** An artifact as its medium wants to be seen: a document, a picture, a table or a tree; or its source. */
export function ArtifactContent({ artifact }: { artifact: ArtifactWithContent }) {
  const [source, setSource] = useState(false);
  const { content, media_type: type, kind } = artifact;
  const text = sourceOf(content);
  return (
    <>
      <p className="content-tools">
        <button type="button" className="plain" aria-pressed={source} onClick={() => setSource(!source)}>
          Source
        </button>
        <Download text={text} type={type} name={`${kind}-${artifact.version}.${ENDINGS[type] ?? "txt"}`} />
      </p>
      {source ? (
        <pre className="source">{text}</pre>
      ) : typeof content !== "string" ? (
        <JsonTree value={content} open={3} />
      ) : type === "text/markdown" ? (
        <Markdown text={content} />
      ) : type === "image/svg+xml" ? (
        <Picture svg={content} title={kind.replaceAll("_", " ")} />
      ) : type === "text/csv" ? (
        <CsvTable text={content} />
      ) : (
        <pre className="source">{content}</pre>
      )}
    </>
  );
}

export const sourceOf = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content ?? null, null, 2);

const ENDINGS: Readonly<Record<string, string>> = {
  "application/json": "json",
  "image/svg+xml": "svg",
  "text/csv": "csv",
  "text/markdown": "md",
  "application/x-ndjson": "ndjson",
};

/** Saves a text as a file. SVG is saved as plain bytes: no tab of this origin may open it. */
function Download({ text, type, name }: { text: string; type: string; name: string }) {
  const save = () => {
    const url = URL.createObjectURL(
      new Blob([text], { type: type === "image/svg+xml" ? "application/octet-stream" : type }),
    );
    const link = Object.assign(document.createElement("a"), { href: url, download: name });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <button type="button" className="plain" onClick={save}>
      Download
    </button>
  );
}
