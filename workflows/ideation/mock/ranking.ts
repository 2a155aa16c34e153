import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { Check, Duplicate, Judgment, Novelty, Rubric } from "../artifacts";
import { chance, fnv1a } from "../rules/chance";
import { keyOf } from "../rules/papers";
import type {
  CheckDuplicateInput,
  CheckIdeaInput,
  CheckNoveltyInput,
  JudgePairInput,
  ScoreRubricInput,
} from "../inputs";

/** A text has the same merit against every opponent, so that a tournament has an order to find. */
const merit = (text: string): number => chance(fnv1a(text), "merit")();

export function mockJudgment({ first, second, reasons }: JudgePairInput, outcome: string): Judgment {
  const isFirst = outcome === "first" || (outcome === "by_merit" && merit(first) >= merit(second));
  const [better, worse] = isFirst ? [first, second] : [second, first];
  const names = reasons ? `"${nameIn(better)}" before "${nameIn(worse)}"` : "";
  const compared = (what: string) => (reasons ? `${names}, by ${what}.` : null);
  return {
    problem: compared("what a solution is worth"),
    novelty_and_soundness: compared("a core that holds"),
    evidence: compared("a test that decides"),
    for_the_other: reasons ? `"${nameIn(worse)}" needs fewer calls.` : null,
    reason: reasons ? `"${nameIn(better)}" tests what it claims more directly than "${nameIn(worse)}".` : null,
    accepted: isFirst ? "A" : "B",
  };
}

/** The name in the judge's text: its first line without the label. */
const nameIn = (text: string): string => quoted(text.split("\n")[0]!.replace(/^\w+: /u, ""), 80);

export function mockDuplicate(
  { one, other }: CheckDuplicateInput,
  outcome: string,
  feedback?: Feedback<Duplicate>,
): Duplicate {
  const same = outcome === "same";
  const names = `"${quoted(one.name, 80)}" and "${quoted(other.name, 80)}"`;
  const verdict = same ? `${names} go at the problem in one way.` : `${names} go at it in two ways.`;
  return { reason: feedback ? `${verdict} Looked at again: ${quoted(feedback.comment, 160)}.` : verdict, same };
}

export function mockRubric({ plan }: ScoreRubricInput, feedback?: Feedback<Rubric>): Rubric {
  const random = chance(fnv1a(plan), "rubric");
  const score = () => 4 + Math.floor(random() * 6);
  const scores = { originality: score(), feasibility: score(), clarity: score() };
  const heard = feedback ? ` A reader asked: ${quoted(feedback.comment, 160)}.` : "";
  return {
    ...scores,
    reason: `The plan "${quoted(plan.split("\n")[0]!, 80)}" says what is done, and less of why.${heard}`,
  };
}

const OBJECTIONS: Record<CheckIdeaInput["criterion"], string> = {
  consistency: "the experiments do not test what the method claims",
  feasibility: "it needs annotators and more than two months",
  significance: "a plain baseline does as well",
};

export function mockCheck({ criterion, idea }: CheckIdeaInput, outcome: string, feedback?: Feedback<Check>): Check {
  const passes = outcome !== "fail";
  const name = quoted(idea.name, 80);
  const verdict = passes
    ? `"${name}" shows no fault of ${criterion}.`
    : `"${name}" does not pass: ${OBJECTIONS[criterion]}.`;
  return { reason: feedback ? `${verdict} Looked at again: ${quoted(feedback.comment, 160)}.` : verdict, passes };
}

export function mockNovelty(
  { idea, papers }: CheckNoveltyInput,
  outcome: string,
  feedback?: Feedback<Novelty>,
): Novelty {
  const known = outcome === "known" && papers.length > 0;
  const name = quoted(idea.name, 80);
  const verdict = known
    ? `"${quoted(papers[0]!.title, 80)}" has the method of "${name}" for the same problem.`
    : `None of the papers has the method of "${name}".`;
  return {
    matches: known ? [keyOf(papers[0]!, 0)] : [],
    reason: feedback ? `${verdict} Looked at again: ${quoted(feedback.comment, 160)}.` : verdict,
  };
}
