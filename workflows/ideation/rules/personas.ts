import { drawn } from "./chance";
import type { Persona } from "../artifacts";

/**
 * Personas for prompts. The five fields are the paper's (appendix B), in our own words; they speak of the topic's field, which in the paper
 * is AI.
 */
const GENERAL = {
  researcher: "You are a researcher with many years of experience, at home in the whole of the topic's field.",
  reviewer: "You are a demanding reviewer for the leading venues of the topic's field. You take no claim on trust.",
  methodologist:
    "You are a methodologist. You follow every step and every number, look for what else could cause the result, and ask which one experiment would decide.",
  scholar:
    "You know the literature of the topic's field and of its neighbours. You ask what has been done under which name, what is really new, and which simple, strong method would have to be beaten.",
} as const;

/** Texts for the proposers and critics of a field. */
const fieldOf = (field: string, notions: string) => {
  const who = `You are an expert in ${field} who also works in the topic's field. Look at the topic with the eyes of your own field:`;
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

/** A placeholder for one of the five fields, drawn once per trial. */
export const DRAWN = "drawn";

const FIELD_NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** Names that the options accept; any other text is the caller's own persona. */
export const PERSONA_NAMES = [...Object.keys(GENERAL), ...FIELD_NAMES, DRAWN] as const;

/** "Physics-AI" equals "physics". */
const builtInName = (entry: string): string =>
  entry
    .trim()
    .toLowerCase()
    .replace(/[-_ ]ai$/u, "");

/** @returns null for the caller's own persona */
const knownPersona = (entry: string): string | null => {
  const name = builtInName(entry);
  return PERSONA_NAMES.includes(name) ? name : null;
};

/**
 * The personas of several agents in one trial. Drawn personas differ from each other and from named ones, as long as fields are free.
 * @param entries a built-in name or a text for each agent
 * @param role part of the purpose of the draw, so that proposers and critics draw independently
 */
export function personasOf(entries: readonly string[], seed: number, role: "proposers" | "critics"): Persona[] {
  const fields = drawn(freeFields(entries), seed, `personas of ${role}`);
  let next = 0;
  return entries.map((entry) => {
    const known = knownPersona(entry);
    if (known === null) return { name: "custom", text: entry };
    const name = known === DRAWN ? fields[next++ % fields.length]! : known;
    const text = name in FIELDS ? FIELDS[name as keyof typeof FIELDS][role] : GENERAL[name as keyof typeof GENERAL];
    return { name, text };
  });
}

/** Whether two agents with these entries get the same persona. */
export function anyIdentical(entries: readonly string[]): boolean {
  const personas = entries.map((entry) => knownPersona(entry) ?? entry.trim());
  const fixed = personas.filter((entry) => entry !== DRAWN);
  return new Set(fixed).size < fixed.length || personas.length - fixed.length > freeFields(entries).length;
}

/** Fields to draw from: those that no entry names, or all fields when none is left. */
function freeFields(entries: readonly string[]): readonly (keyof typeof FIELDS)[] {
  const named = new Set(entries.map(knownPersona));
  const free = FIELD_NAMES.filter((name) => !named.has(name));
  return free.length ? free : FIELD_NAMES;
}
