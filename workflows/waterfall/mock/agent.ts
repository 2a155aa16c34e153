import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { DirectAnswer } from "../artifacts";
import type { AnswerDirectlyInput, CallAgentInput, Given } from "../inputs";
import { isAnswerTask, isCallsTask, isImprovementTask } from "../rules/wrapper";
import { sampleCalls } from "#workflow-kit/sample-calls";

/** @param outcome `refuse`: the agent refuses the task; `silent`: an empty answer, which is not usable */
export function mockAgent({ agent, task, input, given }: CallAgentInput, outcome: string): string {
  const shown = quoted(typeof input === "string" ? input : JSON.stringify(input).replaceAll("\\n", " "), 160);
  if (outcome === "silent") return "";
  if (outcome === "refuse") return `CANNOT: ${quoted(task, 80)} is beyond what I know.`;
  if (isCallsTask(task)) return mockCalls(agent.name, given);
  if (outcome === "json")
    return JSON.stringify({ answer: `${agent.name} has done it: ${quoted(task, 120)}.`, given: shown });
  if (isImprovementTask(task)) return mockImprovement(input);
  if (isAnswerTask(task)) return mockAnswer(agent.name, given, input);
  return `${agent.name} has done it: ${quoted(task, 200)}. It rests on: ${shown}.`;
}

/** The first line of the draft, with what its reader said of it. */
function mockImprovement(input: unknown): string {
  const { draft = "", suggestions = [] }: { draft?: string; suggestions?: string[] } = Object(input);
  const passage = draft.split("\n").find((row) => row.trim() !== "" && draft.split(row).length === 2);
  if (passage === undefined) return "[]";
  const more = suggestions.map((text) => ` Better than before: ${quoted(text, 160)}.`).join("");
  return JSON.stringify([{ passage, instead: passage + more }]);
}

/** An answer for the user; of a revision with what its reader said of the draft. */
function mockAnswer(name: string, { requirement }: Given, input: unknown): string {
  const { objection, suggestions = [] }: { objection?: string | null; suggestions?: string[] } = Object(input);
  const minded = [objection, ...suggestions].flatMap((text) => (text ? [quoted(text, 160)] : []));
  const more = minded.map((text) => ` Better than before: ${text}.`).join("");
  return `Here stands what a ${name} answers to "${quoted(requirement, 160)}".${more}`;
}

const mockCalls = (name: string, { requirement, functions }: Given): string =>
  JSON.stringify({ answer: `${name} has done it.`, calls: sampleCalls(functions, requirement) });

export function mockDirectAnswer({ requirement }: AnswerDirectlyInput, feedback?: Feedback<unknown>): string {
  const remark = feedback ? ` It minds: ${quoted(feedback.comment, 160)}.` : "";
  return `In one go, and on my own: this answers "${quoted(requirement, 160)}".${remark}`;
}

export function mockDirectCalls(input: AnswerDirectlyInput, feedback?: Feedback<DirectAnswer>): DirectAnswer {
  const { requirement, functions } = input;
  return {
    answer: mockDirectAnswer(input, feedback),
    calls: sampleCalls(functions, requirement).map(({ name, arguments: given }) => ({
      name,
      arguments: JSON.stringify(given),
    })),
  };
}
