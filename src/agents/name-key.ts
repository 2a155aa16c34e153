/** How names of agents are compared: without regard to case, to full or half width, and to how spaces are doubled. */
export const nameKey = (name: string): string => name.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
