import { expect, test } from "vitest";
import type { ValidateChild } from "#workflow-kit/children";
import type { DatasetItem } from "#workflow-kit/datasets";
import { inputSchema, optionsSchema } from "#workflows/experiment/contract";
import { datasetErrors, requestErrors } from "#workflows/experiment/inputs/errors";

const VARIANTS = [
  { name: "one", workflow: "plain" },
  { name: "two", workflow: "plain", options: { form: "text" } },
];
const ITEMS: DatasetItem[] = ["q1", "q2", "q3"].map((id) => ({ id, input: { question: id }, gold: { choice: "A" } }));

const errorsOf = (
  { input = {}, options = {}, items = ITEMS }: { input?: object; options?: object; items?: DatasetItem[] },
  check: ValidateChild = async () => [],
) =>
  datasetErrors(
    {
      input: inputSchema.parse({ dataset_id: "dst_1", variants: VARIANTS, ...input }),
      options: optionsSchema.parse(options),
    },
    { id: "dst_1", name: "n", workflow: "plain", content_hash: "h", items },
    check,
  );
const pathsOf = async (...given: Parameters<typeof errorsOf>) => (await errorsOf(...given)).map(({ path }) => path);

test("an error of an option that every item shows is the variant's alone", async () => {
  const check: ValidateChild = async ({ options }) =>
    options ? [{ path: "options.form", code: "invalid_value", message: "No such form." }] : [];
  expect(await errorsOf({}, check)).toEqual([
    { path: "input.variants.1.options.form", code: "invalid_value", message: "No such form." },
  ]);
});

test("an error that some items show names them, and an error of an item's own option is the item's", async () => {
  const items = [{ ...ITEMS[0]!, options: { form: "song" } }, ITEMS[1]!, ITEMS[2]!];
  const check: ValidateChild = async ({ input, options }) => [
    ...((options as any)?.form === "song" ? [{ path: "options.form", code: "c", message: "No such form." }] : []),
    ...((input as any).question === "q2" ? [{ path: "options.rounds", code: "c", message: "It is open." }] : []),
  ];
  const one = { input: { variants: [VARIANTS[0]] }, items };
  expect(await errorsOf(one, check)).toEqual([
    { path: "dataset.q1.options.form", code: "c", message: "No such form." },
    { path: "input.variants.0.options.rounds", code: "c", message: "It is open. So it is for q2." },
  ]);
});

test("the same error of an item's input is named once for all variants of a workflow", async () => {
  const check: ValidateChild = async () => [{ path: "input.topic", code: "required", message: "Required." }];
  expect(await pathsOf({}, check)).toEqual(["q1", "q2", "q3"].map((id) => `dataset.${id}.input.topic`));
});

test("the first items and a random sample exclude each other", () => {
  const both = inputSchema.safeParse({ dataset_id: "d", variants: VARIANTS, first: 2, sample: { size: 2 } });
  expect(both.error!.issues).toMatchObject([{ path: ["sample"], message: "Give `first` or `sample`, not both." }]);
});

test("only items that are chosen are checked", async () => {
  const seen: unknown[] = [];
  const check: ValidateChild = async ({ input }) => (seen.push((input as any).question), []);
  const tagged = ITEMS.map((item, index) => ({ ...item, tags: index === 0 ? ["x"] : ["y"] }));
  await errorsOf({ input: { tags: ["y"], first: 1, variants: [VARIANTS[0]] }, items: tagged }, check);
  expect(seen).toEqual(["q2"]);
  expect(await pathsOf({ input: { tags: ["z"] }, items: tagged })).toEqual(["input.tags.0", "input"]);
  expect(await pathsOf({ input: { items: ["q1", "q8"] } })).toEqual(["input.items.1"]);
});

test("every item that lacks the gold of a named metric is named; without named metrics one has to suit", async () => {
  const items = [ITEMS[0]!, { id: "q2", input: {} }, { id: "q3", input: {}, gold: { number: 1 } }];
  expect(await pathsOf({ items, options: { metrics: ["accuracy", "number_match"] } })).toEqual([
    "dataset.q2.gold.choice",
    "dataset.q3.gold.choice",
    "dataset.q1.gold.number",
    "dataset.q2.gold.number",
  ]);
  expect(await pathsOf({ items })).toEqual(["options.metrics"]);
});

test("too many trials are refused before any of them is checked", async () => {
  const check: ValidateChild = () => Promise.reject(new Error("It was checked."));
  const items = Array.from({ length: 300 }, (_, index) => ({ ...ITEMS[0]!, id: `q${index}` }));
  expect(await pathsOf({ items, options: { repetitions: 20 } }, check)).toEqual(["input"]);
});

test("comparisons name two different variants, and metrics are known, named once, and suit the variants", () => {
  const input = inputSchema.parse({
    dataset_id: "dst_1",
    variants: [...VARIANTS, { name: "ideas", workflow: "ideation" }],
  });
  const options = optionsSchema.parse({
    metrics: ["accuracy", { name: "accuracy" }, "nothing"],
    compare: [
      ["two", "one"],
      ["one", "one"],
      ["one", "three"],
    ],
  });
  expect(requestErrors(input, options).map(({ path, code }) => [path, code])).toEqual([
    ["options.compare.2.1", "unknown_variant"],
    ["options.compare.1", "custom"],
    ["options.metrics.0", "metric_unsuited"],
    ["options.metrics.1", "custom"],
    ["options.metrics.2", "unknown_metric"],
  ]);
});

test("resamples are bounded by the number of items and variants", async () => {
  const items = Array.from({ length: 1001 }, (_, index) => ({ ...ITEMS[0]!, id: `q${index}` }));
  const options = { resamples: 100_000 };
  expect(await errorsOf({ options, items: items.slice(1) })).toEqual([]);
  expect(await errorsOf({ options, items })).toEqual([
    {
      path: "options.resamples",
      code: "too_many_resamples",
      message: "2002 pairs of item and variant can have up to 99900 resamples.",
    },
  ]);
});
