import { drawn } from "./chance";
import type { Persona } from "../artifacts";

/** Who an agent is. The five fields are the paper's (appendix B), in our own words. */
const GENERAL = {
  researcher: "You are an AI researcher with many years of experience, at home in the whole of the field.",
  reviewer: "You are a demanding reviewer for the leading AI conferences. You take no claim on trust.",
} as const;

/** What an agent of a field is told, by what it does. */
const fieldOf = (field: string, notions: string) => {
  const who = `You are an expert in ${field} who also works on AI. Look at AI with the eyes of your field:`;
  return {
    proposers: `${who} build methods on ${notions}.`,
    critics: `${who} say what it knows of such a case, from ${notions}, and what it would expect to go wrong.`,
  };
};

const FIELDS = {
  physics: fieldOf(
    "physics",
    "physical principles such as statistical mechanics, symmetry, or the dynamics of complex systems",
  ),
  chemistry: fieldOf("chemistry", "notions such as reaction rates, catalysis, binding, or self-assembly"),
  biology: fieldOf("biology", "living systems: evolution, nervous systems, immunity, or development"),
  finance: fieldOf("finance", "notions such as markets, portfolios, risk, incentives, or how investors really behave"),
  psychology: fieldOf("psychology", "what is known of cognition, memory, learning, judgment, or people in groups"),
} as const;

/** One of the five fields, drawn for each trial and kept through it. */
export const DRAWN = "drawn";

const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Names that options take; any other text is a persona of the caller's. */
export const PERSONA_NAMES = [...Object.keys(GENERAL), ...FIELD_NAMES, DRAWN] as const;
/** "Physics-AI" and "physics" are the same. */
const builtInName = (entry: string): string =>
  entry
    .trim()
    .toLowerCase()
    .replace(/[-_ ]ai$/u, "");

/** @returns null for a persona in the caller's own words */
const knownPersona = (entry: string): string | null => {
  const name = builtInName(entry);
  return PERSONA_NAMES.includes(name) ? name : null;
};

/**
 * The personas of several agents in one trial. Those that are drawn differ from each other, and from those that are named, as long
 * as there are fields.
 * @param entries a built-in name or a text for each agent
 * @param who what the agents do; it also tells apart draws of one trial
 */
export function personasOf(entries: readonly string[], seed: number, who: "proposers" | "critics"): Persona[] {
  const fields = drawn(freeFields(entries), seed, `personas of ${who}`);
  let next = 0;
  return entries.map((entry) => {
    const known = knownPersona(entry);
    if (known === null) return { name: "custom", text: entry };
    const name = known === DRAWN ? fields[next++ % fields.length]! : known;
    const text = name in FIELDS ? FIELDS[name as keyof typeof FIELDS][who] : GENERAL[name as keyof typeof GENERAL];
    return { name, text };
  });
}

/** Whether some agents with these entries are told the same thing. */
export function anyAlike(entries: readonly string[]): boolean {
  const told = entries.map((entry) => knownPersona(entry) ?? entry.trim());
  const fixed = told.filter((entry) => entry !== DRAWN);
  return new Set(fixed).size < fixed.length || told.length - fixed.length > freeFields(entries).length;
}

/** Fields to draw from: those that no other agent has, or all when each is taken. */
function freeFields(entries: readonly string[]): readonly (keyof typeof FIELDS)[] {
  const named = new Set(entries.map(knownPersona));
  const free = FIELD_NAMES.filter((name) => !named.has(name));
  return free.length ? free : FIELD_NAMES;
}
