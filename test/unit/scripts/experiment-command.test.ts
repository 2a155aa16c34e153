/** Parts of `npm run experiment` between its arguments and its files. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { estimateLines } from "../../../scripts/experiment/estimate.ts";
import { duration, follow, progressLine } from "../../../scripts/experiment/follow.ts";
import { KINDS } from "../../../scripts/experiment/kinds.ts";
import { experimentRequest, metricsFor } from "../../../scripts/experiment/request.ts";
import { comparisonTable, resultTable } from "../../../scripts/experiment/results.ts";
import { uploadData } from "../../../scripts/experiment/upload.ts";
import { experiment } from "../../../workflows/experiment/workflow";

const kindOf = (name: string) => KINDS.find((kind) => kind.name === name)!;

test("the first variant is compared with each other one, and the request fits the workflow", () => {
  const kind = kindOf("mgsm");
  const chosen = { kind, variants: kind.variants, items: 3, tags: ["easy"], repetitions: 2, reuse: true };
  const { input, options, metadata } = experimentRequest(chosen, {
    dataset_id: "dst_1",
    metrics: ["number_match"],
    is_sample: true,
  });
  expect(experiment.input.parse(input)).toMatchObject({
    sample: { size: 3, seed: 1 },
    tags: ["easy"],
    title: expect.stringContaining("(our sample)"),
  });
  expect(experiment.options.parse(options)).toMatchObject({
    compare: [
      ["waagents", "paper"],
      ["waagents", "single"],
      ["waagents", "plain"],
    ],
    repetitions: 2,
    reuse: true,
  });
  expect(metadata).toEqual({ kind: "mgsm" });
  const alone = experimentRequest(
    { ...chosen, variants: kind.variants.slice(0, 1), items: undefined, tags: undefined },
    { dataset_id: "dst_1", metrics: ["number_match"], is_sample: false },
  );
  expect(alone.options).not.toHaveProperty("compare");
  expect(alone.input).not.toHaveProperty("sample");
  expect(alone.input).not.toHaveProperty("tags");
});

test("a metric that a variant cannot give is left out and named; without any metric nothing is started", () => {
  const oab = kindOf("oab");
  expect(metricsFor(oab, oab.variants)).toEqual({ metrics: oab.metrics, notes: [] });
  const { metrics, notes } = metricsFor(oab, [...oab.variants, ...oab.further!]);
  expect(metrics).toEqual(["accuracy"]);
  expect(notes).toEqual([
    "Not measured: citation_correctness, citation_coverage, citation_f1, position_changes. plain has nothing to measure by it; name the other variants with --variants.",
  ]);
  const unknown = { ...oab, metrics: ["elegance"] };
  expect(() => metricsFor(unknown, oab.variants)).toThrow(
    expect.objectContaining({
      exit: 1,
      message: expect.stringContaining("Not measured: elegance. This version of Parley does not have it."),
    }),
  );
});

const run = (children: object | null, rest: object = {}): any => ({
  status: "running",
  stage: "trials",
  usage: { cost_usd: 0.126, output_tokens: 5000 },
  children: children && { total: 80, completed: 0, failed: 0, canceled: 0, input_required: 0, ...children },
  ...rest,
});

test("progress says trials done and failed, the cost so far and the time left", () => {
  expect(progressLine(run({ completed: 38, failed: 2 }), { seconds: 60, done: 40 })).toBe(
    "[############............] 40 of 80 trials, 2 failed, $0.13 so far, about 60 s left",
  );
  expect(progressLine(run({ completed: 80 }, { stage: "scoring" }), null)).toMatch(/80 of 80 trials, .*, scoring$/);
  expect(progressLine(run({ completed: 8, input_required: 1 }, { status: "paused" }), null)).toMatch(
    /1 wait for a person.*paused$/,
  );
  expect(progressLine(run({}, { usage: { cost_usd: null, output_tokens: 5000 } }), null)).toMatch(
    /5,000 tokens written/,
  );
  expect(progressLine(run(null, { status: "queued" }), null)).toMatch(/queue/);
  expect([30, 600, 7200].map(duration)).toEqual(["30 s", "10 min", "2.0 h"]);
});

test("tables show means with intervals, and what comparisons decide", () => {
  const result = (variant: string, measure: string, mean: number | null) => ({
    variant,
    measure,
    n: 20,
    mean,
    low: mean === null ? null : mean - 0.1,
    high: mean === null ? null : mean + 0.1,
  });
  const results = [
    result("mare", "accuracy", 0.25),
    result("mare", "model_match.actor.f1", 0.7),
    result("mare", "model_match.f1", 0.5),
    result("plain", "model_match.f1", null),
  ];
  expect(
    resultTable(results)
      .split("\n")
      .map((line: string) => line.trim()),
  ).toEqual([
    "variant  accuracy           model_match.f1",
    "mare     0.25 [0.15, 0.35]  0.5 [0.4, 0.6]",
    "plain    –                  –",
  ]);
  const comparison = {
    system: "mare",
    baseline: "plain",
    measure: "model_match.f1",
    n: 20,
    difference: 0.2,
    low: 0.05,
    high: 0.35,
  };
  expect(comparisonTable([{ ...comparison, p_adjusted: 0.012, verdict: "better" }], results)).toMatch(
    /mare +plain +model_match\.f1 +20 +0\.2 \[0\.05, 0\.35\] +0\.012 +better/,
  );
});

test("an estimate is said in words; a server without one is told", () => {
  expect(estimateLines(null)).toEqual(["This server gives no estimate of what it will cost."]);
  const estimate = {
    calls: { low: 100, high: 1200 },
    input_tokens: { low: 10_000, high: 10_000 },
    output_tokens: { low: 1, high: 2 },
    reasoning_tokens: 0,
    cost_usd: { low: 0.5, high: 2 },
    unpriced_models: [],
    notes: ["Embeddings are left out."],
  };
  expect(estimateLines(estimate)).toEqual([
    "Estimate: 100 to 1,200 calls, 10,000 tokens in, 1 to 2 tokens out.",
    "It will cost 0.50 to 2.00 dollars.",
    "Embeddings are left out.",
  ]);
  expect(estimateLines({ ...estimate, cost_usd: null, unpriced_models: ["a/b"] })[1]).toBe(
    "The price of a/b is not known.",
  );
});

test("following outlasts a server that does not answer for a moment, and ends at once at a refusal", async () => {
  const failure = (status?: number) => Object.assign(new Error("no"), { status });
  const answers = [failure(), failure(503), run({ completed: 80 }, { status: "completed" })];
  const get = async () => {
    const answer = answers.shift()!;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  expect(await follow({ runs: { get } } as never, "run_1", new AbortController().signal)).toMatchObject({
    status: "completed",
  });
  answers.push(failure(404), run({}, { status: "completed" }));
  await expect(follow({ runs: { get } } as never, "run_1", new AbortController().signal)).rejects.toMatchObject({
    status: 404,
  });
});

describe("uploading", () => {
  const data = {
    items: [{ id: "a", input: { question: "?" } }],
    documents: [{ text: "Article 1." }],
    title: "T",
  } as never;
  /** A server that knows these things; `sent` has what was uploaded. */
  function server(known: {
    corpora?: object[];
    datasets?: object[];
    errors?: object[];
    embedding_model?: string | null;
  }) {
    const sent: string[] = [];
    const list = (rows: object[] = []) => ({ list: () => ({ all: async () => rows }) });
    const made = (id: string) => async () => ({
      id,
      counts: { documents: 0 },
      embedding_model: known.embedding_model ?? null,
    });
    const parley = {
      corpora: {
        ...list(known.corpora),
        create: made("cor_1"),
        upload: async (id: string, documents: object[]) => (
          sent.push(`${id} ${JSON.stringify(documents)}`),
          { invalid: known.errors?.length ?? 0, errors: known.errors ?? [] }
        ),
      },
      datasets: {
        ...list(known.datasets),
        create: made("dst_1"),
        upload: async ({ id }: { id: string }, items: object[]) => sent.push(`${id} ${JSON.stringify(items)}`),
        delete: async () => {},
      },
    };
    return { parley: parley as never, sent };
  }
  const silent = { say: () => {} };

  test("the corpus comes first, and each item names it", async () => {
    const { parley, sent } = server({});
    expect(await uploadData(parley, kindOf("oab"), data, silent)).toBe("dst_1");
    expect(sent).toEqual([
      'cor_1 [{"text":"Article 1."}]',
      'dst_1 [{"id":"a","input":{"question":"?","corpus_ids":["cor_1"]}}]',
    ]);
  });

  test("content that was uploaded before is found and not sent again", async () => {
    const content_hash = createHash("sha256").update('{"text":"Article 1."}\n').digest("hex");
    const corpora = [{ id: "cor_9", metadata: { content_hash }, counts: { documents: 1 }, embedding_model: "e" }];
    const { parley, sent } = server({ corpora, datasets: [{ id: "dst_9" }] });
    expect(await uploadData(parley, kindOf("oab"), data, silent)).toBe("dst_9");
    expect(sent).toEqual([]);
  });

  test("invalid documents are named, and no data set is made", async () => {
    const errors = [{ line: 1, errors: [{ path: "text", message: "It is empty." }] }];
    const { parley, sent } = server({ errors });
    await expect(uploadData(parley, kindOf("oab"), data, silent)).rejects.toThrow(
      "1 documents of the corpus are invalid. Correct them:\n  document 1: text: It is empty.",
    );
    expect(sent).toEqual(['cor_1 [{"text":"Article 1."}]']);
  });

  test("embeddings of a live corpus are confirmed before they are paid", async () => {
    const { parley, sent } = server({ embedding_model: "openai/small" });
    const asked: string[] = [];
    const confirm = async (question: string) => {
      asked.push(question);
      throw new Error("declined");
    };
    await expect(uploadData(parley, kindOf("oab"), data, { ...silent, confirm })).rejects.toThrow("declined");
    expect(asked).toEqual(["openai/small embeds the 1 documents of the corpus first: 22 characters. Pay for it?"]);
    expect(sent).toEqual([]);
  });
});
