import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { Verdict } from "../artifacts";

/** @param what the judged document, for example "the response" */
export function rehearseVerdict(what: string, text: string, outcome: string, feedback?: Feedback<Verdict>): Verdict {
  if (feedback) return { accepted: false, reason: `A person says of ${what}: ${quoted(feedback.comment, 300)}.` };
  if (outcome === "accept") return { accepted: true, reason: null };
  const start = quoted(text.split("\n").find((line) => line.trim() !== "") ?? "", 100);
  return {
    accepted: false,
    reason: `Something that was asked for is missing in ${what}, which begins with "${start}": say it plainly.`,
  };
}
