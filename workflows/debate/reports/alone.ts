import type { Vote } from "../artifacts";
import type { DebateContext } from "../context";
import type { Answered } from "../outcome";
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

/** The report of a baseline. */
export function reportOfAnswer(
  context: DebateContext,
  { pool, missing, not_shown }: Pick<DebateState, "pool" | "missing" | "not_shown">,
  { answer, alone, model, confidence, stop_reason, citations }: Omit<Answered, "report">,
  vote: Vote | null,
): string {
  const { question, run } = context;
  const words = translationFor(question);
  const name = (writer: string) => words.alone(writer.startsWith("sample") ? writer.slice("sample_".length) : null);
  const conclusion = {
    ...alone,
    answer,
    confidence: answer === null ? null : confidence,
    stop_reason,
    citations,
    ...ALONE,
  };
  return sections(
    summary(context, conclusion, { pool, missing, not_shown }, name),
    vote && sections(`## ${words.votes}`, bullets(votesOf(vote, words.invalidVotes))),
    consideredPart(question, alone),
    citationTable(question, citations, pool, name),
    `# ${words.annex}`,
    checklistTable(question, alone.checklist),
    questionPart(question),
    evidencePart(question, pool, name),
    sections(
      `## ${words.how}`,
      bullets([`${words.runName}: \`${run.id}\``, `${words.models}: ${inline(model)}`]),
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
