import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact } from "#workflow-kit/artifact";
import { cosine } from "#workflow-kit/vectors";
import { chooseAgents } from "../actions";
import type { Refined, UserLog } from "../artifacts";
import type { Context } from "../context";
import {
  choosable,
  findAgent,
  firstOf,
  isSmall,
  profileText,
  rankAgents,
  rankByLikeness,
  SHORTLIST,
} from "../rules/registry";

/** Most characters of a text whose vector ranks agents: embedding models read a few thousand tokens. */
const MAX_EMBEDDED = 6000;

/** The agents of this run, which are read once; of a large registry a shortlist for this requirement. */
export async function agentsFor(
  context: Context,
  log: Artifact<UserLog>,
  requirement: Artifact<Refined>,
): Promise<AgentProfile[]> {
  const profiles = await context.run.programs.agents(context.options.agents ?? null);
  if (isSmall(profiles.content)) return profiles.content;
  const wanted = [requirement.content.refined_requirement, log.content.context ?? ""].join("\n").trim();
  const ranked = await rankByVectors(context, profiles.content, wanted);
  if (!ranked) return chosenByModel(context, profiles, log, requirement);
  const listed = firstOf(ranked);
  await context.publish(
    "agent_shortlist",
    listed.map(({ name }) => name),
    { action: "rank_agents", role: "task_decomposition_expert", inputs: [profiles, requirement] },
  );
  return listed;
}

/** All agents, those whose cards mean most nearly what is wanted first, in any language; null without an embedding model. */
async function rankByVectors(context: Context, agents: AgentProfile[], wanted: string): Promise<AgentProfile[] | null> {
  const texts = [wanted, ...agents.map(profileText)].map((text) => text.slice(0, MAX_EMBEDDED));
  const embedded = await context.run.retrieval.embed(texts, { key: "agents" });
  if (!embedded) return null;
  const [target, ...cards] = embedded.vectors;
  return rankByLikeness(agents, (index) => cosine(target!, cards[index]!));
}

/** The agents that a model chooses from the list; when it names fewer than a shortlist holds, those that share most words with the request follow. */
async function chosenByModel(
  context: Context,
  profiles: Artifact<AgentProfile[]>,
  log: Artifact<UserLog>,
  requirement: Artifact<Refined>,
): Promise<AgentProfile[]> {
  const text = requirement.content.refined_requirement;
  const agents = choosable(profiles.content, text);
  const brief = { requirement: text, context: log.content.context, gherkin: null, functions: [] };
  const { content } = await context.perform(chooseAgents, { brief, agents, most: SHORTLIST }, [requirement]);
  const chosen = content.agents.flatMap((name) => findAgent(agents, name) ?? []);
  return firstOf([...new Set([...chosen, ...rankAgents(agents, text)])]);
}
