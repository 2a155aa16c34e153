import { normalForm } from "#core/normal-form";

/** Key for comparing names of agents; ignores case, full or half width, and repeated white space. */
export const nameKey = (name: string): string => normalForm(name, "NFKC").toLowerCase().replace(/\s+/g, " ").trim();
