import { defineAction } from "#workflow-kit/action";
import checkRequirementPrompt from "../../../prompts/requirements/check_requirement.md";
import deriveAcceptanceCriteriaPrompt from "../../../prompts/requirements/derive_acceptance_criteria.md";
import { checkMessageSchema, criteriaSchema, type CheckMessage, type Criteria } from "../artifacts";
import type { CheckRequirementInput, DeriveAcceptanceCriteriaInput } from "../inputs";
import { rehearseCheck, rehearseCriteria } from "../rehearsal/checking";
import { IDENTITIES } from "../roles";
import {
  blanks,
  criteriaValues,
  ideaValues,
  escapeMaterial,
  modelValues,
  repeated,
  roundsValues,
  smellsValues,
  stakeholdersValues,
  storiesValues,
} from "./prompt-values";

const role = IDENTITIES.checker;

export const deriveAcceptanceCriteria = defineAction<DeriveAcceptanceCriteriaInput, Criteria>({
  name: "derive_acceptance_criteria",
  role: "checker",
  kind: "acceptance_criteria",
  summary: "Lays down, once, what the requirements will be judged by.",
  prompt: deriveAcceptanceCriteriaPrompt,
  output: criteriaSchema,
  variables: ({ idea, stakeholders }) => ({
    role,
    ...ideaValues(idea),
    stakeholders: stakeholdersValues(stakeholders),
  }),
  // Not in the schema: a person who edits the criteria may choose any number.
  check: ({ criteria }) => [
    ...(criteria.length < 4 || criteria.length > 8 ? [`There are ${criteria.length} criteria. Give 4 to 8.`] : []),
    ...blanks(
      criteria.flatMap(
        ({ name, description }, index) =>
          [
            [`The name of criterion ${index + 1}`, name],
            [`The description of criterion ${index + 1}`, description],
          ] as const,
      ),
    ),
    ...repeated(
      "criterion",
      criteria.map(({ name }) => name),
    ),
  ],
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseCriteria(input, feedback),
});

export const checkRequirement = defineAction<CheckRequirementInput, CheckMessage>({
  name: "check_requirement",
  role: "checker",
  kind: "check_message",
  summary: "Accepts draft and model, or names their requirement smells.",
  prompt: checkRequirementPrompt,
  output: checkMessageSchema,
  variables: ({ idea, criteria, stories, rounds, draft, model, earlier, iteration }) => ({
    role,
    criteria: criteriaValues(criteria),
    ...ideaValues(idea),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    draft: escapeMaterial(draft),
    ...modelValues(model),
    earlier: earlier && { findings: smellsValues(earlier) },
    iteration,
  }),
  check({ earlier, smells, accepted }, input) {
    const faults = blanks(
      smells.flatMap(
        ({ id, location, explanation }) =>
          [
            [`The location of ${id}`, location],
            [`The explanation of ${id}`, explanation],
          ] as const,
      ),
    );
    if (accepted && smells.length > 0)
      faults.push("`accepted` is true although there are smells. Set it to false, or remove the smells.");
    if (!accepted && smells.length === 0)
      faults.push("`accepted` is false although there is no smell. Set it to true, or name the smells.");
    const remaining = input.earlier ? earlier.filter(({ put_right }) => !put_right).map(({ id }) => id) : [];
    if (remaining.length > 0 && smells.length === 0)
      faults.push(
        `${remaining.join(", ")} of the check before was not put right, and is not among the smells. Name it.`,
      );
    return faults;
  },
  outcomes: ["accept", "reject", "reject_same"],
  rehearse: (input, outcome, feedback) => rehearseCheck(input, outcome, feedback),
});
