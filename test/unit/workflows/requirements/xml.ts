const NAME = "[A-Za-z_][\\w.-]*";
const ATTRIBUTES = `(?:\\s+${NAME}="[^"<]*")*`;
const TOKEN = new RegExp(`<(?<close>/)?(?<name>${NAME})${ATTRIBUTES}\\s*(?<empty>/)?>|(?<text>[^<]+)`, "gy");

/** Why a text is not a well-formed XML document of one element; null when it is. */
export function xmlError(document: string): string | null {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(document) || !document.isWellFormed())
    return "a character that XML forbids";
  const open: string[] = [];
  let elements = 0;
  let at = 0;
  for (const { 0: token, groups } of document.matchAll(TOKEN)) {
    at += token.length;
    const bare = token.match(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i);
    if (bare) return `a bare & in ${token}`;
    const { close, name, empty, text } = groups!;
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== "") return `text outside of the root: ${text}`;
      continue;
    }
    if (close) {
      if (open.pop() !== name) return `</${name}> closes nothing`;
      continue;
    }
    if (open.length === 0 && elements++ > 0) return "a second root";
    const names = [...token.matchAll(new RegExp(`(${NAME})=`, "g"))].map((match) => match[1]);
    if (new Set(names).size < names.length) return `an attribute twice in ${token}`;
    if (!empty) open.push(name!);
  }
  if (at < document.length) return `no XML at: ${document.slice(at, at + 60)}`;
  return open.length > 0 || elements === 0 ? `not closed: ${open.join(", ")}` : null;
}
