/**
 * Escapes a text for use inside `<material>` of a prompt, so that it can neither close the tag nor open another. Applied to all text
 * from callers, people and models.
 */
export const escapeUntrusted = (text: string): string => text.replace(/<(?=\/?\s*material)/giu, "‹");

/** A text as material of a prompt: between tags that it cannot close. */
export const quoteUntrusted = (name: string, text: string): string =>
  `<material name="${name}">\n${escapeUntrusted(text)}\n</material>`;
