import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { ResponseVerdict, Verdict } from "../artifacts";

/** @param what the judged document, for example "the response" */
export function mockVerdict(what: string, text: string, outcome: string, feedback?: Feedback<Verdict>): Verdict {
  if (feedback) return { reason: `A person says of ${what}: ${quoted(feedback.comment, 300)}.`, accepted: false };
  const start = beginningOf(text);
  if (outcome !== "reject")
    return { reason: `All that was asked for is in ${what}, which begins with "${start}".`, accepted: true };
  return {
    reason: `Something that was asked for is missing in ${what}, which begins with "${start}": say it plainly.`,
    accepted: false,
  };
}

/** @param outcome `improve`: accepted, with a suggestion */
export function mockResponseVerdict(
  text: string,
  outcome: string,
  feedback?: Feedback<ResponseVerdict>,
): ResponseVerdict {
  const suggestion = `"${beginningOf(text)}" is general: say it with one example of the request.`;
  return {
    ...mockVerdict("the response", text, outcome, feedback),
    improvements: outcome === "improve" ? [suggestion] : [],
  };
}

const beginningOf = (text: string): string => quoted(text.split("\n").find((line) => line.trim() !== "") ?? "", 100);
