import { type AgentProfile, nameKey } from "#workflow-kit/agents";
import type { Plan } from "../artifacts";

/** With this many agents or more, planners see a shortlist. */
export const LARGE_REGISTRY = 40;
const SHORTLIST = 24;
/** Most bytes of the agents' JSON in a stage's result, instructions included: the platform limits results to 1 MiB. */
const MAX_BYTES = 200_000;
const NEAREST = 3;

/** The agent of this name, ignoring case and blanks. */
export const findAgent = (agents: readonly AgentProfile[], name: string): AgentProfile | undefined =>
  agents.find((agent) => nameKey(agent.name) === nameKey(name));

/** All agents; of a large registry the most relevant ones for a requirement, best first. */
export function shortlist(agents: readonly AgentProfile[], requirement: string): AgentProfile[] {
  if (agents.length < LARGE_REGISTRY && sizeOf(agents) <= MAX_BYTES) return [...agents];
  let remaining = MAX_BYTES;
  return rankAgents(agents, requirement)
    .slice(0, SHORTLIST)
    .filter((agent) => (remaining -= sizeOf(agent)) >= 0);
}

const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** Ranks agents by the words that they share with a text, best first. A rare word counts more (IDF), and a word of the name counts twice. */
export function rankAgents(agents: readonly AgentProfile[], text: string): AgentProfile[] {
  const documents = agents.map((agent) => new Set(words(profileText(agent))));
  const queried = new Set(words(text));
  const weight = (word: string) => {
    const holders = documents.filter((document) => document.has(word)).length;
    return holders ? Math.log(1 + agents.length / holders) : 0;
  };
  const weights = new Map([...queried].map((word) => [word, weight(word)]));
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
  return scored.sort((a, b) => b.score - a.score).map(({ agent }) => agent);
}

/** The agents' names nearest to an unknown name. */
export function nearestNames(agents: readonly AgentProfile[], name: string): string[] {
  const similarity = new Map(agents.map((agent) => [agent, diceSimilarity(nameKey(agent.name), nameKey(name))]));
  const ranked = rankAgents(agents, name);
  return [...agents]
    .sort((a, b) => similarity.get(b)! - similarity.get(a)! || ranked.indexOf(a) - ranked.indexOf(b))
    .slice(0, NEAREST)
    .map((agent) => agent.name);
}

/** An unknown name in a plan, with the nearest names. */
export interface UnknownAgent {
  name: string;
  nearest: string[];
}

export function unknownAgents({ tasks }: Plan, agents: readonly AgentProfile[]): UnknownAgent[] {
  const named = tasks.flatMap(({ primary_agent, alternative_agents }) => [primary_agent, ...alternative_agents]);
  const unknown = [...new Set(named)].filter((name) => !findAgent(agents, name));
  return unknown.map((name) => ({ name, nearest: nearestNames(agents, name) }));
}

/** The agents of a plan: primary agents first, then alternatives. */
export function agentsOfPlan({ tasks }: Plan, agents: readonly AgentProfile[]): AgentProfile[] {
  const names = [
    ...tasks.map(({ primary_agent }) => primary_agent),
    ...tasks.flatMap(({ alternative_agents }) => alternative_agents),
  ];
  return [...new Set(names.flatMap((name) => findAgent(agents, name) ?? []))];
}

/** The agents whose profiles the writer of a program needs: those named in the plan or the text; without a plan all. */
export function agentsForProgram(agents: readonly AgentProfile[], plan: Plan | null, text: string): AgentProfile[] {
  if (!plan) return [...agents];
  const planned = agentsOfPlan(plan, agents);
  const mentioned = agents.filter(({ name }) => nameKey(text).includes(nameKey(name)));
  return [...new Set([...planned, ...mentioned])];
}

const profileText = ({ name, description, capabilities, when_to_use, input, output }: AgentProfile): string =>
  [name, description, ...capabilities, when_to_use, input, output].join(" ");

/** Words of a text, truncated to six letters as a simple stem. */
const words = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, 6));

/** Dice coefficient of the letter pairs of two names, 0 to 1. */
function diceSimilarity(name: string, other: string): number {
  const [a, b] = [pairs(name), pairs(other)];
  const common = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

const pairs = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
