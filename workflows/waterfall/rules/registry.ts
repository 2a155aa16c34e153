import { type AgentProfile, nameKey } from "#workflow-kit/agents";
import type { Plan } from "../artifacts";

/** With this many agents or more, planners see a shortlist. */
export const LARGE_REGISTRY = 40;
/** How many agents a shortlist holds at most. */
export const SHORTLIST = 24;
/** Most characters of names and descriptions from which a model chooses a shortlist: about 20 thousand tokens. */
const MAX_CHOICE = 80_000;
/** Most bytes of the agents' JSON in a stage's result, instructions included: the platform limits results to 1 MiB. */
const MAX_BYTES = 200_000;
const NEAREST = 3;

/** The agent of this name, ignoring case and blanks. */
export const findAgent = (agents: readonly AgentProfile[], name: string): AgentProfile | undefined =>
  agents.find((agent) => nameKey(agent.name) === nameKey(name));

/** Whether planners see all agents. */
export const isSmall = (agents: readonly AgentProfile[]): boolean =>
  agents.length < LARGE_REGISTRY && sizeOf(agents) <= MAX_BYTES;

/** The first of ranked agents, as many as a shortlist and a stage's result hold. */
export function firstOf(ranked: readonly AgentProfile[]): AgentProfile[] {
  let remaining = MAX_BYTES;
  return ranked.slice(0, SHORTLIST).filter((agent) => (remaining -= sizeOf(agent)) >= 0);
}

/** The agents that a model can choose from: all, or those that share most words with the requirement when all are too long for one prompt. */
export function choosable(agents: readonly AgentProfile[], requirement: string): AgentProfile[] {
  const sizes = (agent: AgentProfile) => agent.name.length + agent.description.length + agent.when_to_use.length;
  const total = agents.reduce((sum, agent) => sum + sizes(agent), 0);
  if (total <= MAX_CHOICE) return [...agents];
  let remaining = MAX_CHOICE;
  return rankAgents(agents, requirement).filter((agent) => (remaining -= sizes(agent)) >= 0);
}

/** Agents by the likeness of their vectors to that of a requirement, best first. */
export function rankByLikeness(agents: readonly AgentProfile[], likeness: (index: number) => number): AgentProfile[] {
  const scored = agents.map((agent, index) => ({ agent, score: likeness(index) }));
  return scored.sort((a, b) => b.score - a.score).map(({ agent }) => agent);
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

/** A plan without its unknown alternatives, which are no loss, and with a note of them. Null when a primary agent is unknown or all are known. */
export function withoutUnknownAlternatives(plan: Plan, agents: readonly AgentProfile[]): Plan | null {
  const known = (name: string) => findAgent(agents, name) !== undefined;
  const dropped = plan.tasks.flatMap(({ alternative_agents }) => alternative_agents.filter((name) => !known(name)));
  if (dropped.length === 0 || !plan.tasks.every(({ primary_agent }) => known(primary_agent))) return null;
  const tasks = plan.tasks.map((task) => ({ ...task, alternative_agents: task.alternative_agents.filter(known) }));
  const names = [...new Set(dropped)].map((name) => `"${name}"`).join(", ");
  return { tasks, note: `Left out, because no agent has this name: ${names}.` };
}

/** The agents that do the tasks of a plan, and with `alternatives` also those that could replace them. */
export function agentsOfPlan(
  { tasks }: Plan,
  agents: readonly AgentProfile[],
  { alternatives }: { alternatives: boolean },
): AgentProfile[] {
  const names = [
    ...tasks.map(({ primary_agent }) => primary_agent),
    ...(alternatives ? tasks.flatMap(({ alternative_agents }) => alternative_agents) : []),
  ];
  return [...new Set(names.flatMap((name) => findAgent(agents, name) ?? []))];
}

/** The agent of a plan that has one agent do everything; null when there are several. */
export function soleAgent(plan: Plan, agents: readonly AgentProfile[]): AgentProfile | null {
  const [only, ...others] = agentsOfPlan(plan, agents, { alternatives: false });
  return only && others.length === 0 ? only : null;
}

/** The agents whose cards the writer of a program needs: those named in the pseudocode, or in the plan when there is none; without a plan all. */
export function agentsForProgram(
  agents: readonly AgentProfile[],
  plan: Plan | null,
  pseudocode: string | null,
): AgentProfile[] {
  if (!plan) return [...agents];
  const planned = agentsOfPlan(plan, agents, { alternatives: pseudocode === null });
  if (pseudocode === null) return planned;
  const mentioned = agents.filter(({ name }) => nameKey(pseudocode).includes(nameKey(name)));
  return mentioned.length ? mentioned : planned;
}

/** The abilities of an agent, as a text. */
export const profileText = ({ name, description, capabilities, when_to_use, input, output }: AgentProfile): string =>
  [name, description, ...capabilities, when_to_use, input, output].join(" ");

/** Words of a text, without a final s and truncated to six letters as a simple stem: "plans" is "plan". */
const words = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [])
    .filter((word) => !FUNCTION_WORDS.has(word))
    .map((word) => word.replace(/s$/u, "").slice(0, 6));

/** English words that name no field. */
const FUNCTION_WORDS = new Set(
  "and are for from has have how its not one say says that the them this two what when which who with you your".split(
    " ",
  ),
);

/** Dice coefficient of the letter pairs of two names, 0 to 1. */
function diceSimilarity(name: string, other: string): number {
  const [a, b] = [pairs(name), pairs(other)];
  const common = [...a].filter((pair) => b.has(pair)).length;
  return a.size + b.size === 0 ? 0 : (2 * common) / (a.size + b.size);
}

const pairs = (text: string): Set<string> =>
  new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2)));
