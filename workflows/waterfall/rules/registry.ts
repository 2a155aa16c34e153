import { type AgentProfile, nameKey } from "#workflow-kit/agents";
import type { Plan } from "../artifacts";

/** From this many agents on, planners see a shortlist. */
export const LARGE_REGISTRY = 40;
const SHORTLIST = 24;
/** What stages hand on of the agents, instructions included: the platform keeps results under a megabyte. Bytes of JSON. */
const MOST_BYTES = 200_000;
const NEAREST = 3;

/** The agent of this name, whatever its case and blanks. */
export const findAgent = (agents: readonly AgentProfile[], name: string): AgentProfile | undefined =>
  agents.find((agent) => nameKey(agent.name) === nameKey(name));

/** Of a large registry those agents that share most with a requirement, best first; else all. */
export function shortlist(agents: readonly AgentProfile[], requirement: string): AgentProfile[] {
  if (agents.length < LARGE_REGISTRY && sizeOf(agents) <= MOST_BYTES) return [...agents];
  let left = MOST_BYTES;
  return rank(agents, requirement)
    .slice(0, SHORTLIST)
    .filter((agent) => (left -= sizeOf(agent)) >= 0);
}

const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Agents by how much they share with a text, best first. A word counts for more the fewer agents have it; names count twice. */
export function rank(agents: readonly AgentProfile[], text: string): AgentProfile[] {
  const documents = agents.map((agent) => new Set(words(profileText(agent))));
  const asked = new Set(words(text));
  const weight = (word: string) => {
    const holders = documents.filter((document) => document.has(word)).length;
    return holders ? Math.log(1 + agents.length / holders) : 0;
  };
  const weights = new Map([...asked].map((word) => [word, weight(word)]));
  const score = (index: number) => {
    const name = new Set(words(agents[index]!.name));
    let sum = 0;
    for (const [word, worth] of weights) {
      if (documents[index]!.has(word)) sum += worth;
      if (name.has(word)) sum += worth;
    }
    return sum;
  };
  const scored = agents.map((agent, index) => ({ agent, score: score(index) }));
  return scored.sort((one, other) => other.score - one.score).map(({ agent }) => agent);
}

/** The names nearest to one that is not in the registry. */
export function nearestNames(agents: readonly AgentProfile[], name: string): string[] {
  const likeness = new Map(agents.map((agent) => [agent, alike(nameKey(agent.name), nameKey(name))]));
  const byMeaning = rank(agents, name);
  return [...agents]
    .sort(
      (one, other) => likeness.get(other)! - likeness.get(one)! || byMeaning.indexOf(one) - byMeaning.indexOf(other),
    )
    .slice(0, NEAREST)
    .map((agent) => agent.name);
}

/** A name in a plan that is no agent's, with those it may have meant. */
export interface UnknownAgent {
  name: string;
  nearest: string[];
}

export function unknownAgents({ tasks }: Plan, agents: readonly AgentProfile[]): UnknownAgent[] {
  const named = tasks.flatMap(({ primary_agent, alternative_agents }) => [primary_agent, ...alternative_agents]);
  const unknown = [...new Set(named)].filter((name) => !findAgent(agents, name));
  return unknown.map((name) => ({ name, nearest: nearestNames(agents, name) }));
}

/** The agents that a plan names: those of its tasks first, alternatives after. */
export function agentsOf({ tasks }: Plan, agents: readonly AgentProfile[]): AgentProfile[] {
  const names = [
    ...tasks.map(({ primary_agent }) => primary_agent),
    ...tasks.flatMap(({ alternative_agents }) => alternative_agents),
  ];
  return [...new Set(names.flatMap((name) => findAgent(agents, name) ?? []))];
}

/** The agents whose profiles the writer of a program needs: those that the plan names or the text speaks of. Without a plan it may be any of them. */
export function agentsConcerned(agents: readonly AgentProfile[], plan: Plan | null, text: string): AgentProfile[] {
  if (!plan) return [...agents];
  const planned = agentsOf(plan, agents);
  const spoken = agents.filter(({ name }) => nameKey(text).includes(nameKey(name)));
  return [...new Set([...planned, ...spoken])];
}

const profileText = ({ name, description, capabilities, when_to_use, input, output }: AgentProfile): string =>
  [name, description, ...capabilities, when_to_use, input, output].join(" ");

/** Words of a text, cut short so that "solve" and "solving" meet. */
const words = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, 6));

/** Share of letter pairs that two names have in common (Dice), 0 to 1. */
function alike(one: string, other: string): number {
  const [a, b] = [pairs(one), pairs(other)];
  const common = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

const pairs = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
