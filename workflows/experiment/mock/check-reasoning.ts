import { quoted } from "#workflow-kit/text";
import type { CheckReasoningInput } from "../inputs/judging";

/** @param outcome `entailed`; `not_entailed` */
export function mockReasoning({ debate, rationale, parties }: CheckReasoningInput, outcome: string) {
  return {
    premises: parties.map((party) => ({
      party,
      premise: `What ${quoted(party, 20)} rests on in "${quoted(debate, 80)}".`,
      reason: `The rationale begins "${quoted(rationale[0] ?? "", 80)}"; the mock model does not weigh it.`,
      entailed: outcome === "entailed",
    })),
  };
}
