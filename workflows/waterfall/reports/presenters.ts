import { contentsOf, nameOf, type Presenter } from "#workflow-kit/presentation";
import type { Kind, Questions, Refined } from "../artifacts";

/** Inferred answers stand beside their questions. */
const refinedRequirement: Presenter<Refined> = {
  refers_to: ["clarification_questions"],
  present: ({ inferred_answers, ...content }, surroundings) => {
    const asked = contentsOf<Questions>(surroundings, "clarification_questions").flatMap(({ questions }) => questions);
    const names = Object.fromEntries(asked.map(({ id, question }) => [id, question]));
    const answers = inferred_answers.map(({ question, ...rest }) => ({ question: nameOf(names, question), ...rest }));
    return { content: { ...content, inferred_answers: answers }, names };
  },
};

/** How people see the artifacts whose contents refer to others by ids. */
export const PRESENTERS: Partial<Record<Kind, Presenter>> = { refined_requirement: refinedRequirement };
