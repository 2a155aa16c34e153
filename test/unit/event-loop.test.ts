/**
 * No text that a caller, a model or a provider controls blocks the event loop: each entry point gets its worst input of the largest size
 * that it takes. What counts is the time on the processor, so that a busy machine changes nothing, and the best of three measurements.
 */
import { scheduler } from "node:timers/promises";
import { afterAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { renderMarkdown } from "#api/http/answer-page/markdown";
import { placeErrors, placesOf } from "#api/http/answer-page/field-errors";
import { validationProblem } from "#services/fields/field-errors";
import { formFields } from "#services/interactions/form-fields";
import { readAnswer } from "#services/interactions/read-answer";
import { readForm } from "#services/interactions/read-form";
import { indexPassages } from "#retrieval/index-passages";
import { queryTerms } from "#retrieval/terms";
import { isForeign } from "#core/jurisdiction";
import { nameKey } from "#agents/name-key";
import { inline, paragraphs, prose, quotation, subdocument } from "#workflow-kit/markdown";
import { plain } from "#workflow-kit/text";
import { cleanLabel, wrap } from "#workflow-kit/drawing";
import { readReply } from "#workflows/plain/rules/answer";
import { responseOf } from "#workflows/waterfall/rules/answer";
import { assumptionsOf, idLines, modelText, withoutSources, wordsOf } from "#workflows/requirements/rules/draft-lines";
import { applyRewordings } from "#workflows/requirements/rules/rewordings";
import { normalized } from "#workflows/requirements/rules/requirement-model";
import { comparableName } from "#workflows/experiment/rules/metrics/models";
import { ideaNameKey } from "#workflows/ideation/rules/names";
import { letters } from "#workflows/ideation/rules/criticisms";
import { trialsCsv } from "#workflows/experiment/reports/csv";
import type { TrialResult } from "#workflows/experiment/rules/trials";
import { textError } from "#retrieval/text-errors";
import { snippetOf } from "#retrieval/snippet";
import { escapeUntrusted } from "#workflow-kit/prompt-values";
import { programOf, pseudocodeOf } from "#workflows/waterfall/rules/program";
import type { DocumentRow } from "#store/rows";
import type { Store } from "#store/store";

/** Longest time that one request may keep the others waiting. Milliseconds. */
const BOUND = 250;

vi.stubGlobal("scheduler", scheduler);
afterAll(() => vi.unstubAllGlobals());

const processorTime = () => process.threadCpuUsage().user / 1000;

/** The longest time without a turn for others. Milliseconds. */
async function longestBlock(work: () => unknown): Promise<number> {
  let longest = 0;
  let since = processorTime();
  const turn = () => {
    const now = processorTime();
    longest = Math.max(longest, now - since);
    since = now;
  };
  const timer = setInterval(turn, 0);
  await work();
  turn();
  clearInterval(timer);
  return longest;
}

async function expectNoBlock(work: () => unknown): Promise<void> {
  let best = Infinity;
  for (let n = 0; n < 3 && best > BOUND; n++) best = Math.min(best, await longestBlock(work));
  expect(best).toBeLessThan(BOUND);
}

const BR = { language: "pt", jurisdiction: "BR" };

/** Documents of a corpus: 20 MiB. */
const DOCUMENT = 20 * 1024 * 1024;

/** A document that is indexed from one of its passages on, by a store that keeps nothing. */
function corpusOf(text: string, passages: number) {
  const document = { id: "doc_1", ...BR, title: null, source: "a.txt", passages } as DocumentRow;
  let last = false;
  const store = {
    documents: { unindexed: () => (last ? [] : [document]), text: () => text },
    passages: {
      add: (_: number, [work]: { passages: unknown[]; last: boolean }[]) => {
        document.passages += work!.passages.length;
        ({ last } = work!);
      },
    },
  } as unknown as Store;
  return { store, isDone: () => last };
}

describe("a document of 20 MiB", () => {
  test.each<[string, string, number]>([
    ["blanks between two words", `lei${" ".repeat(DOCUMENT)}x`, 0],
    ["blank lines between two words", `lei${"\n".repeat(DOCUMENT)}x`, 0],
    ["one word", "a".repeat(DOCUMENT), 0],
    ["one letter with marks", `法${"\u0301\u0316".repeat(DOCUMENT / 4)}`, 0],
    ["one line of sentences", "A sentence of some words. ".repeat(DOCUMENT / 26), 0],
    ["one line of full stops", ". ".repeat(DOCUMENT / 2), 0],
    ["lines of one letter", "a\n".repeat(DOCUMENT / 2), 0],
    ["lines of one letter, continued after a restart", "a\n".repeat(DOCUMENT / 2), 4000],
    [
      "articles of one letter under long titles",
      `${"######".replaceAll(/#/g, (_, at: number) => `${"#".repeat(at + 1)} ${"t ".repeat(100)}\n`)}${"art 1\n".repeat(DOCUMENT / 6)}`,
      0,
    ],
    ["laws without numbers", "lei n ".repeat(DOCUMENT / 6), 0],
  ])("of %s is indexed in steps", async (_, text, from) => {
    const { store, isDone } = corpusOf(text, from);
    for (let step = 0; step < 5 && !isDone(); step++) await expectNoBlock(() => indexPassages(store, 1));
  });
});

test("two hundred documents of 5,000 characters are indexed in steps", async () => {
  const documents = Array.from({ length: 200 }, (_, n) => ({
    id: `doc_${n}`,
    ...BR,
    title: null,
    source: "a.txt",
    passages: 0,
  }));
  const added: string[] = [];
  const store = {
    documents: {
      unindexed: () => documents.filter(({ id }) => !added.includes(id)) as DocumentRow[],
      text: () => "lei n art. 5 word. ".repeat(263),
    },
    passages: {
      add: (_: number, work: { document_id: string; last: boolean }[]) => {
        added.push(...work.filter(({ last }) => last).map(({ document_id }) => document_id));
        expect(work.length).toBeLessThan(30);
      },
    },
  } as unknown as Store;
  await expectNoBlock(() => indexPassages(store, 1));
  while (await indexPassages(store, 1));
  expect(added).toHaveLength(200);
});

/** Queries of searches. Characters. */
const QUERY = 20_000;

test.each<[string, string]>([
  ["blanks after the word for a law", `lei${" ".repeat(QUERY)}`],
  ["one letter with marks", `a${"\u0301\u0316".repeat(QUERY / 2)}`],
])("a query of %s", async (_, query) => {
  await expectNoBlock(() => queryTerms(query, [BR]));
});

test("a query in a corpus of three thousand languages and jurisdictions", async () => {
  const locales = Array.from({ length: 3000 }, (_, n) => ({ language: `x${n}`, jurisdiction: `BR-${n}` }));
  await expectNoBlock(() => queryTerms("lei word ".repeat(QUERY / 9), locales));
});

test("the snippets of a hundred passages", async () => {
  const passage = "a.".repeat(5000);
  await expectNoBlock(() => {
    const wanted = new Set(
      queryTerms(
        "a word ".repeat(QUERY / 7),
        Array.from({ length: 100 }, () => BR),
      ),
    );
    for (let n = 0; n < 100; n++) snippetOf(passage, wanted, "pt");
  });
});

/** Answers of models: 200,000 characters. */
const ANSWER = 200_000;

test.each<[string, (text: string) => unknown, string]>([
  ["fences, read as a program", programOf, "```x\n"],
  ["closed fences, read as a program", programOf, "```\n"],
  ["fences, read as pseudocode", pseudocodeOf, "```x\n"],
  ["fences and line breaks", pseudocodeOf, "```x\n\n\n\n"],
  ["openings of tags", escapeUntrusted, "<"],
  ["blanks after an opening", escapeUntrusted, "<      /     "],
  ["unseen characters", escapeUntrusted, "\u200b"],
])("a model's text of %s", async (_, read, pattern) => {
  await expectNoBlock(() => read(pattern.repeat(ANSWER / pattern.length)));
  await expectNoBlock(() => read(`<${pattern[0]!.repeat(ANSWER)}`));
});

/** What reads a text of a model or a caller, whatever it is. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  prose,
  paragraphs,
  subdocument,
  inline,
  quotation,
  plain: (text) => plain(text),
  isForeign: (text) => isForeign(text, text),
  nameKey,
  programOf,
  pseudocodeOf,
  escapeUntrusted,
  responseOf: (text) => responseOf(text, []),
  readReply: (text) =>
    readReply(text, {
      form: "json",
      labels: null,
      functions: [{ name: "f", description: "", parameters: { type: "object" } }],
    }),
  wordsOf,
  assumptionsOf,
  modelText,
  withoutSources,
  idLines: (text) => idLines(text),
  applyRewordings: (text) => applyRewordings(text, text, []),
  entityName: normalized,
  comparableName,
  ideaNameKey,
  letters,
  cleanLabel: (text) => wrap(cleanLabel(text, 400), 200, 12),
  trialsCsv: (text) =>
    trialsCsv({ results: [{ answer: text, error: null, usage: {}, scores: {} } as TrialResult], measures: [] }),
  textError: (text) => textError(text),
};
const SHAPES: Readonly<Record<string, string>> = {
  blanks: " ",
  "blank lines": "\n",
  "an id and blanks": "R1 x \n ",
  digits: "1",
  backslashes: "\\",
  points: ".",
  brackets: "[",
  "closed brackets": "[] ",
  parentheses: "(",
  marks: " (a, A1)",
  "sources and marks": " [I1] (a, A1)",
  rewordings: "[[R1 = a ",
  fences: "```x\n",
  "fences in a line": "a```",
  "combining marks": "\u0301\u0316",
  "opened tags": "<",
  semicolons: ";",
};
describe.each(Object.entries(SHAPES))("a text of %s", (_, shape) => {
  test.each(Object.entries(READERS))("is read at once by %s", async (_name, read) => {
    const repeated = shape.repeat(ANSWER / shape.length);
    await expectNoBlock(() => {
      for (const text of [`R1 x${repeated}x`, `[[R1 = ${repeated}x`])
        try {
          read(text);
        } catch {
          // What cannot be read is refused.
        }
    });
  });
});

/** Forms: 10,000 fields, 1 MiB. */
const FIELDS = 10_000;

describe("a form", () => {
  const entry = z.strictObject({ title: z.string().max(20), url: z.string().max(20).nullable() });
  const additions = z.strictObject(
    Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`list${n}`, z.array(entry)])),
  );
  const row = {
    kind: "approval" as const,
    questions: "[]",
    answer_schema: JSON.stringify(z.toJSONSchema(z.strictObject({ additions }), { io: "input" })),
  };
  const named = (nameOf: (n: number) => string) =>
    new URLSearchParams(Array.from({ length: FIELDS }, (_, n) => [nameOf(n), "x"]));

  test.each<[string, URLSearchParams]>([
    ["entries of one list", named((n) => `additions[list0][${n}][title]`)],
    ["entries of all lists", named((n) => `additions[list${n % 20}][${n}][${n % 2 ? "title" : "url"}]`)],
    ["fields that nobody asked for", named((n) => `unknown${n}`)],
    ["one name many times", named(() => "additions[list0][0][title]")],
    ["a name of a million brackets", new URLSearchParams([["additions" + "[0]".repeat(300_000), "x"]])],
  ])("of %s is read, judged and shown", async (_, form) => {
    await expectNoBlock(() => {
      const parsed = readForm(row, form);
      const answer = readAnswer(row, parsed);
      if ("errors" in answer)
        placeErrors(validationProblem(answer.errors).errors, placesOf(formFields(row), parsed.body));
    });
  });
});

