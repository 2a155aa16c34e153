import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { DirectAnswer } from "../artifacts";
import type { AnswerDirectlyInput, CallAgentInput, Given } from "../inputs";
import { isCallsTask } from "../rules/wrapper";
import { sampleCalls } from "./arguments";

/** @param outcome `refuse`: the agent refuses the task; `silent`: an empty answer, which is not usable */
export function rehearseAgent({ agent, task, input, given }: CallAgentInput, outcome: string): string {
  const shown = quoted(typeof input === "string" ? input : JSON.stringify(input), 160);
  if (outcome === "silent") return "";
  if (outcome === "refuse") return `CANNOT: ${quoted(task, 80)} is beyond what I know.`;
  if (isCallsTask(task)) return rehearseCalls(agent.name, given);
  if (outcome === "json")
    return JSON.stringify({ answer: `${agent.name} has done it: ${quoted(task, 120)}.`, given: shown });
  return `${agent.name} has done it: ${quoted(task, 200)}. It rests on: ${shown}.`;
}

const rehearseCalls = (name: string, { requirement, functions }: Given): string =>
  JSON.stringify({ answer: `${name} has done it.`, calls: sampleCalls(functions, requirement) });

export function rehearseDirectAnswer({ requirement }: AnswerDirectlyInput, feedback?: Feedback<unknown>): string {
  const remark = feedback ? ` It minds: ${quoted(feedback.comment, 160)}.` : "";
  return `In one go, and on my own: this answers "${quoted(requirement, 160)}".${remark}`;
}

export function rehearseDirectCalls(input: AnswerDirectlyInput, feedback?: Feedback<DirectAnswer>): DirectAnswer {
  const { requirement, functions } = input;
  return {
    answer: rehearseDirectAnswer(input, feedback),
    calls: sampleCalls(functions, requirement).map(({ name, arguments: given }) => ({
      name,
      arguments: JSON.stringify(given),
    })),
  };
}
