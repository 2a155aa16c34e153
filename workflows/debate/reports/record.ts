import type { DebateRecord } from "../artifacts";
import type { Context } from "../context";
import type { Submission } from "../outcome";
import { briefTokens } from "../rules/briefs";
import type { Courtroom } from "../rules/courtroom";
import { positionsAround } from "../rules/debate-state";
import { argumentOf } from "../rules/interventions";
import { debaterName } from "../rules/topology";

/** Characters per token, for estimates of brief lengths. */
const CHARACTERS_PER_TOKEN = 4;
/** A brief counts as too long above the requested length times this factor. */
const LENIENCE = 1.5;

/** The debate as data, for experiments. */
export function recordOf(
  { options, question }: Context,
  { state, ended }: Submission,
  { letters, models, left_out }: Courtroom,
  decision: Pick<DebateRecord, "answers" | "answer" | "decided_by" | "winner" | "prevailed">,
): DebateRecord {
  const { rounds } = state;
  return {
    question,
    rounds: rounds.map((statements, index) => ({
      round: index + 1,
      briefs: statements.map(({ debater, position, brief }) => {
        const { citations, concedes, confidence } = brief.content;
        const words = [argumentOf(brief.content), ...concedes, ...citations.map(({ proposition }) => proposition)];
        const tokens = Math.ceil(words.join("\n").length / CHARACTERS_PER_TOKEN);
        return {
          debater: debaterName(debater),
          artifact_id: brief.id,
          position,
          confidence,
          concedes,
          citations: citations.length,
          tokens,
          over_limit: tokens > briefTokens(options, question) * LENIENCE,
        };
      }),
    })),
    position_changes: rounds.flat().flatMap(({ debater, round }) => {
      const [{ label: from }, { label: to }] = positionsAround(debater, round, state);
      return from === to ? [] : [{ debater: debaterName(debater), round, from, to }];
    }),
    ended,
    parties: [...letters].map(([debater, party]) => ({
      party,
      debater: debaterName(debater),
      model: models.get(debater)!,
    })),
    left_out,
    authorities: state.authorities.map(({ label, id, source, title }) => ({ label, authority_id: id, source, title })),
    ...decision,
  };
}
