import type { Context } from "../context";
import { debaterName } from "../rules/topology";
import { briefPart, questionsPart, titleOf } from "./debate";
import { inline, sections } from "#workflow-kit/markdown";
import { evidencePart, questionPart, translationFor } from "./parts";
import { heldBy, debatersOf, type DebateState, type SideReply } from "../rules/debate-state";

/**
 * The case as a person reads it before judgment: question, each side's position and last brief, and the evidence. It omits the
 * debaters' confidence, because the person may write to the judge, who must not know it.
 */
export function reviewFile({ question }: Context, state: DebateState, replies: readonly SideReply[]): string {
  const words = translationFor(question);
  const name = (debater: string) => debater;
  const sides = debatersOf(state).map((debater) => {
    const statement = state.rounds.at(-1)!.find((last) => last.debater === debater)!;
    const position = heldBy(debater, state);
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
    evidencePart(question, state.authorities, name),
  );
}
