/** Key for comparing names of agents; ignores case, full or half width, and repeated white space. */
export const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
