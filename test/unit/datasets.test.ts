/** Our own samples under `datasets/`: their form, and their gold, which is computed or looked up again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createDocumentSchema } from "#services/corpora/requests";
import { type DatasetItem, itemSchema } from "#workflow-kit/datasets";
import { type FunctionSpec, readCalls } from "#workflow-kit/functions";
import { workflows } from "../../workflows";
import { allows, metamodelOf } from "../../workflows/requirements/rules/metamodels";

const linesOf = (name: string): unknown[] =>
  readFileSync(join(import.meta.dirname, "../../datasets", `${name}.ndjson`), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const itemsOf = (name: string): DatasetItem[] => linesOf(name).map((line) => itemSchema.parse(line));

const SAMPLES: Record<string, [workflow: string, items: number]> = {
  mgsm: ["waterfall", 20],
  bfcl: ["waterfall", 20],
  "mt-bench": ["waterfall", 10],
  oab: ["debate", 20],
  "mmlu-law": ["debate", 14],
  ideation: ["ideation", 3],
  requirements: ["requirements", 5],
};

describe.each(Object.entries(SAMPLES))("%s", (name, [workflow, count]) => {
  test("items fit the item schema and their workflow, and plain takes their input; ids are unique", () => {
    const items = itemsOf(name);
    expect(items).toHaveLength(count);
    expect(new Set(items.map(({ id }) => id)).size).toBe(count);
    for (const item of items) {
      expect(workflows[workflow as keyof typeof workflows].input.safeParse(item.input).error, item.id).toBeUndefined();
      expect(
        workflows[workflow as keyof typeof workflows].options.safeParse(item.options ?? {}).error,
        item.id,
      ).toBeUndefined();
      expect(workflows.plain.input.safeParse(item.input).error, item.id).toBeUndefined();
    }
  });
});

/** Each school problem as arithmetic, apart from its text. */
const ARITHMETIC: Record<string, () => number> = {
  tram: () => 14 + 9 - 5 + 2 * 5 - 8,
  rope: () => 750 % 60,
  "late-book": () => 7 * 10 + (17 - 7) * 25,
  rolls: () => Math.floor((2000 - 200) / (450 / 6)),
  fence: () => (84 / 3.5 + 1) * 12,
  express: () => ((60 * 0.5) / (90 - 60)) * 60,
  coat: () => 120 * 1.25 * 0.8 * 0.9,
  "fifth-test": () => (8 * 6 - 4 * 7.5) / 2,
  "page-numbers": () => Array.from({ length: 137 }, (_, page) => `${page + 1}`).join("").length,
  chess: () => ((9 * 8) / 2) * 2 - 1,
  tank: () => 900 / (900 / 30 + 900 / 45 - 5),
  niece: () => 3 * Array.from({ length: 100 }, (_, age) => age).find((age) => 3 * age + 8 === 2 * (age + 8))!,
  choir: () => 18 + 15 - (30 - 4),
  coins: () => Array.from({ length: 18 }, (_, fifty) => fifty).find((n) => 50 * n + 20 * (17 - n) === 550)!,
  lift: () => Math.floor((630 - 8 * 71) / 18),
  "third-monday": () => {
    // 2026 is such a year.
    expect(new Date(Date.UTC(2026, 2, 12)).getUTCDay()).toBe(4);
    const april = Array.from({ length: 30 }, (_, day) => day + 1);
    return april.filter((day) => new Date(Date.UTC(2026, 3, day)).getUTCDay() === 1)[2]!;
  },
  "water-bill": () => 18 + 20 * 1.5 + 15 * 2.2 + (41 - 20 - 15) * 3,
  milk: () => (18 - Math.floor(18 / 4)) * 1.2,
  path: () => (12 + 3) * (9 + 3) - 12 * 9,
  printers: () => 4 + (1300 - 400) / ((400 / 4 / 5) * 3),
};

test("mgsm: every gold number is the value of its arithmetic", () => {
  const gold = Object.fromEntries(itemsOf("mgsm").map(({ id, gold: { number } = {} }) => [id, number]));
  const computed = Object.entries(ARITHMETIC).map(([name, value]) => [`school-${name}`, value()] as const);
  expect(Object.keys(gold)).toHaveLength(computed.length);
  for (const [id, value] of computed) expect(gold[id], id).toBeCloseTo(value, 9);
});

test("bfcl: every accepted value fits the function's schema, and an argument that may be left out is not required", () => {
  for (const { id, options, gold } of itemsOf("bfcl")) {
    const functions = workflows.waterfall.options.parse(options) as { functions: FunctionSpec[] };
    for (const { name, arguments: accepted } of gold!.calls!) {
      const values = Object.entries(accepted).map(([key, list]) => [key, list.filter((one) => one !== "")] as const);
      const most = Math.max(1, ...values.map(([, list]) => list.length));
      for (let nth = 0; nth < most; nth++) {
        const given = Object.fromEntries(values.map(([key, list]) => [key, plainValue(list[nth % list.length])]));
        expect(readCalls([{ name, arguments: given }], functions.functions).errors, id).toEqual([]);
      }
      const least = Object.fromEntries(
        values.flatMap(([key, list]) => (accepted[key]!.includes("") ? [] : [[key, plainValue(list[0])]])),
      );
      expect(readCalls([{ name, arguments: least }], functions.functions).errors, id).toEqual([]);
    }
  }
  const none = itemsOf("bfcl").filter(({ gold }) => gold!.calls!.length === 0);
  expect(none).toHaveLength(2);
});

/** Of an accepted object, each name holds its own accepted values. */
const plainValue = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, list]) => [key, list[0]]))
    : value;

test("oab: the articles are documents, and every authority is one of them", () => {
  const documents = linesOf("oab-corpus").map((line) => createDocumentSchema.parse(line));
  const ids = documents.map(({ external_id }) => external_id);
  expect(new Set(ids).size).toBe(40);
  expect(new Set(documents.map(({ source }) => source)).size).toBe(40);
  for (const { id, gold } of itemsOf("oab"))
    for (const authority of gold!.authorities!) expect(ids, id).toContain(authority);
});

test.each(["oab", "mmlu-law"])(
  "%s: every right choice is one of the choices, and no letter is right too often",
  (name) => {
    const items = itemsOf(name);
    const right = items.map(({ id, input, gold }) => {
      const labels = (input.choices as { label: string }[]).map(({ label }) => label);
      expect(labels, id).toContain(gold!.choice);
      return gold!.choice;
    });
    for (const letter of new Set(right))
      expect(right.filter((one) => one === letter).length).toBeLessThanOrEqual(Math.ceil(items.length / 3));
  },
);

test("requirements: gold models use the types of their metamodel, and relations join entities that it allows", () => {
  for (const { id, options, gold } of itemsOf("requirements")) {
    const metamodel = metamodelOf(workflows.requirements.options.parse(options ?? {}) as never);
    const { entities, relations } = gold!.model!;
    const types = new Map(entities.map(({ name, type }) => [name, type]));
    expect(types.size, id).toBe(entities.length);
    for (const type of types.values()) expect(metamodel.entity_types.map(({ name }) => name)).toContain(type);
    for (const { type, from, to } of relations) {
      const relation = metamodel.relation_types.find(({ name }) => name === type);
      expect(relation && allows(relation, types.get(from)!, types.get(to)!), `${id}: ${from} ${type} ${to}`).toBe(true);
    }
  }
});
