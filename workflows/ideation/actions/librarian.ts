import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial } from "#workflow-kit/prompt-values";
import scorePapersPrompt from "../../../prompts/ideation/score_papers.md";
import writePaperQueryPrompt from "../../../prompts/ideation/write_paper_query.md";
import { paperQuerySchema, paperScoresSchema, type NextQuery, type PaperScores } from "../artifacts";
import type { ScorePapersInput, WritePaperQueryInput } from "../inputs";
import { rehearsePaperScores, rehearseQuery } from "../rehearsal/librarian";
import { paperValues } from "./prompt-values";
import { paperKey } from "../rules/papers";

export const scorePapers = defineAction<ScorePapersInput, PaperScores>({
  name: "score_papers",
  role: "librarian",
  kind: "paper_scores",
  summary: "Scores papers 1 to 10: about the topic, with a new method and experiments, and inspiring.",
  prompt: scorePapersPrompt,
  output: paperScoresSchema,
  variables: ({ topic, papers }) => ({
    topic: escapeMaterial(topic),
    papers: papers.map((paper, index) => ({ key: paperKey(index), ...paperValues(paper) })),
  }),
  check({ scores }, { papers }) {
    const scored = new Set(scores.map(({ paper }) => paper));
    return papers
      .map((_, index) => paperKey(index))
      .filter((key) => !scored.has(key))
      .map((key) => `Paper ${key} has no score.`);
  },
  outcomes: ["scores"],
  rehearse: (input, _outcome, feedback) => rehearsePaperScores(input, feedback),
});

export const writePaperQuery = defineAction<WritePaperQueryInput, NextQuery>({
  name: "write_paper_query",
  role: "librarian",
  kind: "paper_query",
  summary: "Writes the next query: search words, papers similar to one, or references of one.",
  prompt: writePaperQueryPrompt,
  output: paperQuerySchema,
  variables: ({ topic, best, queries }) => ({
    topic: escapeMaterial(topic),
    best: best.map((paper, index) => ({ key: paperKey(index), ...paperValues(paper) })),
    queries: queries.map(line),
  }),
  check: ({ kind, text }, { best }) => [
    ...blanks([["`text`", text]]),
    ...(kind !== "keyword" && !best.some((_, index) => paperKey(index) === text)
      ? [`"${text}" is not the id of a paper that is listed. Take one of those, or write a keyword query.`]
      : []),
  ],
  outcomes: ["keyword", "recommendations", "references"],
  rehearse: (input, outcome, feedback) => rehearseQuery(input, outcome, feedback),
});
