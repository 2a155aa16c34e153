interface Fence {
  marker: string;
  info: string;
}

/** Parses a line of Markdown as a code fence; null when it is none. A backtick fence has no backtick in its info string (CommonMark 4.5). */
function fenceOf(line: string): Fence | null {
  const match = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
  return match && { marker: match[1]!, info: match[2]!.trim() };
}

/** Whether a code block is never closed, so that it would swallow the text after it. */
export function hasOpenFence(text: string): boolean {
  let open: Fence | null = null;
  for (const line of text.split("\n")) {
    const fence = fenceOf(line);
    if (!fence) continue;
    if (!open) open = fence;
    else if (fence.info === "" && fence.marker.startsWith(open.marker)) open = null;
  }
  return open !== null;
}

/** Removes a fence around the whole text, which chat models often add; other texts are returned unchanged. */
export function unfence(text: string): string {
  const whole = /^(`{3,}|~{3,})[ \t]*(?:markdown|md|json|text|txt)?[ \t]*\n([\s\S]*)\n\1[ \t]*$/i.exec(text.trim());
  if (!whole) return text;
  const inside = whole[2]!;
  const first = inside
    .split("\n")
    .map(fenceOf)
    .find((fence) => fence?.marker.startsWith(whole[1]!));
  // A bare fence inside closes the outer one: the text consists of two blocks with words between them.
  return first?.info === "" ? text : inside;
}
