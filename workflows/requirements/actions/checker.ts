import { defineAction } from "#workflow-kit/action";
import checkRequirementPrompt from "../../../prompts/requirements/check_requirement.md";
import deriveAcceptanceCriteriaPrompt from "../../../prompts/requirements/derive_acceptance_criteria.md";
import paperCheckRequirementPrompt from "../../../prompts/requirements/paper/check_requirement.md";
import { checkMessageSchema, criteriaSchema, type CheckMessage, type Criteria } from "../artifacts";
import type { CheckRequirementInput, DeriveAcceptanceCriteriaInput } from "../inputs";
import { mockCheck, mockCriteria } from "../mock/checking";
import { IDENTITIES } from "../roles";
import { blocks, type AcceptAt } from "../rules/acceptance";
import { withoutSources } from "../rules/draft-lines";
import {
  blanks,
  block,
  criteriaValues,
  escapeUntrusted,
  givenStakeholdersValues,
  ideaValues,
  metamodelValues,
  judgedModelValues,
  modelValues,
  repeated,
  roundsValues,
  smellsValues,
  stakeholdersValues,
  storiesValues,
} from "./prompt-values";

const role = IDENTITIES.checker;

/** When `accepted` is true, by `accept_at`. */
const ACCEPTABLE: Record<AcceptAt, string> = {
  none: "`smells` is empty",
  minor: "no smell is `major` or `critical`; minor ones may stand",
  major: "no smell is `critical`; minor and major ones may stand",
};

export const deriveAcceptanceCriteria = defineAction<DeriveAcceptanceCriteriaInput, Criteria>({
  name: "derive_acceptance_criteria",
  role: "checker",
  kind: "acceptance_criteria",
  summary: "Lays down, once, what the requirements will be judged by.",
  prompt: deriveAcceptanceCriteriaPrompt,
  output: criteriaSchema,
  variables: ({ idea, stakeholders, metamodel }) => ({
    role,
    entity_types: metamodel.entity_types.map(({ name }) => name).join(", "),
    relation_types: metamodel.relation_types.map(({ name }) => name).join(", "),
    ...ideaValues(idea),
    stakeholders: stakeholdersValues(stakeholders),
  }),
  // Not in the schema: a person who edits the criteria may choose any number.
  check: ({ criteria }) => [
    ...(criteria.length < 4 || criteria.length > 6 ? [`There are ${criteria.length} criteria. Give 4 to 6.`] : []),
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
  mock: (input, _outcome, feedback) => mockCriteria(input, feedback),
});

export const checkRequirement = defineAction<CheckRequirementInput, CheckMessage>({
  name: "check_requirement",
  role: "checker",
  kind: "check_message",
  summary: "Accepts draft and model, or names their requirement smells.",
  prompt: checkRequirementPrompt,
  output: checkMessageSchema,
  variables: ({
    idea,
    stakeholders,
    metamodel,
    accept_at,
    criteria,
    stories,
    rounds,
    draft,
    changed,
    model,
    earlier,
    iteration,
  }) => ({
    role,
    ...metamodelValues(metamodel),
    acceptable: ACCEPTABLE[accept_at],
    criteria: criteriaValues(criteria),
    ...ideaValues(idea),
    ...givenStakeholdersValues(stakeholders),
    stories: storiesValues(stories),
    rounds: roundsValues(rounds),
    draft: escapeUntrusted(earlier?.length ? withoutSources(draft, changed) : draft),
    ...judgedModelValues(model, draft),
    earlier: earlier?.length ? { findings: smellsValues(earlier), changed: block(changed) } : null,
    iteration,
  }),
  check: (message, input) => checkErrors(message, input),
  outcomes: ["accept", "accept_minor", "reject", "reject_same"],
  mock: (input, outcome, feedback) => mockCheck(input, outcome, feedback),
  paper: {
    prompt: paperCheckRequirementPrompt,
    variables: ({ accept_at, criteria, draft, model }) => ({
      role,
      acceptable: ACCEPTABLE[accept_at],
      criteria: criteriaValues(criteria),
      draft: escapeUntrusted(draft),
      ...modelValues(model),
    }),
  },
});

/** The errors of a judgment, in sentences for the model that wrote it. */
function checkErrors({ earlier, smells, accepted }: CheckMessage, input: CheckRequirementInput): string[] {
  const errors = [
    ...repeated(
      "smell",
      smells.map(({ id }) => id),
    ),
    ...blanks(
      smells.flatMap(
        ({ id, location, explanation }) =>
          [
            [`The location of ${id}`, location],
            [`The explanation of ${id}`, explanation],
          ] as const,
      ),
    ),
  ];
  const grave = smells.filter(({ severity }) => blocks(severity, input)).map(({ id }) => id);
  if (accepted && grave.length > 0)
    errors.push(
      `\`accepted\` is true although ${grave.join(", ")} stands in the way. It is true exactly when ${ACCEPTABLE[input.accept_at]}.`,
    );
  if (!accepted && grave.length === 0)
    errors.push(
      `\`accepted\` is false although nothing stands in the way. It is true exactly when ${ACCEPTABLE[input.accept_at]}.`,
    );
  const lookedAt = new Map((input.earlier ? earlier : []).map(({ id, put_right }) => [id, put_right]));
  const missing = (input.earlier ?? []).map(({ id }) => id).filter((id) => !lookedAt.has(id));
  if (missing.length > 0) errors.push(`\`earlier\` does not say whether ${missing.join(", ")} was put right.`);
  const remaining = [...lookedAt].filter(([, putRight]) => !putRight).map(([id]) => id);
  if (remaining.length > 0 && smells.length === 0)
    errors.push(`${remaining.join(", ")} of the check before was not put right, and is not among the smells. Name it.`);
  return errors;
}
