/**
 * Makes a text safe to stand inside `<material>` of a prompt: it cannot close the tag, nor open another. Whatever comes from
 * callers, people or models passes through here.
 */
export const escapeMaterial = (text: string): string => text.replace(/<(?=\/?\s*material)/giu, "‹");
