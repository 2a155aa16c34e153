import type { DocumentReference } from "#workflow-kit/artifact";
import { checkReasoning } from "../../actions/check-reasoning";
import type { Verdict } from "../../rules/judgements";
import { MAX_ANSWER_LENGTH } from "../../rules/material";
import { failureOf, type Judge } from "./judge";

interface Debate {
  rationale: readonly string[];
  prevailed: readonly string[];
  parties: readonly { party: string; debater: string }[];
  report: DocumentReference | null;
}

/** Whether the rationale entails a main premise of the side that prevailed (Silva et al., 4.2); none where nobody prevailed. */
export const judgeReasoning: Judge = {
  reads: ({ output }) => {
    const { report } = output as Debate;
    return report ? [report] : [];
  },
  judge: async (one): Promise<Verdict> => {
    const { context, trial, key } = one;
    const { rationale, prevailed, parties, report } = trial.output as Debate;
    const sides = parties.filter(({ debater }) => prevailed.includes(debater)).map(({ party }) => party);
    const written = report ? trial.contents[report.artifact_id] : null;
    if (sides.length === 0 || rationale.length === 0 || typeof written !== "string") return { scores: { "": null } };
    const debate = one.shown(written, MAX_ANSWER_LENGTH, "debate");
    const checked = await one.ask(checkReasoning, { debate, rationale, parties: sides });
    if (!checked.artifact) return { failure: failureOf(checked) };
    const { premises } = checked.artifact.content;
    const texts = [rationale.join("\n"), premises.map(({ premise }) => premise).join("\n")];
    const embedded = await context.run.retrieval.embed(texts, { key });
    const consistent = Number(premises.some(({ entailed }) => entailed));
    if (embedded === null)
      return { scores: { "": consistent }, notes: ["No embedding model is configured, so there is no similarity."] };
    const [left, right] = embedded.vectors;
    return { scores: { "": consistent, similarity: dot(left!, right!) } };
  },
};

/** Cosine similarity of vectors of unit length. */
const dot = (left: ArrayLike<number>, right: ArrayLike<number>): number =>
  Array.from(left).reduce((sum, value, index) => sum + value * right[index]!, 0);
