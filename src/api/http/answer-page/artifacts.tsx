import { raw } from "hono/html";
import type { PresentedPart } from "#workflow-kit/presentation";
import { humanize } from "#services/interactions/form-fields";
import type { PersonView } from "#services/interactions/show-to-person";
import { renderMarkdown } from "./markdown";
import { Value } from "./value";

/** Longer artifacts are folded, except the one that the person decides on. Characters. */
const LONG = 4_000;

/** Markdown that is parsed for one page; the artifacts after it are shown as source. Characters. */
const MAX_MARKDOWN = 80_000;

/** Largest JSON that is laid out; larger JSON is shown as source. Characters. */
const MAX_LAID_OUT = 200_000;

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
        const asSource = (markdown += artifact.text.length) > MAX_MARKDOWN;
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
  subject ? `${humanize(kind)}: ${subject.replaceAll("_", " ")}` : humanize(kind);

const origin = ({ version, role, text, media_type }: Shown) => {
  const made = `version ${version} by ${humanize(role).toLowerCase()}`;
  if (media_type === "application/json") return made;
  const words = text.split(/\s+/).length;
  return `${made}, ${words.toLocaleString("en")} ${words === 1 ? "word" : "words"}`;
};

/** The artifact that questions are about, whole, above these questions. @param before characters of Markdown that the page shows above it */
export const Subject = ({ artifact, at, before, language }: Placed & { before: number; language: string | null }) => (
  <div class="content" lang={language ?? undefined} dir="auto">
    <Content artifact={artifact} id={`s${at}`} asSource={before + artifact.text.length > MAX_MARKDOWN} />
  </div>
);

interface Placed {
  artifact: Shown;
  /** Position on the page. */
  at: number;
}

/** Parts in groups: those that are beside each other together, each of the others alone. */
const Parts = ({ parts, id, asSource }: { parts: readonly PresentedPart[]; id: string; asSource: boolean }) => {
  const groups: PresentedPart[][] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.beside && last?.[0]?.beside) last.push(part);
    else groups.push([part]);
  }
  return (
    <>
      {groups.map((group, row) => (
        <div class={group.length > 1 ? "beside" : undefined}>
          {group.map(({ title, text }, column) => (
            <section class="part">
              <h4>{title}</h4>
              <div class="said-part" dir="auto">
                <MarkdownText text={text} id={`${id}-${row}-${column}`} asSource={asSource} />
              </div>
            </section>
          ))}
        </div>
      ))}
    </>
  );
};

const Content = ({ artifact, id, asSource }: { artifact: Shown; id: string; asSource: boolean }) => {
  const { media_type, text, parts } = artifact;
  if (parts) return <Parts parts={parts} id={id} asSource={asSource} />;
  if (media_type === "application/json") {
    const value: unknown = artifact.content ?? JSON.parse(text);
    return text.length <= MAX_LAID_OUT ? <Value value={value} /> : <pre>{JSON.stringify(value, null, 2)}</pre>;
  }
  if (media_type !== "text/markdown") return <pre>{text}</pre>;
  return <MarkdownText text={text} id={id} asSource={asSource} />;
};

const MarkdownText = async ({ text, id, asSource }: { text: string; id: string; asSource: boolean }) => {
  const html = asSource ? null : await renderMarkdown(text, id);
  if (html !== null) return <>{raw(html)}</>;
  return (
    <>
      <p class="quiet">This document is long or intricate, and is shown as it is written.</p>
      <pre>{text}</pre>
    </>
  );
};
