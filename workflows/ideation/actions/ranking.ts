import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial } from "#workflow-kit/prompt-values";
import checkDuplicatePrompt from "../../../prompts/ideation/check_duplicate.md";
import checkIdeaPrompt from "../../../prompts/ideation/check_idea.md";
import checkNoveltyPrompt from "../../../prompts/ideation/check_novelty.md";
import expandIdeaPrompt from "../../../prompts/ideation/expand_idea.md";
import judgePairPrompt from "../../../prompts/ideation/judge_pair.md";
import scoreRubricPrompt from "../../../prompts/ideation/score_rubric.md";
import {
  checkSchema,
  duplicateSchema,
  judgmentSchema,
  noveltySchema,
  proposalSchema,
  rubricSchema,
  type Check,
  type Duplicate,
  type Judgment,
  type Novelty,
  type Proposal,
  type Rubric,
} from "../artifacts";
import type {
  CheckDuplicateInput,
  CheckIdeaInput,
  CheckNoveltyInput,
  ExpandIdeaInput,
  JudgePairInput,
  ScoreRubricInput,
} from "../inputs";
import {
  rehearseCheck,
  rehearseDuplicate,
  rehearseJudgment,
  rehearseNovelty,
  rehearseRubric,
} from "../rehearsal/ranking";
import { rehearseExpansion } from "../rehearsal/proposal";
import { ideaValues, paperValues } from "./prompt-values";
import { paperKey } from "../rules/papers";

export const expandIdea = defineAction<ExpandIdeaInput, Proposal>({
  name: "expand_idea",
  role: "proposer",
  kind: "proposal",
  summary: "Expands an idea into a proposal of seven sections, and says what is new compared with the nearest works.",
  prompt: expandIdeaPrompt,
  output: proposalSchema,
  // Only ideas need variety; a proposal elaborates its idea (Si et al. decode it greedily, up to 4,096 tokens).
  decoding: { temperature: 0 },
  variables: ({ topic, method, idea, papers }) => ({
    topic: escapeMaterial(topic),
    method: line(method),
    idea: ideaValues(idea),
    nearest: papers && {
      papers: papers.map((paper, index) => ({ key: paperKey(index), ...paperValues(paper) })),
    },
  }),
  check: ({ title, problem_statement, motivation, closest_work, proposed_method, fallback_plan }, { papers }) => [
    ...blanks([
      ["`title`", title],
      ["`problem_statement`", problem_statement],
      ["`motivation`", motivation],
      ["`proposed_method`", proposed_method],
      ["`fallback_plan`", fallback_plan],
    ]),
    ...closest_work
      .filter(({ paper }) => paper !== null && !(papers ?? []).some((_, index) => paperKey(index) === paper))
      .map(({ paper }) => `"${paper}" is not the id of one of the papers; write null for a work from memory.`),
  ],
  outcomes: ["proposal"],
  rehearse: (input, _outcome, feedback) => rehearseExpansion(input, feedback),
});

export const judgePair = defineAction<JudgePairInput, Judgment>({
  name: "judge_pair",
  role: "ranker",
  kind: "match_verdict",
  summary: "Says which of two was accepted, and why.",
  prompt: judgePairPrompt,
  output: judgmentSchema,
  variables: ({ topic, of, first, second, reasons }) => ({
    topic: escapeMaterial(topic),
    of,
    first: escapeMaterial(first),
    second: escapeMaterial(second),
    reasons,
  }),
  check: ({ reason }, { reasons }) => (reasons ? blanks([["`reason`", reason ?? ""]]) : []),
  outcomes: ["by_merit", "first", "second"],
  rehearse: (input, outcome) => rehearseJudgment(input, outcome),
});

export const scoreRubric = defineAction<ScoreRubricInput, Rubric>({
  name: "score_rubric",
  role: "ranker",
  kind: "rubric",
  summary: "Scores an idea or a proposal for originality, feasibility and clarity, 1 to 10.",
  prompt: scoreRubricPrompt,
  output: rubricSchema,
  variables: ({ topic, plan }) => ({ topic: escapeMaterial(topic), plan: escapeMaterial(plan) }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["scores"],
  rehearse: (input, _outcome, feedback) => rehearseRubric(input, feedback),
});

export const checkDuplicate = defineAction<CheckDuplicateInput, Duplicate>({
  name: "check_duplicate",
  role: "ranker",
  kind: "duplicate_verdict",
  summary: "Says whether two similar ideas are the same idea.",
  prompt: checkDuplicatePrompt,
  output: duplicateSchema,
  variables: ({ topic, one, other }) => ({
    topic: escapeMaterial(topic),
    one: ideaValues(one),
    other: ideaValues(other),
  }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["different", "same"],
  rehearse: (input, outcome, feedback) => rehearseDuplicate(input, outcome, feedback),
});

export const checkIdea = defineAction<CheckIdeaInput, Check>({
  name: "check_idea",
  role: "ranker",
  kind: "filter_verdict",
  summary: "Checks an idea for consistency, feasibility or significance.",
  prompt: checkIdeaPrompt,
  output: checkSchema,
  variables: ({ topic, method, criterion, idea }) => ({
    topic: escapeMaterial(topic),
    consistency: criterion === "consistency" && { method: line(method) },
    feasibility: criterion === "feasibility",
    significance: criterion === "significance",
    idea: ideaValues(idea),
  }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["pass", "fail"],
  rehearse: (input, outcome, feedback) => rehearseCheck(input, outcome, feedback),
});

export const checkNovelty = defineAction<CheckNoveltyInput, Novelty>({
  name: "check_novelty",
  role: "ranker",
  kind: "filter_verdict",
  summary: "Compares an idea with the papers nearest to it.",
  prompt: checkNoveltyPrompt,
  output: noveltySchema,
  variables: ({ topic, idea, papers }) => ({
    topic: escapeMaterial(topic),
    idea: ideaValues(idea),
    papers: papers.map((paper, index) => ({ key: paperKey(index), ...paperValues(paper) })),
  }),
  check: ({ matches, reason }, { papers }) => [
    ...matches
      .filter((id) => !papers.some((_, index) => paperKey(index) === id))
      .map((id) => `"${id}" is not the id of one of the papers.`),
    ...blanks([["`reason`", reason]]),
  ],
  outcomes: ["new", "known"],
  rehearse: (input, outcome, feedback) => rehearseNovelty(input, outcome, feedback),
});
