import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { DirectAnswer } from "../artifacts";
import type { AnswerDirectlyInput, CallAgentInput } from "../inputs";
import { sampleCalls } from "./arguments";

/** @param outcome `refuse`: the agent refuses the task; `silent`: an empty answer, which is not usable */
export function rehearseAgent({ agent, task, input }: CallAgentInput, outcome: string): string {
  const given = quoted(typeof input === "string" ? input : JSON.stringify(input), 160);
  if (outcome === "silent") return "";
  if (outcome === "refuse") return `CANNOT: ${quoted(task, 80)} is beyond what I know.`;
  if (outcome === "json") return JSON.stringify({ answer: `${agent.name} has done it: ${quoted(task, 120)}.`, given });
  return `${agent.name} has done it: ${quoted(task, 200)}. It rests on: ${given}.`;
}

export function rehearseDirectAnswer(
  { requirement, functions }: AnswerDirectlyInput,
  feedback?: Feedback<DirectAnswer>,
): DirectAnswer {
  const remark = feedback ? ` It minds: ${quoted(feedback.comment, 160)}.` : "";
  return {
    answer: `In one go, and on my own: this answers "${quoted(requirement, 160)}".${remark}`,
    calls: sampleCalls(functions, requirement).map(({ name, arguments: given }) => ({
      name,
      arguments: JSON.stringify(given),
    })),
  };
}
