import { createElement, Fragment, type ReactNode, useEffect, useState } from "react";

/** Longer documents are shown as source. Characters. */
const MAX_LENGTH = 60_000;
/** A document that the parser takes longer for is shown as source: with brackets or lists that nobody writes it takes many seconds. Milliseconds. */
const PARSE_TIMEOUT_MS = 3000;

/** The elements that a document may have, all without attributes but those that `attributesOf` names. */
const ELEMENTS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del hr br table thead tbody tr th td a sup section".split(
    " ",
  ),
);
/** Shifts a document's headings below those of the page. */
const DEEPER: Readonly<Record<string, string>> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6" };

/**
 * Markdown of a model. micromark escapes all HTML of the document; of what it writes, the allowed elements are made anew, and everything else
 * is left out. Nothing is inserted as HTML, no picture is loaded, and links lead to the web or to mail only. A worker parses, so that no document
 * holds up the page.
 */
export function Markdown({ text }: { text: string }) {
  const [parsed, setParsed] = useState<{ text: string; content: ReactNode } | null>(null);
  useEffect(() => {
    const source = () => setParsed({ text, content: <pre className="source">{text}</pre> });
    if (text.length > MAX_LENGTH) return source();
    return parse(text, source, (html) =>
      setParsed({ text, content: <div className="markdown">{elementsOf(html)}</div> }),
    );
  }, [text]);
  return parsed?.text === text ? parsed.content : <p className="quiet">Loading …</p>;
}

/** @returns gives up */
function parse(text: string, onFailure: () => void, onHtml: (html: string) => void): () => void {
  const worker = new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" });
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
  };
  const fail = () => {
    stop();
    onFailure();
  };
  const timer = setTimeout(fail, PARSE_TIMEOUT_MS);
  worker.addEventListener("error", fail);
  worker.addEventListener("message", ({ data }: MessageEvent<string>) => {
    stop();
    onHtml(data);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to or of a worker has no origin
  worker.postMessage(text);
  return stop;
}

/** A document that is parsed this way executes no script and loads nothing. */
const elementsOf = (html: string): ReactNode => childrenOf(new DOMParser().parseFromString(html, "text/html").body);

const childrenOf = (node: Node): ReactNode[] =>
  [...node.childNodes].map((child, index) => <Fragment key={index}>{elementOf(child)}</Fragment>);

function elementOf(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === "img")
    return node.getAttribute("alt") && <span className="quiet">Image: {node.getAttribute("alt")}</span>;
  if (name === "input") return node.hasAttribute("checked") ? "☑" : "☐";
  if (!ELEMENTS.has(name)) return null;
  if (name === "hr" || name === "br") return createElement(name);
  if (name === "table")
    return (
      <div className="scroll" role="group" aria-label="Table" tabIndex={0}>
        <table>{childrenOf(node)}</table>
      </div>
    );
  if (name === "a") return linkOf(node);
  if (name === "th" && !node.textContent) return <td />; // a heading that says nothing is none
  return createElement(
    DEEPER[name] ?? name,
    name === "ol" ? { start: Number(node.getAttribute("start") ?? 1) } : {},
    ...childrenOf(node),
  );
}

/** Links inside the document, such as to footnotes, are shown as their words. */
function linkOf(node: Element): ReactNode {
  const url = node.getAttribute("href") ?? "";
  if (!/^(https?|mailto):/i.test(url)) return childrenOf(node);
  const host = URL.canParse(url) ? new URL(url).host || url.slice("mailto:".length) : "";
  return (
    <>
      <a href={url} rel="noopener noreferrer nofollow" target="_blank">
        {childrenOf(node)}
      </a>
      {node.textContent === url ? null : <span className="quiet"> ({host})</span>}
    </>
  );
}
