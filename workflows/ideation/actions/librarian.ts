import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import scorePapersPrompt from "../../../prompts/ideation/score_papers.md";
import writeNoveltyQueriesPrompt from "../../../prompts/ideation/write_novelty_queries.md";
import writePaperQueryPrompt from "../../../prompts/ideation/write_paper_query.md";
import {
  noveltyQueriesSchema,
  paperQuerySchema,
  paperScoresSchema,
  type NextQuery,
  type NoveltyQueries,
  type PaperScores,
} from "../artifacts";
import type { ScorePapersInput, WriteNoveltyQueriesInput, WritePaperQueryInput } from "../inputs";
import { mockNoveltyQueries, mockPaperScores, mockQuery } from "../mock/librarian";
import { coreValues, paperValues } from "./prompt-values";
import { paperKey } from "../rules/papers";

export const scorePapers = defineAction<ScorePapersInput, PaperScores>({
  name: "score_papers",
  role: "librarian",
  kind: "paper_scores",
  summary: "Scores papers 1 to 10: about the topic, with a new method and experiments, and inspiring.",
  prompt: scorePapersPrompt,
  output: paperScoresSchema,
  variables: ({ topic, papers }) => ({
    topic: escapeUntrusted(topic),
    papers: papers.map(paperValues),
  }),
  check({ scores }, { papers }) {
    const scored = new Set(scores.map(({ paper }) => paper));
    return papers
      .map((_, index) => paperKey(index))
      .filter((key) => !scored.has(key))
      .map((key) => `Paper ${key} has no score.`);
  },
  outcomes: ["scores"],
  mock: (input, _outcome, feedback) => mockPaperScores(input, feedback),
});

export const writePaperQuery = defineAction<WritePaperQueryInput, NextQuery>({
  name: "write_paper_query",
  role: "librarian",
  kind: "paper_query",
  summary: "Writes the next query: search words, papers similar to one, or references of one.",
  prompt: writePaperQueryPrompt,
  output: paperQuerySchema,
  variables: ({ topic, best, queries }) => ({
    topic: escapeUntrusted(topic),
    best: best.map(paperValues),
    queries: queries.map(line),
  }),
  check: ({ kind, text }, { best }) => [
    ...blanks([["`text`", text]]),
    ...(kind !== "keyword" && !best.some((_, index) => paperKey(index) === text)
      ? [`"${text}" is not the id of a paper that is listed. Take one of those, or write a keyword query.`]
      : []),
  ],
  outcomes: ["keyword", "recommendations", "references"],
  mock: (input, outcome, feedback) => mockQuery(input, outcome, feedback),
});

export const writeNoveltyQueries = defineAction<WriteNoveltyQueriesInput, NoveltyQueries>({
  name: "write_novelty_queries",
  role: "librarian",
  kind: "novelty_queries",
  summary: "Writes queries on the mechanism and the problem of an idea, for work that may have published it.",
  prompt: writeNoveltyQueriesPrompt,
  output: noveltyQueriesSchema,
  variables: ({ topic, idea }) => ({ topic: escapeUntrusted(topic), idea: coreValues(idea) }),
  check: ({ queries }) => blanks(queries.map((query, index) => [`Query ${index + 1}`, query] as const)),
  outcomes: ["queries"],
  mock: (input, _outcome, feedback) => mockNoveltyQueries(input, feedback),
});
