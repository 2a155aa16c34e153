import type { Feedback } from "#workflow-kit/action";
import { quoted } from "#workflow-kit/text";
import type { DraftChanges } from "../artifacts";
import type { ReviseReqDraftInput } from "../inputs";
import { idLines, letterOf, numberedLines } from "../rules/draft-lines";
import { ruleSentence } from "./concept";

/** For each finding a new requirement below the line that it names, else below the last requirement. */
export function rehearseRevision(
  { draft, findings }: ReviseReqDraftInput,
  feedback?: Feedback<DraftChanges>,
): DraftChanges {
  const rows = numberedLines(draft).map(({ number, text }) => ({ number, id: idLines(text)[0]?.id }));
  const requirements = idLines(draft).filter(({ id }) => letterOf(id) === "R");
  const last = rows.findLast(({ id }) => id?.startsWith("R")) ?? rows.at(-1)!;
  let next = Math.max(0, ...requirements.map(({ id }) => Number(id.slice(1))));
  const demands = [
    ...findings.map(({ id, location, explanation }) => ({
      why: id,
      location,
      // A quoted requirement would be read as one of its own.
      says: ["the check asked for", explanation.replace(/".*"/gu, location)] as const,
    })),
    ...(feedback
      ? [{ why: "review", location: "", says: ["a person remarked in review", feedback.comment] as const }]
      : []),
  ];
  return {
    changes: demands.map(({ why, location, says: [origin, text] }) => ({
      why: `${why}: a rule for it is added`,
      line: (rows.find(({ id }) => id === location) ?? last).number,
      change: "insert_after",
      text: `- **R${++next}** ${ruleSentence(origin, quoted(text, 160))} [idea]`,
    })),
  };
}
