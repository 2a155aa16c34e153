import { type DebateContext } from "../context";
import { debaterName } from "../rules/topology";
import { briefPart, questionsPart, titleOf } from "./debate";
import { inline, sections } from "#workflow-kit/markdown";
import { evidencePart, questionPart, wordsFor } from "./parts";
import { heldBy, seatsOf, type DebateState, type SideReply } from "../rules/debate-state";

/**
 * The case as a person reads it before judgment: question, what each side defends and has argued last, and the evidence. What debaters
 * said of their own confidence is for the record alone: who may speak to the judge does not read it either.
 */
export function reviewFile({ question }: DebateContext, floor: DebateState, replies: readonly SideReply[]): string {
  const words = wordsFor(question);
  const name = (debater: string) => debater;
  const sides = seatsOf(floor).map((debater) => {
    const statement = floor.rounds.at(-1)!.find((one) => one.debater === debater)!;
    const position = heldBy(debater, floor);
    return sections(
      `### ${debaterName(debater)}`,
      `${words.defends}: **${titleOf(position)}**`,
      position.rule && `${words.rule}: ${inline(position.rule)}`,
      briefPart(statement, null, words),
    );
  });
  return sections(
    `# ${words.review}`,
    questionPart(question),
    `## ${words.sides}`,
    ...sides,
    questionsPart({ replies }, name, words),
    evidencePart(question, floor.pool, name),
  );
}
