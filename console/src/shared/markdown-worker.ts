import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Answers a text of Markdown with its HTML, in which all HTML of the text itself is escaped. */
self.addEventListener("message", ({ data }: MessageEvent<string>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a message to or of a worker has no origin
  self.postMessage(micromark(data, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }));
});
