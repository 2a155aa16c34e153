/** Inputs of the judge's actions. No name of a variant, workflow or model stands in them. */

/** Input of `compare_answers`. */
export interface CompareAnswersInput {
  request: string;
  first: string;
  second: string;
}

/** Input of `grade_rubric`. */
export interface GradeRubricInput {
  request: string;
  answer: string;
  rubric: readonly { text: string; points: number }[];
  /** An answer that is known to be good. */
  reference: string | null;
}

/** Input of `grade_specification`. */
export interface GradeSpecificationInput {
  request: string;
  specification: string;
}

/** Input of `compare_ideas`. */
export interface CompareIdeasInput {
  topic: string;
  first: string;
  second: string;
}

/** Input of `check_reasoning`. */
export interface CheckReasoningInput {
  /** The whole case, as a person would read it. */
  debate: string;
  rationale: readonly string[];
  /** Letters of the debaters whose position the answer is. */
  parties: readonly string[];
}

/** An element of a requirements model. */
export interface NamedElement {
  id: string;
  type: string;
  name: string;
}

/** Input of `match_names`. */
export interface MatchNamesInput {
  found: readonly NamedElement[];
  right: readonly NamedElement[];
}
