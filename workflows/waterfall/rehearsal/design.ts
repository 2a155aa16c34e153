import type { Feedback } from "#workflow-kit/action";
import { at, clip, quoted } from "#workflow-kit/text";
import type { Plan } from "../artifacts";
import type { DecomposeTaskInput, WritePseudocodeInput } from "../inputs";
import { rankAgents } from "../rules/registry";

const TASKS = [
  (about: string) => `List what is given and what is asked for in "${about}"`,
  (about: string) => `Work out what an expert knows about "${about}"`,
  (about: string) => `Write the answer to "${about}" for the user`,
];

/** @param outcome `unknown_agent`: the plan names an agent that is not in the registry */
export function rehearsePlan({ brief, agents }: DecomposeTaskInput, outcome: string, feedback?: Feedback<Plan>): Plan {
  const fitting = rankAgents(agents, brief.requirement).map(({ name }) => name);
  const about = quoted(brief.requirement, 100);
  const tasks = TASKS.map((task, index) => {
    const primary = at(fitting, index);
    const others = [1, 2].map((step) => at(fitting, index + step)).filter((name) => name !== primary);
    return { task: task(about), primary_agent: primary, alternative_agents: [...new Set(others)] };
  });
  if (outcome === "unknown_agent") tasks[0]!.primary_agent += " Deluxe";
  if (feedback) tasks[2]!.task += `, minding: ${quoted(feedback.comment, 160)}`;
  return { tasks };
}

export function rehearsePseudocode({ plan, revision }: WritePseudocodeInput, feedback?: Feedback<string>): string {
  const minding = [revision?.reason, feedback?.comment].flatMap((text) => (text ? [quoted(text, 160)] : []));
  const last = plan.tasks.length;
  const steps = plan.tasks.map(({ task, primary_agent }, index) => {
    const isLast = index + 1 === last;
    const more = isLast ? minding.map((text) => `, minding: ${text}`).join("") : "";
    return [
      `function Step_${index + 1} with ${isLast && last > 1 ? "the requirement and all results" : "the requirement"}:`,
      `  ask "${primary_agent}" to: ${clip(task, 300)}${more}`,
      "  give it: all that it needs, and take its answer as text",
      `  return result_${index + 1}`,
    ].join("\n");
  });
  const before = plan.tasks
    .slice(0, -1)
    .map((_, index) => `  result_${index + 1} = Step_${index + 1}, together with its like`);
  return [...steps, ["function Main:", ...before, `  return Step_${last}`].join("\n")].join("\n\n");
}
