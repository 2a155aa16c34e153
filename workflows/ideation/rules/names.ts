import { normalForm } from "#workflow-kit/text";

/** A key that is equal for names of ideas with the same letters and digits, in any case. */
export const ideaNameKey = (name: string): string =>
  normalForm(name, "NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim() || name;
