import { checkReasoning } from "./check-reasoning";
import { compareAnswers } from "./compare-answers";
import { compareIdeas } from "./compare-ideas";
import { gradeRubric } from "./grade-rubric";
import { gradeSpecification } from "./grade-specification";
import { matchNames } from "./match-names";

/** All actions of an experiment: those of its judge. */
export const actions = [compareAnswers, gradeRubric, gradeSpecification, compareIdeas, checkReasoning, matchNames];
