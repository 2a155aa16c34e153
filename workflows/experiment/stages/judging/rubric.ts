import { gradeRubric } from "../../actions/grade-rubric";
import { MAX_ANSWER_LENGTH } from "../../rules/material";
import { failureOf, type Judge, NO_ANSWER, readsAnswer } from "./judge";

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Points over the maximum of the item's rubric. An answer may be empty in the rubric's eyes, but it has to be there. */
export const judgeRubric: Judge = {
  reads: readsAnswer,
  judge: async (one) => {
    const answer = one.answer(one.trial);
    if (answer === null) return NO_ANSWER;
    const { rubric = [], reference } = one.item.gold ?? {};
    const input = {
      request: one.request,
      answer,
      rubric,
      reference: reference === undefined ? null : one.shown(reference, MAX_ANSWER_LENGTH, "good answer"),
    };
    const graded = await one.ask(gradeRubric, input);
    if (!graded.artifact) return { failure: failureOf(graded) };
    const { grades } = graded.artifact.content;
    return { scores: { "": sumOf(grades.map(({ points }) => points)) / sumOf(rubric.map(({ points }) => points)) } };
  },
};
