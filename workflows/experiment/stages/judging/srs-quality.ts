import { gradeSpecification, QUALITIES } from "../../actions/grade-specification";
import { failureOf, type Judge, NO_ANSWER, readsAnswer } from "./judge";

/** Completeness, correctness and consistency of the specification, 0 to 2 each (MARE, IV-B). */
export const judgeSpecification: Judge = {
  reads: readsAnswer,
  judge: async (one) => {
    const specification = one.answer(one.trial);
    if (specification === null) return NO_ANSWER;
    const graded = await one.ask(gradeSpecification, { request: one.request, specification });
    if (!graded.artifact) return { failure: failureOf(graded) };
    const grades = graded.artifact.content;
    return { scores: Object.fromEntries(QUALITIES.map((quality) => [quality, grades[quality].score])) };
  },
};
