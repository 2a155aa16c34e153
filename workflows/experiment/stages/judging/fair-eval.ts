import { compareAnswers } from "../../actions/compare-answers";
import { fairEval, type OrderedScores } from "../../rules/fair-eval";
import { failureOf, type Judge, NO_ANSWER, readsAnswer } from "./judge";

/** FairEval (Wang et al. 2023): each order of the answers is judged several times; the prompts of both orders really differ. */
export const judgeFairEval: Judge = {
  reads: readsAnswer,
  judge: async (one) => {
    const { trial, rival, request, context } = one;
    const [own, other] = [one.answer(trial), one.answer(rival!)];
    if (own === null || other === null) return NO_ANSWER;
    const { samples: each = 3 } = one.parameters;
    const asked = [true, false].flatMap((first) =>
      Array.from({ length: each }, (_, sample) => ({ first, part: `${first ? "own" : "other"}-first.${sample + 1}` })),
    );
    const attempts = await context.run.parallel(asked, ({ first, part }) => {
      const [answer_1, answer_2] = first ? [own, other] : [other, own];
      return one.ask(compareAnswers, { request, first: answer_1, second: answer_2 }, part);
    });
    const scored = attempts.flatMap(({ artifact }, index): OrderedScores[] => {
      if (!artifact) return [];
      const { score_1, score_2 } = artifact.content;
      return [{ first: asked[index]!.first, score_1, score_2 }];
    });
    const failed = attempts.filter(({ failure }) => failure !== null);
    const scores = fairEval(scored);
    if (scores === null) return { failure: failureOf(failed[0]!) };
    return { scores, notes: failed.length > 0 ? [`${failed.length} of ${attempts.length} samples failed.`] : [] };
  },
};
