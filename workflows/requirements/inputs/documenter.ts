import type { CheckMessage, RequirementModel, RoughIdea, Smell } from "../artifacts";
import type { Options } from "../contract";
import type { RoleInbox } from "../rules/workspace";
import paperSrsTemplate from "../templates/paper/srs.md";
import defaultSrsTemplate from "../templates/srs.md";
import { marked, stories } from "./interview";

export interface WriteSrsInput {
  idea: RoughIdea;
  template: string;
  /** Names of those who were heard; simulated stakeholders are marked. */
  sources: readonly string[];
  draft: string;
  model: RequirementModel;
  /** Findings with which the check accepted; none when it did not accept. */
  findings: readonly Smell[];
}

export interface WriteCheckReportInput {
  check: CheckMessage;
  iteration: number;
}

export const srsTemplateOf = ({ srs_template, profile }: Options): string =>
  srs_template ?? (profile === "paper" ? paperSrsTemplate : defaultSrsTemplate);

export const writeSrsInput = (inbox: RoleInbox, options: Options): WriteSrsInput => {
  const told = stories(inbox).map(({ stakeholder }) => stakeholder);
  const answered = inbox.takeAll("stakeholders_answer").map(({ sent_from }) => marked(sent_from));
  const check = options.profile === "paper" ? undefined : inbox.takeIfAny("check_message")?.content;
  return {
    idea: inbox.take("rough_idea").content,
    template: srsTemplateOf(options),
    sources: [...new Set([...told, ...answered])],
    draft: inbox.take("requirement_draft").content,
    model: inbox.take("requirement_model").content,
    findings: check?.accepted ? check.smells : [],
  };
};

export const writeCheckReportInput = (inbox: RoleInbox, iteration: number): WriteCheckReportInput => ({
  check: inbox.take("check_message").content,
  iteration,
});
