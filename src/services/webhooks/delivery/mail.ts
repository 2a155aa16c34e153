import type { Mail } from "../../platform";
import { type Notice, shorten } from "./notice";

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escape = (text: string) => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);

/** A mail with a plain part and an HTML part that say the same. The HTML loads nothing, and texts are escaped. */
export function mailOf(notice: Notice, from: string, to: string): Mail {
  const { heading, facts, texts, link } = notice;
  const text = [
    heading,
    ...texts,
    facts.map(([label, value]) => `${label}: ${value}`).join("\n"),
    ...(link ? [`${link.label}: ${link.url}`] : []),
  ].join("\n\n");
  const html = [
    `<h1 style="font-size:1.2em">${escape(heading)}</h1>`,
    ...texts.map((one) => `<p style="white-space:pre-wrap">${escape(one)}</p>`),
    `<p>${facts.map(([label, value]) => `${escape(label)}: ${escape(value)}`).join("<br>")}</p>`,
    ...(link ? [`<p><a href="${escape(link.url)}">${escape(link.label)}</a></p>`] : []),
  ].join("\n");
  return { from, to, subject: shorten(heading, 200), text: `${text}\n`, html: `<!doctype html>\n${html}\n` };
}