/** Markdown of a model: 40,000 characters. Each pattern repeated once took seconds or minutes. */
describe("Markdown on the answer page", () => {
  const PATTERNS = [
    ["a\n=\n"],
    ["![", "](a)"],
    ["[", "](a)"],
    ["]"],
    ["]\n]"],
    ["1. > - a\n"],
    ["1. > - a\n\n"],
    ["1. "],
    ["~~a~b"],
    ["~:>", "]"],
    ["_*"],
    ["*<", ">*"],
    ["\\```"],
    ["- a\n"],
    ["- a\n\n\n"],
    ["|a|b|\n|-|-|\n"],
    ["[^a]: b\n\n[^a]\n\n"],
    ["- [ ] a\n  b\n"],
    ["# a\n"],
    ["a\n\n"],
    ["www.a.b "],
    ["a@b.c "],
    ["word "],
    ["\n"],
  ];
  test.each(PATTERNS)("of %j is rendered with turns for others, or shown as source", async (...pattern) => {
    const [one, other = ""] = pattern as [string, string?];
    const lengths = [2_000, 40_000];
    for (const length of lengths) {
      const times = Math.floor(length / (one.length + other.length));
      await expectNoBlock(() => renderMarkdown(one.repeat(times) + other.repeat(times), "a"));
    }
  });
});
