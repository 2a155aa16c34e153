import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { expect } from "vitest";
import { call, type Reply } from "../support/parley";

/** The `Accept` header of Chromium. */
export const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

/** A page, requested as a browser does. */
export const getPage = (path: string): Promise<Reply> => call("GET", path, { headers: { accept: BROWSER } });

/** A form as a browser sends it: by name, each with one value or several. */
export function postPage(path: string, fields: Record<string, string | string[]>): Promise<Reply> {
  const pairs = Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
  return call("POST", path, {
    body: new URLSearchParams(pairs).toString(),
    headers: { accept: BROWSER, "content-type": "application/x-www-form-urlencoded" },
  });
}

export interface PageElement {
  tag: string;
  attributes: Record<string, string>;
}

/** Every element of a page in the order of its text, as a browser sees them. */
export function elementsOf(html: string): PageElement[] {
  const elements: PageElement[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node) => {
    if ("tagName" in node)
      elements.push({
        tag: node.tagName,
        attributes: Object.fromEntries(node.attrs.map(({ name, value }) => [name, value])),
      });
    if ("childNodes" in node) node.childNodes.forEach(visit);
  };
  visit(parse(html));
  return elements;
}

const SIGNS: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": '"', "&#39;": "'" };
const unescape = (text: string) => text.replaceAll(/&(?:lt|gt|amp|quot|#39);/g, (sign) => SIGNS[sign]!);

/** The text of a page, without its tags. */
export const textOf = (html: string): string =>
  unescape(html.replace(/<style>.*?<\/style>/s, "").replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ");

/** The form data that a browser would send now: the values that the page shows. */
export function filledIn(html: string): Record<string, string[]> {
  const values: Record<string, string[]> = {};
  const add = (name: string | null, value: string) => {
    if (name) (values[name] ??= []).push(value);
  };
  let select: string | null = null;
  for (const { tag, attributes } of elementsOf(html)) {
    if (tag === "input" && ["text", "hidden"].includes(attributes.type!)) add(attributes.name!, attributes.value ?? "");
    if (tag === "input" && attributes.type !== "text" && attributes.type !== "hidden" && "checked" in attributes)
      add(attributes.name!, attributes.value!);
    if (tag === "select") select = attributes.name!;
    if (tag === "option" && "selected" in attributes) add(select, attributes.value!);
  }
  for (const [, name, text] of html.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>\n?([^<]*)<\/textarea>/g)) {
    add(unescape(name!), unescape(text!).replaceAll(/\r\n?|\n/g, "\r\n"));
  }
  return values;
}

/** The messages at the controls of a form, by their names; each control must point to its message. */
export function errorsAt(html: string): Record<string, string> {
  const elements = elementsOf(html);
  const errors: Record<string, string> = {};
  for (const { attributes } of elements) {
    const described = attributes["aria-describedby"]?.split(" ").find((id) => id.endsWith("-error"));
    if (!described) continue;
    const message = new RegExp(`id="${described}">(.*?)</p>`, "s").exec(html)?.[1];
    expect(message, described).toBeTruthy();
    const control = elements.find((it) => it.attributes.id === described.slice(0, -"-error".length));
    expect(control, described).toBeTruthy();
    errors[control!.attributes.name ?? control!.attributes.id!] = textOf(message!).replace("Error: ", "").trim();
  }
  return errors;
}
