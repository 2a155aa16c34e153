import { type Notice, shorten } from "./notice";

/** Slack's own limits of a header, a section and a button's URL. Characters, after escaping. */
const MAX_LENGTH = { header: 150, section: 3000, url: 3000 };

/** In every text Slack reads `<…>` as links and mentions such as `<!channel>`, and `&` as the beginning of an entity. */
const escape = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A text that Slack shows as it is: without formatting, mentions and emoji. Escaped whole, so that no entity is cut. */
function plain(text: string, most: number) {
  let kept = text;
  while (escape(kept).length > most) kept = shorten(kept, Math.max(1, kept.length - (escape(kept).length - most)));
  return { type: "plain_text", text: escape(kept), emoji: false };
}

/** The body for an incoming webhook of Slack: blocks, and the text of its notifications. */
export function slackMessage({ heading, facts, texts, link }: Notice): object {
  const section = (text: string) => ({ type: "section", text: plain(text, MAX_LENGTH.section) });
  const lines = facts.map(([label, value]) => `${label}: ${value}`).join("\n");
  return {
    text: escape(heading),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(heading, MAX_LENGTH.header) },
      ...texts.map(section),
      ...(lines ? [section(lines)] : []),
      ...(link && link.url.length <= MAX_LENGTH.url
        ? [
            {
              type: "actions",
              elements: [{ type: "button", text: plain(link.label, 75), url: link.url, style: "primary" }],
            },
          ]
        : []),
    ],
  };
}
