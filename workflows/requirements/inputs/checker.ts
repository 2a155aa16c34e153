import type { CheckMessage, Criteria, RequirementModel, RoughIdea } from "../artifacts";
import type { Options, Stakeholder } from "../contract";
import type { Metamodel } from "../rules/metamodel";
import { metamodelOf } from "../rules/metamodels";
import type { RoleInbox } from "../rules/workspace";
import { answeredRounds, stories, type Round, type StoriesOf } from "./interview";

export interface DeriveAcceptanceCriteriaInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
  metamodel: Metamodel;
}

export interface CheckRequirementInput {
  idea: RoughIdea;
  metamodel: Metamodel;
  accept_at: Options["accept_at"];
  criteria: Criteria["criteria"];
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  draft: string;
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

export const checkRequirementInput = (
  inbox: RoleInbox,
  iteration: number,
  options: Options,
): CheckRequirementInput => ({
  idea: inbox.take("rough_idea").content,
  metamodel: metamodelOf(options),
  accept_at: options.accept_at,
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  draft: inbox.take("requirement_draft").content,
  model: inbox.take("requirement_model").content,
  earlier: options.profile === "paper" ? null : (inbox.takeIfAny("check_message")?.content.smells ?? null),
  iteration,
});
