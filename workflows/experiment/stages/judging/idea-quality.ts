import { mean } from "simple-statistics";
import type { DocumentReference } from "#workflow-kit/artifact";
import { compareIdeas } from "../../actions/compare-ideas";
import { proposalPairs } from "../../rules/proposal-pairs";
import type { Trial } from "../../rules/trials";
import { failureOf, type Judge, type JudgedCase } from "./judge";

/** Most characters of a proposal that a judge reads. */
const MAX_PROPOSAL_LENGTH = 16_000;

const documentsOf = ({ output }: Trial): DocumentReference[] => {
  const { proposals = [] } = (output ?? {}) as { proposals?: readonly { document: DocumentReference }[] };
  return proposals.map(({ document }) => document);
};

const proposalsOf = (one: JudgedCase, trial: Trial): string[] =>
  documentsOf(trial).flatMap(({ artifact_id }) => {
    const text = trial.contents[artifact_id];
    return typeof text === "string" ? [one.shown(text, MAX_PROPOSAL_LENGTH, "proposal")] : [];
  });

/** Win rate of the proposals over drawn pairs, each judged in both orders; an order each way is a tie. */
export const judgeIdeas: Judge = {
  reads: documentsOf,
  judge: async (one) => {
    const { context, trial, rival, request: topic, parameters } = one;
    const [own, other] = [proposalsOf(one, trial), proposalsOf(one, rival!)];
    if (own.length === 0 || other.length === 0) return { failure: "One of the two runs wrote no proposals." };
    const pairs = proposalPairs(own, other, parameters.pairs ?? 10, context.seedFor(one.key));
    const wins = await context.run.parallel(pairs, async ([mine, theirs], index) => {
      const ask = (first: string, second: string, order: string) =>
        one.ask(compareIdeas, { topic, first, second }, `${index + 1}.${order}`);
      const both = await Promise.all([ask(mine, theirs, "own-first"), ask(theirs, mine, "other-first")]);
      const failed = both.find(({ failure }) => failure !== null);
      if (failed) return { failed };
      const [ahead, behind] = both.map(({ artifact }) => artifact!.content.better);
      return { win: (Number(ahead === "1") + Number(behind === "2")) / 2 };
    });
    const judged = wins.flatMap(({ win }) => (win === undefined ? [] : [win]));
    const failures = wins.flatMap(({ failed }) => failed ?? []);
    if (judged.length === 0) return { failure: failureOf(failures[0]!) };
    const notes =
      failures.length > 0 ? [`${failures.length} of ${pairs.length} pairs were not judged in both orders.`] : [];
    return { scores: { "": mean(judged) }, notes };
  },
};
