import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import checkDuplicatePrompt from "../../../prompts/ideation/check_duplicate.md";
import checkIdeaPrompt from "../../../prompts/ideation/check_idea.md";
import checkNoveltyPrompt from "../../../prompts/ideation/check_novelty.md";
import judgePairPrompt from "../../../prompts/ideation/judge_pair.md";
import scoreRubricPrompt from "../../../prompts/ideation/score_rubric.md";
import {
  checkSchema,
  duplicateSchema,
  judgmentSchema,
  noveltySchema,
  rubricSchema,
  type Check,
  type Duplicate,
  type Judgment,
  type Novelty,
  type Rubric,
} from "../artifacts";
import type {
  CheckDuplicateInput,
  CheckIdeaInput,
  CheckNoveltyInput,
  JudgePairInput,
  ScoreRubricInput,
} from "../inputs";
import { mockCheck, mockDuplicate, mockJudgment, mockNovelty, mockRubric } from "../mock/ranking";
import { coreValues, ideaValues, methodValue, paperValues } from "./prompt-values";
import { keyOf } from "../rules/papers";

export const judgePair = defineAction<JudgePairInput, Judgment>({
  name: "judge_pair",
  role: "ranker",
  kind: "match_verdict",
  summary: "Compares two by three questions, and says which was accepted.",
  prompt: judgePairPrompt,
  output: judgmentSchema,
  variables: ({ topic, of, venue, first, second, reasons }) => ({
    topic: escapeUntrusted(topic),
    of,
    venue: line(venue),
    first: escapeUntrusted(first),
    second: escapeUntrusted(second),
    reasons,
  }),
  check: ({ accepted: _, ...said }, { reasons }) =>
    reasons ? blanks(Object.entries(said).map(([name, text]) => [`\`${name}\``, text ?? ""] as const)) : [],
  outcomes: ["by_merit", "first", "second"],
  mock: (input, outcome) => mockJudgment(input, outcome),
});

export const scoreRubric = defineAction<ScoreRubricInput, Rubric>({
  name: "score_rubric",
  role: "ranker",
  kind: "rubric",
  summary: "Scores an idea or a proposal for originality, feasibility and clarity, 1 to 10.",
  prompt: scoreRubricPrompt,
  output: rubricSchema,
  variables: ({ topic, plan }) => ({ topic: escapeUntrusted(topic), plan: escapeUntrusted(plan) }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["scores"],
  mock: (input, _outcome, feedback) => mockRubric(input, feedback),
});

export const checkDuplicate = defineAction<CheckDuplicateInput, Duplicate>({
  name: "check_duplicate",
  role: "ranker",
  kind: "duplicate_verdict",
  summary: "Says whether two similar ideas are the same idea.",
  prompt: checkDuplicatePrompt,
  output: duplicateSchema,
  variables: ({ topic, one, other }) => ({
    topic: escapeUntrusted(topic),
    one: coreValues(one),
    other: coreValues(other),
  }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["different", "same"],
  mock: (input, outcome, feedback) => mockDuplicate(input, outcome, feedback),
});

export const checkIdea = defineAction<CheckIdeaInput, Check>({
  name: "check_idea",
  role: "ranker",
  kind: "filter_verdict",
  summary: "Checks an idea for consistency, feasibility or significance.",
  prompt: checkIdeaPrompt,
  output: checkSchema,
  variables: ({ topic, method, criterion, idea }) => ({
    topic: escapeUntrusted(topic),
    consistency: criterion === "consistency" && { method: methodValue(method) },
    feasibility: criterion === "feasibility",
    significance: criterion === "significance",
    idea: ideaValues(idea),
  }),
  check: ({ reason }) => blanks([["`reason`", reason]]),
  outcomes: ["pass", "fail"],
  mock: (input, outcome, feedback) => mockCheck(input, outcome, feedback),
});

export const checkNovelty = defineAction<CheckNoveltyInput, Novelty>({
  name: "check_novelty",
  role: "ranker",
  kind: "filter_verdict",
  summary: "Compares an idea with the papers nearest to it.",
  prompt: checkNoveltyPrompt,
  output: noveltySchema,
  variables: ({ topic, idea, papers }) => ({
    topic: escapeUntrusted(topic),
    idea: ideaValues(idea),
    papers: papers.map(paperValues),
  }),
  check: ({ matches, reason }, { papers }) => [
    ...matches
      .filter((id) => !papers.map(keyOf).includes(id))
      .map((id) => `"${id}" is not the id of one of the papers.`),
    ...blanks([["`reason`", reason]]),
  ],
  outcomes: ["new", "known"],
  mock: (input, outcome, feedback) => mockNovelty(input, outcome, feedback),
});
