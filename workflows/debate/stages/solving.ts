import type { Artifact } from "#workflow-kit/artifact";
import { answerBriefly } from "../actions";
import { rankingSchema, type Position, type Ranking, type ShortAnswer, type Vote } from "../artifacts";
import type { Context } from "../context";
import type { Reasons } from "../outcome";
import type { Cited } from "../rules/citations";
import { idsOf, withoutContent, type DebateState } from "../rules/debate-state";
import { agree, solvedPositions } from "../rules/positions";
import { parseChoice } from "../rules/question";
import { tally } from "../rules/vote";

/** Whether a question is disputed is found out for the price of a few short answers, before a debate is paid for. Ours, not the paper's. */

/** An answer that stands without a debate. */
export interface SolverConsensus {
  answer: string;
  /** Mean probability of the answer. */
  confidence: number;
  reasons: Reasons;
  cited: Cited[];
  vote: Vote | null;
  models: string[];
  /** The artifacts that it comes from, without their content. */
  sources: Artifact[];
}

/** Whether a probability is high enough to do without a debate. A person who reviews the case wants one. */
function isHighEnough({ options }: Context, probability: number): boolean {
  return !options.human_review && probability > options.skip_debate_above;
}

/**
 * Solvers answer apart from each other, each in another way and with another seed, so that they do not err alike. The choices that they answer
 * are the positions of the debate; when all are sure of one answer, that is the result.
 * @returns all choices, those that most solvers answer first
 */
export async function solve(
  context: Context,
  { authorities, sources }: Pick<DebateState, "authorities" | "sources">,
): Promise<{ positions: Position[]; consensus: SolverConsensus | null }> {
  const { run, question } = context;
  const numbers = Array.from({ length: context.options.solvers }, (_, index) => index + 1);
  const solved = await run.parallel(numbers, (solver) =>
    run.step(
      answerBriefly,
      { question, authorities, solver },
      { key: nameOf(solver), iteration: solver, member: solver, subject: nameOf(solver), inputs: sources },
    ),
  );
  const answers = solved.map(({ content }) => content);
  const vote = tally(answers.map(({ answer }) => parseChoice(answer, question.choices)));
  await run.record<Vote>({ action: "count_votes", role: "judge", inputs: solved, kind: "vote", content: vote });
  const positions = solvedPositions(answers, question.choices);
  const [first] = positions as [Position, ...Position[]];
  if (!agree(answers, question.choices) || !isHighEnough(context, first.probability!))
    return { positions, consensus: null };
  return { positions, consensus: consensusBy(context, authorities, { solved, first, vote }) };
}

const nameOf = (solver: number): string => `solver_${solver}`;

const consensusBy = (
  { run }: Context,
  authorities: DebateState["authorities"],
  { solved, first, vote }: { solved: readonly Artifact<ShortAnswer>[]; first: Position; vote: Vote },
): SolverConsensus => ({
  answer: first.label,
  confidence: first.probability!,
  reasons: { ...NO_REASONS, rationale: solved.map(({ content }) => content.reasoning) },
  cited: solved.map(({ content }, index) => ({
    debater: nameOf(index + 1),
    round: null,
    citations: content.citations,
    shown: idsOf(authorities),
  })),
  vote,
  models: [...new Set(solved.map((_, index) => run.models.of("debater", index + 1)))],
  sources: solved.map(withoutContent),
});

const NO_REASONS: Omit<Reasons, "rationale"> = {
  options_considered: [],
  issues: [],
  law_from_memory: [],
  checklist: null,
};

/** The answer of a ranking whose first option is probable enough; null: it is debated. */
export function consensusByRanking(
  context: Context,
  ranked: Artifact<Ranking>,
  first: Position,
): SolverConsensus | null {
  const { label, probability } = first;
  if (!isHighEnough(context, probability!)) return null;
  const { issue, options } = rankingSchema.parse(ranked.content);
  const remarks = options.map((option) => ({
    label: parseChoice(option.label, context.question.choices) ?? option.label,
    why_not: option.reason,
  }));
  const own = remarks.find((remark) => remark.label === label)?.why_not ?? "";
  return {
    answer: label,
    confidence: probability!,
    reasons: {
      ...NO_REASONS,
      rationale: [issue, own].filter((text) => text.trim() !== ""),
      options_considered: remarks.filter((remark) => remark.label !== label),
    },
    cited: [],
    vote: null,
    models: [context.run.models.of("debater")],
    sources: [withoutContent(ranked)],
  };
}
