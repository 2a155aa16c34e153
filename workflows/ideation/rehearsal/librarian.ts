import type { Feedback } from "#workflow-kit/action";
import { at, quoted } from "#workflow-kit/text";
import { paperKey } from "../rules/papers";
import type { NextQuery, PaperScores } from "../artifacts";
import { fnv1a } from "../rules/chance";
import type { ScorePapersInput, WritePaperQueryInput } from "../inputs";

/** Papers that share words with the topic score higher. */
export function rehearsePaperScores(
  { topic, papers }: ScorePapersInput,
  feedback?: Feedback<PaperScores>,
): PaperScores {
  const words = new Set(topic.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
  const base = feedback ? 3 : 4;
  return {
    scores: papers.map(({ title }, index) => {
      const shared = (title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []).filter((word) => words.has(word)).length;
      return { paper: paperKey(index), score: Math.min(10, base + Math.min(shared, 3) + (fnv1a(title) % 3)) };
    }),
  };
}

const SIDES = ["benchmark", "robustness", "few-shot", "self-consistency", "evaluation", "decomposition", "multi-agent"];

export function rehearseQuery(
  { topic, best, queries }: WritePaperQueryInput,
  outcome: string,
  feedback?: Feedback<NextQuery>,
): NextQuery {
  if (feedback) return { kind: "keyword", text: quoted(feedback.comment, 100) };
  const turn = queries.length;
  if (outcome !== "keyword" && best.length)
    return { kind: outcome as NextQuery["kind"], text: paperKey(turn % best.length) };
  return { kind: "keyword", text: `${quoted(topic, 80) || "research"} ${at(SIDES, turn)}` };
}
