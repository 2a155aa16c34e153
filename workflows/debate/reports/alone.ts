import type { Vote } from "../artifacts";
import type { Context } from "../context";
import type { DirectAnswer } from "../outcome";
import { bullets, inline, sections } from "#workflow-kit/markdown";
import {
  checklistTable,
  citationTable,
  consideredPart,
  evidencePart,
  questionPart,
  summary,
  translationFor,
} from "./parts";
import type { DebateState } from "../rules/debate-state";

/** The report of a baseline, or of a debate that was skipped. */
export function reportOfAnswer(
  context: Context,
  { authorities, missing, not_shown }: Pick<DebateState, "authorities" | "missing" | "not_shown">,
  { answer, reasons, models, confidence, stop_reason, citations }: Omit<DirectAnswer, "report">,
  vote: Vote | null,
): string {
  const { question, run } = context;
  const words = translationFor(question);
  const name = (writer: string) => words.alone(/^(?:sample|solver)_(\d+)$/u.exec(writer)?.[1] ?? null);
  const conclusion = {
    ...reasons,
    answer,
    confidence: answer === null ? null : confidence,
    stop_reason,
    citations,
    ...ALONE,
  };
  return sections(
    summary(context, conclusion, { authorities, missing, not_shown }, name),
    vote && sections(`## ${words.votes}`, bullets(votesOf(vote, words.invalidVotes))),
    consideredPart(question, reasons),
    citationTable(question, citations, authorities, name),
    `# ${words.annex}`,
    checklistTable(question, reasons.checklist),
    questionPart(question),
    evidencePart(question, authorities, name),
    sections(
      `## ${words.how}`,
      bullets([`${words.runName}: \`${run.id}\``, `${words.models}: ${models.map(inline).join("; ")}`]),
      words.disclaimer,
    ),
  );
}

/** A baseline has no other side, and no citation of it was withdrawn. */
const ALONE = { relied: null, other_winner: null, rounds: 0, sides: [] };

const votesOf = ({ votes, invalid }: Vote, none: string): string[] => [
  ...Object.entries(votes).map(([answer, count]) => `${inline(answer)}: ${count}`),
  ...(invalid ? [`${none}: ${invalid}`] : []),
];
