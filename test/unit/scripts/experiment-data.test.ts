import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { itemSchema } from "#workflow-kit/datasets";
import { createDocumentSchema } from "#services/corpora/requests";
import { loadData } from "../../../scripts/experiment/data.ts";
import { KINDS } from "../../../scripts/experiment/kinds.ts";
import { workflows } from "../../../workflows";
import { sharedPath } from "../../support/shared";

const made: string[] = [];
afterEach(() => made.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

/** A folder with these files. */
function folderWith(files: Record<string, unknown[] | object | string>): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-sets-"));
  made.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    const text = Array.isArray(content)
      ? content.map((line) => `${JSON.stringify(line)}\n`).join("")
      : typeof content === "string"
        ? content
        : JSON.stringify(content);
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const kindOf = (name: string) => KINDS.find((kind) => kind.name === name)!;
const load = (name: string, files: Parameters<typeof folderWith>[0]) => loadData(kindOf(name), folderWith(files));

describe.each(KINDS.map((kind) => [kind.name, kind] as const))("%s", (name, kind) => {
  const expectUsable = ({ items, documents = [] }: { items: any[]; documents?: any[] }) => {
    const { input, options } = workflows[kind.workflow as keyof typeof workflows];
    for (const line of items) {
      const item = itemSchema.parse(line);
      expect(input.safeParse(item.input).error, item.id).toBeUndefined();
      expect(options.safeParse(item.options ?? {}).error, item.id).toBeUndefined();
    }
    const ids = documents.map((document) => createDocumentSchema.parse(document).external_id);
    for (const { id, gold } of items)
      for (const authority of gold?.authorities ?? []) expect(ids, `${id}: ${authority}`).toContain(authority);
  };

  test("without a folder our sample is loaded, and the data say so", () => {
    const data = loadData(kind);
    expect(data.is_sample).toBe(true);
    expectUsable(data);
  });

  const shared = sharedPath("data");
  test.skipIf(!shared)("the published set beside the repository fits the workflow, with its source and licence", () => {
    const data = loadData(kind, shared!);
    expect(data.is_sample).toBe(false);
    expect(data.source).toContain(kind.published.licence);
    expectUsable(data);
  });

  test("its variants are requests that their workflows take", () => {
    for (const { workflow, options } of [...kind.variants, ...(kind.further ?? [])])
      expect(workflows[workflow as keyof typeof workflows].options.safeParse(options ?? {}).error).toBeUndefined();
  });

  test("a folder without such a set is refused, with the files that are read", () => {
    const empty = folderWith({});
    expect(() => loadData(kind, empty)).toThrow(
      expect.objectContaining({ exit: 2, message: expect.stringContaining(`${name}.ndjson in our form`) }),
    );
  });
});

test("a folder in our form comes first, with its corpus; an empty or broken file is named", () => {
  const items = [{ id: "a", input: { question: "?" } }];
  expect(load("oab", { "oab.ndjson": items, "oab-corpus.ndjson": [{ text: "t" }] })).toMatchObject({
    items,
    documents: [{ text: "t" }],
    is_sample: false,
  });
  expect(() => load("mgsm", { "mgsm.ndjson": "" })).toThrow(/mgsm\.ndjson is empty\. Write an item a line\./);
  expect(() => load("mgsm", { "mgsm.ndjson": '{"id": "a"}\n{"id"' })).toThrow(/mgsm\.ndjson, line 2, is no JSON/);
  expect(() => loadData(kindOf("mgsm"), "/nowhere/at/all")).toThrow(/There is no folder \/nowhere\/at\/all/);
});

test("mgsm: the publishers' table, with thousands separators", () => {
  const { items } = load("mgsm", { "mgsm/mgsm_en.tsv": 'How much is "a" lot?\t1,250\nHow many?\t7\r\n' });
  expect(items).toEqual([
    { id: "mgsm_en_000", input: { requirement: 'How much is "a" lot?' }, gold: { number: 1250 } },
    { id: "mgsm_en_001", input: { requirement: "How many?" }, gold: { number: 7 } },
  ]);
});

const parameters = { type: "dict", properties: { litres: { type: "float" } }, required: ["litres"] };
const row = {
  id: "parallel_0",
  question: [[{ role: "user", content: "Fill both." }]],
  function: [{ name: "fill", description: "Fills.", parameters }],
};

test("bfcl: requests are joined with possible answers, those without one are left out, and categories take turns", () => {
  const { items } = load("bfcl", {
    "BFCL_v4_parallel.json": [row, { ...row, id: "parallel_1" }, { ...row, id: "parallel_2" }],
    "possible_answer/BFCL_v4_parallel.json": [
      { id: "parallel_0", ground_truth: [{ fill: { litres: [2] } }, { fill: { litres: [3, ""] } }] },
      { id: "parallel_2", ground_truth: [] },
    ],
    "BFCL_v3_irrelevance.json": [{ ...row, id: "irrelevance_0" }],
  });
  expect(items.map(({ id, gold, tags }: any) => [id, gold.calls, tags])).toEqual([
    [
      "parallel_0",
      [
        { name: "fill", arguments: { litres: [2] } },
        { name: "fill", arguments: { litres: [3, ""] } },
      ],
      ["parallel"],
    ],
    ["irrelevance_0", [], ["irrelevance"]],
    ["parallel_2", [], ["parallel"]],
  ]);
  expect(() => load("bfcl", { "BFCL_v4_parallel.json": [row] })).toThrow(
    /possible_answer\/BFCL_v4_parallel\.json is missing/,
  );
});

test("mt-bench: a second turn is an item where a reference says what was answered first", () => {
  const questions = [1, 2].map((question_id) => ({
    question_id,
    category: "math",
    turns: [`first ${question_id}`, "second"],
  }));
  const { items } = load("mt-bench", {
    "question.jsonl": questions,
    "reference_answer/gpt-4.jsonl": [{ question_id: 2, choices: [{ turns: ["four", "five"] }] }],
  });
  expect(items.map(({ id, input, gold }: any) => [id, input.context ?? null, gold?.reference ?? null])).toEqual([
    ["mt_bench_1_1", null, null],
    ["mt_bench_2_1", null, "four"],
    ["mt_bench_2_2", "The dialogue so far:\n\nUser: first 2\n\nAssistant: four", "five"],
  ]);
});

test("mmlu-law: MMLU's tables, with quoted cells; choices that say the same are one", () => {
  const { items } = load("mmlu-law", {
    "data/test/jurisprudence_test.csv": '"What is ""law"", then?",One,"Two, or so",one ,Four,B\n',
  });
  expect(items).toEqual([
    {
      id: "jurisprudence_1",
      input: {
        question: 'What is "law", then?',
        choices: [
          { label: "A", text: "One" },
          { label: "B", text: "Two, or so" },
          { label: "D", text: "Four" },
        ],
        language: "en",
      },
      gold: { choice: "B" },
      tags: ["jurisprudence"],
    },
  ]);
});

test("ideation: the publishers' paper bank of each topic, without papers that have no abstract", () => {
  const paper_bank = [
    { title: "One", abstract: "It works.", year: 2023 },
    { title: "Two", abstract: null },
  ];
  const { items } = load("ideation", {
    "math_prompting_method.json": { topic_description: "ways to count", paper_bank },
  });
  expect(items).toEqual([
    {
      id: "topic_math",
      input: { topic: "ways to count", papers: [{ title: "One", abstract: "It works.", year: 2023 }] },
    },
  ]);
});

test("requirements: an interface between domains becomes an interface of each with what they share", () => {
  const gold = {
    machine_domain: ["pump control"],
    physical_device: ["pump"],
    shared_phenomena: ["pump on"],
    relations: [{ type: "interface", from: "pump control", to: "pump", phenomenon: "pump on" }],
  };
  const { items } = load("requirements", {
    "cases.jsonl": [{ id: "P", name: "Pump", model: "problem", description: "A pump.", gold }],
  });
  expect(items[0]).toMatchObject({
    options: { model_kind: "problem" },
    gold: {
      model: {
        entities: [
          { name: "pump control", type: "machine_domain" },
          { name: "pump", type: "physical_device" },
          { name: "pump on", type: "shared_phenomena" },
        ],
        relations: [
          { type: "interface", from: "pump on", to: "pump control" },
          { type: "interface", from: "pump on", to: "pump" },
        ],
      },
    },
  });
});
