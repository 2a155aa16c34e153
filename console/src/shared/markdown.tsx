import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { createElement, Fragment, type ReactNode, useMemo } from "react";

/** Longer documents are shown as source: parsing takes time that grows faster than their length. */
const LONGEST = 60_000;
/** Nested containers that nobody writes, and that the parser takes seconds for. */
const DEEP = /^(?:[ \t]*(?:>|[-+*]|\d{1,9}[.)])){20}/m;

/** The elements that a document may have, all without attributes but those that `attributesOf` names. */
const ELEMENTS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong del hr br table thead tbody tr th td a sup section".split(
    " ",
  ),
);
/** Headings of a document stand under those of the page. */
const DEEPER: Readonly<Record<string, string>> = { h1: "h3", h2: "h4", h3: "h5", h4: "h6", h5: "h6" };

/**
 * Markdown of a model. micromark escapes all HTML of the document; of what it writes, the allowed elements are made anew, and everything else
 * is left out. Nothing is inserted as HTML, no picture is loaded, and links lead to the web or to mail only.
 */
export function Markdown({ text }: { text: string }) {
  const content = useMemo(() => (text.length > LONGEST || DEEP.test(text) ? null : elementsOf(text)), [text]);
  return content === null ? <pre className="source">{text}</pre> : <div className="markdown">{content}</div>;
}

function elementsOf(text: string): ReactNode {
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  // A document that is parsed this way executes no script and loads nothing.
  return childrenOf(new DOMParser().parseFromString(html, "text/html").body);
}

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
