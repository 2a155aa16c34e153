import type {
  CheckReasoningInput,
  CompareAnswersInput,
  CompareIdeasInput,
  GradeRubricInput,
  GradeSpecificationInput,
  MatchNamesInput,
} from "./inputs/judging";

interface Inputs {
  compare_answers: CompareAnswersInput;
  grade_rubric: GradeRubricInput;
  grade_specification: GradeSpecificationInput;
  compare_ideas: CompareIdeasInput;
  check_reasoning: CheckReasoningInput;
  match_names: MatchNamesInput;
}

/** Inputs of every action about a request: with all parts. */
export const fullInputs = (request: string): Inputs & Record<string, unknown> => ({
  compare_answers: { request, first: "It can be done in three steps.", second: "No." },
  grade_rubric: {
    request,
    answer: "The lender keeps the deposit.",
    rubric: [
      { text: "Names the deposit.", points: 2 },
      { text: "Names the period of notice.", points: 1 },
    ],
    reference: "The lender keeps the deposit until the tool is back.",
  },
  grade_specification: { request, specification: "# Specification\n\nR1: A member can reserve a tool." },
  compare_ideas: { topic: request, first: "Ask twice, in two languages.", second: "Ask once, and count." },
  check_reasoning: { debate: `The question: ${request}`, rationale: ["The deposit is a pledge."], parties: ["A"] },
  match_names: {
    found: [{ id: "F1", type: "actor", name: "Borrower" }],
    right: [{ id: "R1", type: "actor", name: "Member who borrows" }],
  },
});

/** The same without the optional parts. */
export const bareInputs = (request: string): Inputs & Record<string, unknown> => {
  const full = fullInputs(request);
  return { ...full, grade_rubric: { ...full.grade_rubric, reference: null } };
};

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED = /\.id$/;

/** Lists that are never empty. */
export const FILLED = /\/(rubric|found|right|rationale|parties)$/;
