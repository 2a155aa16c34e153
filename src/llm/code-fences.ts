interface Fence {
  marker: string;
  info: string;
}

/** The fence that a line of Markdown is, if it is one. A backtick fence has no backtick in its info string (CommonMark 4.5). */
function fenceOf(line: string): Fence | null {
  const match = /^\s*(`{3,}|~{3,})\s*([^`]*)$/.exec(line);
  return match && { marker: match[1]!, info: match[2]!.trim() };
}

/** Whether a code block is opened and never closed: all that follows would be swallowed by it. */
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

/** The inside of a fence that holds the whole answer, as chat models like to wrap it; any other text as it is. */
export function unfence(text: string): string {
  const whole = /^(`{3,}|~{3,})[ \t]*(?:markdown|md|json|text|txt)?[ \t]*\n([\s\S]*)\n\1[ \t]*$/i.exec(text.trim());
  if (!whole) return text;
  const inside = whole[2]!;
  const first = inside
    .split("\n")
    .map(fenceOf)
    .find((fence) => fence?.marker.startsWith(whole[1]!));
  // A bare fence would close the outer one: then these are two blocks with text between them.
  return first?.info === "" ? text : inside;
}
