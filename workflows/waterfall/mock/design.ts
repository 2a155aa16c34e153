import type { Feedback } from "#workflow-kit/action";
import { at, clip, quoted } from "#workflow-kit/text";
import type { Plan, Shortlist } from "../artifacts";
import type { ChooseAgentsInput, DecomposeTaskInput, WritePseudocodeInput } from "../inputs";
import { rankAgents } from "../rules/registry";

/** The agents that share most words with the requirement. */
export const mockChoice = ({ brief, agents, most }: ChooseAgentsInput): Shortlist => ({
  agents: rankAgents(agents, `${brief.requirement} ${brief.context ?? ""}`)
    .slice(0, most)
    .map(({ name }) => name),
});

/** Most parts of a request that become tasks of their own. */
const MAX_PARTS = 3;

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

/** The parts of a request that could be tasks: its sentences, and what follows ", and". */
const partsOf = (requirement: string): string[] =>
  requirement
    .split(/[.;!?]\s+|,\s+and\s+|\s+and then\s+/iu)
    .map((part) => quoted(part, 100))
    .filter((part) => part.split(" ").length > 2)
    .slice(0, MAX_PARTS);

/** A request with one part is one task; of another each part is a task, and the last task makes the answer. */
function tasksFor(requirement: string, outcome: string): string[] {
  const about = quoted(requirement, 100);
  const whole = `Write the answer to "${about}" for the user`;
  if (outcome === "one_agent") return [whole];
  const parts = partsOf(requirement);
  if (parts.length > 1) return [...parts.map((part) => `Do this part: "${part}"`), whole];
  return outcome === "several_agents" ? [`Work out what an expert knows about "${about}"`, whole] : [whole];
}

/** The words of the request that a task quotes: "Do this part" says nothing of its agent. */
const quotedPart = (task: string): string => /"(.+)"/su.exec(task)?.[1] ?? task;

/**
 * @param outcome `unknown_agent`, `unknown_alternative`: the plan names an agent that is not in the registry; `one_agent`, `several_agents`: who does
 * the work, whatever the request says
 */
export function mockPlan({ brief, agents }: DecomposeTaskInput, outcome: string, feedback?: Feedback<Plan>): Plan {
  const free = agents.map(({ name }) => name);
  const tasks = tasksFor(firstLine(brief.requirement), outcome).map((task, index, all) => {
    const isLast = index > 0 && index + 1 === all.length;
    // Of several tasks the last goes to the agent in whose field the whole request lies.
    const fitting = rankAgents(agents, isLast ? brief.requirement : quotedPart(task)).map(({ name }) => name);
    const primary = (isLast ? undefined : fitting.find((name) => free.includes(name))) ?? at(fitting, 0);
    if (free.includes(primary)) free.splice(free.indexOf(primary), 1);
    return { task, primary_agent: primary, alternative_agents: fitting.filter((name) => name !== primary).slice(0, 2) };
  });
  if (outcome === "unknown_agent") tasks[0]!.primary_agent += " Deluxe";
  if (outcome === "unknown_alternative") tasks[0]!.alternative_agents = [`${tasks[0]!.primary_agent} Deluxe`];
  if (feedback) tasks.at(-1)!.task += `, minding: ${quoted(feedback.comment, 160)}`;
  return { tasks };
}

export function mockPseudocode({ plan, revision }: WritePseudocodeInput, feedback?: Feedback<string>): string {
  const minding = [revision?.reason, feedback?.comment].flatMap((text) => (text ? [quoted(text, 160)] : []));
  const last = plan.tasks.length;
  const steps = plan.tasks.map(({ task, primary_agent }, index) => {
    const isLast = index + 1 === last;
    const more = isLast ? minding.map((text) => `, minding: ${text}`).join("") : "";
    return [
      `function Step_${index + 1} with ${isLast && last > 1 ? "the requirement and all results" : "the requirement"}:`,
      `  ask "${primary_agent}" to: ${clip(task, 300)}${more}`,
      `  give it: the requirement, whole${isLast && last > 1 ? ", and all results, whole" : ""}`,
      `  return result_${index + 1}`,
    ].join("\n");
  });
  const before = plan.tasks
    .slice(0, -1)
    .map((_, index) => `  result_${index + 1} = Step_${index + 1}, together with its like`);
  return [...steps, ["function Main:", ...before, `  return Step_${last}`].join("\n")].join("\n\n");
}
