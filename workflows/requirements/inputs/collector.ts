import type { Criteria, RoughIdea, Smell } from "../artifacts";
import type { Options, Stakeholder } from "../contract";
import type { RoleInbox } from "../rules/workspace";
import defaultDraftTemplate from "../templates/draft.md";
import paperDraftTemplate from "../templates/paper/draft.md";
import { answeredRounds, rounds, stories, type Round, type StoriesOf } from "./interview";

/** A draft that was not accepted, with the error report. */
export interface Rejection {
  draft: string;
  report: string;
}

export interface ProposeQuestionInput {
  idea: RoughIdea;
  stakeholders: readonly Stakeholder[];
  stories: readonly StoriesOf[];
  /** Earlier rounds. */
  rounds: readonly Round[];
  round: number;
  rounds_planned: number;
  /** null unless an error report caused the questions. */
  rejection: Rejection | null;
}

export interface WriteReqDraftInput {
  idea: RoughIdea;
  /** As the caller describes them; none when the caller names none. */
  stakeholders: readonly Stakeholder[];
  template: string;
  criteria: Criteria["criteria"];
  stories: readonly StoriesOf[];
  rounds: readonly Round[];
  rejection: Rejection | null;
}

/** What the Collector needs to name the lines of a draft that change. */
export interface ReviseReqDraftInput {
  idea: RoughIdea;
  /** As the caller describes them; none when the caller names none. */
  stakeholders: readonly Stakeholder[];
  rounds: readonly Round[];
  draft: string;
  findings: readonly Smell[];
}

function rejection(inbox: RoleInbox): Rejection | null {
  const report = inbox.takeIfAny("error_report");
  return report ? { draft: inbox.take("requirement_draft").content, report: report.content } : null;
}

export const proposeQuestionInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
  round: number,
  options: Options,
): ProposeQuestionInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  stories: stories(inbox),
  rounds: rounds(inbox),
  round,
  rounds_planned: options.qa_rounds,
  rejection: rejection(inbox),
});

export const writeReqDraftInput = (
  inbox: RoleInbox,
  stakeholders: readonly Stakeholder[],
  options: Options,
): WriteReqDraftInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  template: options.draft_template ?? (options.profile === "paper" ? paperDraftTemplate : defaultDraftTemplate),
  criteria: inbox.take("acceptance_criteria").content.criteria,
  stories: stories(inbox),
  rounds: answeredRounds(inbox),
  rejection: rejection(inbox),
});

export const reviseReqDraftInput = (inbox: RoleInbox, stakeholders: readonly Stakeholder[]): ReviseReqDraftInput => ({
  idea: inbox.take("rough_idea").content,
  stakeholders,
  rounds: answeredRounds(inbox),
  draft: inbox.take("requirement_draft").content,
  findings: inbox.take("check_message").content.smells.filter(({ concerns }) => concerns !== "model"),
});
