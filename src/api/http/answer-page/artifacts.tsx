import { raw } from "hono/html";
import { inWords } from "#services/interactions/form-fields";
import type { PersonView } from "#services/interactions/show-to-person";
import { renderMarkdown } from "./markdown";
import { Value } from "./value";

/** Longer artifacts are folded, except the one that the person decides on. Characters. */
const LONG = 4_000;

/** Markdown that is parsed for one page; the artifacts after it are shown as source. Characters. */
const MOST_MARKDOWN = 80_000;

/** Largest JSON that is laid out; larger JSON is shown as source. Characters. */
const LARGEST_LAID_OUT = 200_000;

type Shown = PersonView["artifacts"][number];

/**
 * The artifacts of an interaction, the one to decide on first. A model wrote them: none of their text becomes markup, and nothing is loaded
 * for them.
 * @param decides false when the artifacts only explain the questions
 */
export const Artifacts = (props: { artifacts: readonly Shown[]; language: string | null; decides: boolean }) => {
  let markdown = 0;
  return (
    <section aria-labelledby="about">
      <h2 id="about">What this is about</h2>
      {props.artifacts.map((artifact, at) => {
        const asSource = (markdown += artifact.text.length) > MOST_MARKDOWN;
        return (
          <details class="artifact" open={props.decides && (at === 0 || artifact.text.length <= LONG)}>
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

export const titleOf = ({ kind, subject }: Shown) =>
  subject ? `${inWords(kind)}: ${subject.replaceAll("_", " ")}` : inWords(kind);

const origin = ({ version, role, text, media_type }: Shown) => {
  const made = `version ${version} by ${inWords(role).toLowerCase()}`;
  if (media_type === "application/json") return made;
  const words = text.split(/\s+/).length;
  return `${made}, ${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
};

const Content = ({ artifact, id, asSource }: { artifact: Shown; id: string; asSource: boolean }) => {
  const { media_type, text } = artifact;
  if (media_type === "application/json") {
    const value: unknown = artifact.content ?? JSON.parse(text);
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
