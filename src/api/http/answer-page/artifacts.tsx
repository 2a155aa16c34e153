import { raw } from "hono/html";
import { inWords } from "#services/interactions/form-fields";
import type { ShownArtifact } from "#services/interactions/show-to-person";
import { renderMarkdown } from "./markdown";
import { Value } from "./value";

/** Longer artifacts are folded. Characters. */
const LONG = 4_000;

/** Markdown that is parsed for one page; the artifacts after it are shown as source. Characters. */
const MOST_MARKDOWN = 80_000;

/** Largest JSON that is laid out; larger JSON is shown as source. Characters. */
const LARGEST_LAID_OUT = 200_000;

/** The artifacts of an interaction. A model wrote them: none of their text becomes markup, and nothing is loaded for them. */
export const Artifacts = (props: { artifacts: readonly ShownArtifact[]; language: string | null; folded: boolean }) => {
  let markdown = 0;
  return (
    <section aria-labelledby="about">
      <h2 id="about">What this is about</h2>
      {props.artifacts.map((artifact, at) => {
        const asSource = (markdown += artifact.text.length) > MOST_MARKDOWN;
        return (
          <details class="artifact" open={!props.folded && artifact.text.length <= LONG}>
            <summary>
              <h3>{titleOf(artifact)}</h3> <span class="quiet">{origin(artifact)}</span>
            </summary>
            <div class="content" lang={props.language ?? undefined} dir="auto">
              <Content artifact={artifact} id={`a${at}`} asSource={asSource} />
            </div>
          </details>
        );
      })}
    </section>
  );
};

export const titleOf = ({ kind, subject }: ShownArtifact) =>
  subject ? `${inWords(kind)}: ${subject.replaceAll("_", " ")}` : inWords(kind);

const origin = ({ version, role, text }: ShownArtifact) => {
  const words = text.split(/\s+/).length;
  return `version ${version} by ${inWords(role).toLowerCase()}, ${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
};

const Content = ({ artifact, id, asSource }: { artifact: ShownArtifact; id: string; asSource: boolean }) => {
  const { media_type, text } = artifact;
  if (media_type === "application/json") {
    const value: unknown = JSON.parse(text);
    return text.length <= LARGEST_LAID_OUT ? <Value value={value} /> : <pre>{JSON.stringify(value, null, 2)}</pre>;
  }
  if (media_type !== "text/markdown") return <pre>{text}</pre>;
  const html = asSource ? null : renderMarkdown(text, id);
  if (html !== null) return <>{raw(html)}</>;
  return (
    <>
      <p class="quiet">This document is long or deeply nested, and is shown as it is written.</p>
      <pre>{text}</pre>
    </>
  );
};
