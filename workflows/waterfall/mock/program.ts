import type { Feedback } from "#workflow-kit/action";
import type { AgentProfile } from "#workflow-kit/agents";
import { clip, quoted } from "#workflow-kit/text";
import type { Brief, FixCodeInput, GenerateCodeInput } from "../inputs";
import { findAgent } from "../rules/registry";
import { sampleCalls } from "#workflow-kit/sample-calls";

interface Step {
  agent: string;
  task: string;
}

interface Draft {
  brief: Brief;
  agents: readonly AgentProfile[];
  pseudocode: string | null;
}

/** A working program, or one with the fault that `outcome` names. */
export function mockCode(input: GenerateCodeInput, outcome: string, feedback?: Feedback<string>): string {
  const minding = [input.revision?.reason, feedback?.comment].flatMap((text) => (text ? [quoted(text, 160)] : []));
  return write(input, stepsOf(input, minding), outcome);
}

/** @param outcome `no_fix`: the program is unchanged */
export function mockFixedCode(input: FixCodeInput, outcome: string, feedback?: Feedback<string>): string {
  if (outcome === "no_fix") return input.code;
  return write(input, stepsOf(input, feedback ? [quoted(feedback.comment, 160)] : []), "ok");
}

/** The steps of mock pseudocode; for other pseudocode one step of the first agent. */
function stepsOf({ pseudocode, agents, brief }: Draft, minding: readonly string[]): Step[] {
  const found = [...(pseudocode ?? "").matchAll(/ask "([^"\n]+)" to: (.+)/g)]
    .map(([, agent, task]) => ({ agent: agent!, task: task! }))
    .filter(({ agent }) => findAgent(agents, agent));
  const steps = found.length
    ? found
    : [{ agent: agents[0]?.name ?? "nobody", task: `Answer this for the user: ${quoted(brief.requirement, 160)}` }];
  const last = steps.at(-1)!;
  last.task += minding.map((text) => `, minding: ${text}`).join("");
  return steps;
}

function write({ brief }: Draft, steps: Step[], outcome: string): string {
  if (outcome === "no_agent")
    return 'export default async function main() {\n  return "The answer, without any agent.";\n}';
  const { functions } = brief;
  const before = steps.slice(0, -1);
  const last = steps.at(-1)!;
  if (outcome === "unknown_agent") steps[0]!.agent += " Deluxe";
  const call = ({ agent, task }: Step, input: string) =>
    `agents.call(${JSON.stringify(agent)}, ${JSON.stringify(clip(task, 400))}, ${input})`;
  return [
    "export default async function main(agents, { requirement }) {",
    ...(before.length
      ? [
          "  const results = await Promise.all([",
          ...before.map((step) => `    ${call(step, "{ requirement }")},`),
          "  ]);",
          "  console.log(`${results.length} results are there`);",
        ]
      : ["  const results = [];"]),
    ...(outcome === "runtime_error" ? ["  console.log(results.summary.length);"] : []),
    ...(outcome === "endless_loop" ? ["  while (true) {}"] : []),
    `  const answer = await ${call(last, "{ requirement, results }")};`,
    ...(functions.length ? [`  const calls = ${JSON.stringify(sampleCalls(functions, brief.requirement))};`] : []),
    `  ${returned(outcome, functions.length > 0)};`,
    "}",
  ].join("\n");
}

function returned(outcome: string, withCalls: boolean): string {
  if (outcome === "syntax_error") return "retrun answer";
  if (outcome === "no_answer") return 'return ""';
  return withCalls ? "return { answer, calls }" : "return answer";
}
