import type { CheckMessage, Criteria, RequirementModel, RoughIdea } from "../artifacts";
import type { Input, Options, Stakeholder } from "../contract";
import type { Metamodel } from "../rules/metamodel";
import { metamodelOf } from "../rules/metamodels";
import type { RoleInbox } from "../rules/workspace";
import { changedPlaces } from "../rules/draft-lines";
import { answeredRounds, roundsOfReview, stories, type Round, type StoriesOf } from "./interview";

export interface DeriveAcceptanceCriteriaInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
  metamodel: Metamodel;
}

export interface CheckRequirementInput {
  idea: RoughIdea;
  /** As the caller describes them; none when the caller names none. */
  stakeholders: readonly Stakeholder[];
  metamodel: Metamodel;
  accept_at: Options["accept_at"];
  criteria: Criteria["criteria"];
  /** Stories and interview; a later check gets only what is new since the check before. */
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  draft: string;
  /** The lines that changed since the check before. */
  changed: readonly string[];
  model: RequirementModel;
  /** The smells of the previous check; null in the first check. */
  earlier: CheckMessage["smells"] | null;
  iteration: number;
}

export const deriveAcceptanceCriteriaInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
  options: Options,
): DeriveAcceptanceCriteriaInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  metamodel: metamodelOf(options),
});

/** @param before the draft of the check before; undefined in the first */
export function checkRequirementInput(
  inbox: RoleInbox,
  iteration: number,
  { input, options }: { input: Pick<Input, "stakeholders">; options: Options },
  before?: string,
): CheckRequirementInput {
  const earlier = options.profile === "paper" ? undefined : inbox.takeIfAny("check_message");
  const draft = inbox.take("requirement_draft").content;
  return {
    idea: inbox.take("rough_idea").content,
    stakeholders: input.stakeholders ?? [],
    metamodel: metamodelOf(options),
    accept_at: options.accept_at,
    criteria: inbox.take("acceptance_criteria").content.criteria,
    stories: earlier ? [] : stories(inbox),
    rounds: earlier ? roundsOfReview(inbox, iteration) : answeredRounds(inbox),
    draft,
    changed: earlier && before !== undefined ? changedPlaces(before, draft) : [],
    model: inbox.take("requirement_model").content,
    earlier: earlier?.content.smells ?? null,
    iteration,
  };
}
