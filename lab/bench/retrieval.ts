// Measures quality and speed of searches in corpora, over the API.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/json.ts";
import type { Client } from "../lib/client.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";
import { percentile } from "../lib/measure.ts";
import { ROOT } from "../../scripts/lib/wrangler.ts";

/** Questions of the Brazilian bar exam, each with the articles that justify its answer. The data is not part of the repository. */
const DATA = join(ROOT, "../shared/data/legal_oab_mcq");

const readLines = (file: string): Json[] =>
  readFileSync(join(DATA, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** Creates a corpus, waits until it is ready, and returns it with the durations in milliseconds. */
async function fill(api: Client, fields: object, documents: object[]) {
  const corpus = await api.post("/v1/corpora", { body: { name: "bench", ...fields } });
  const begun = performance.now();
  const upload = await api.post(`/v1/corpora/${corpus.id}/documents`, {
    text: documents.map((document) => JSON.stringify(document)).join("\n"),
  });
  const accepted = performance.now() - begun;
  let found: number | null = null;
  for (;;) {
    const { counts, status, errors, failure } = await api.get(`/v1/corpora/${corpus.id}/uploads/${upload.id}`);
    if (failure) throw new Error(`The corpus did not become ready: ${failure}`);
    if (errors.length) throw new Error(`Line ${errors[0].line} was refused: ${errors[0].errors[0].message}`);
    const { counts: passages } = await api.get(`/v1/corpora/${corpus.id}`);
    if (found === null && status !== "reading" && passages.passages >= documents.length)
      found = performance.now() - begun;
    if (status === "completed") {
      if (counts.added !== documents.length)
        throw new Error(`Of ${documents.length} documents ${counts.added} were added.`);
      return {
        id: corpus.id,
        passages: passages.passages,
        accepted,
        found: found ?? NaN,
        ready: performance.now() - begun,
      };
    }
    await sleep(500);
  }
}

// Quality

/** Each row of the table adds one feature. */
const KNOWLEDGE: [label: string, fields: object][] = [
  ["words as they stand", { source: "-" }],
  ["+ the source's name", {}],
  ["+ stop words, endings (`language`)", { language: "pt" }],
  ["+ names of statutes (`jurisdiction`)", { language: "pt", jurisdiction: "BR" }],
];
const QUERIES: Record<string, (question: Json) => string> = {
  question: ({ question }) => question,
  "question and options": ({ question, options }) => [question, ...Object.values(options)].join("\n"),
};

/** Recall at 5 and 10, and the mean reciprocal rank of the first gold article, over excerpts as a run would get them. */
async function measure(
  api: Client,
  corpus: string,
  questions: Json[],
  queryOf: (question: Json) => string,
  method: string,
) {
  const sums = { recall5: 0, recall10: 0, mrr: 0 };
  for (const question of questions) {
    const body = { query: queryOf(question), limit: 100, method };
    const { data } = await api.post(`/v1/corpora/${corpus}/search`, { body });
    const articles: string[] = data.map(({ external_id }: Json) => external_id);
    const among = (count: number) =>
      question.gold_passages.filter((gold: string) => articles.slice(0, count).includes(gold)).length /
      question.gold_passages.length;
    const first = articles.findIndex((article) => question.gold_passages.includes(article));
    sums.recall5 += among(5);
    sums.recall10 += among(10);
    sums.mrr += first < 0 ? 0 : 1 / (first + 1);
  }
  return Object.values(sums).map((sum) => (sum / questions.length).toFixed(3));
}

async function quality(test: Client, live: Client, embedding: string | undefined) {
  if (!existsSync(DATA)) return say(`\nQuality: skipped, because ${DATA} does not exist.`);
  const questions = readLines("gold_questions.jsonl");
  const articles = readLines("passages.jsonl");
  const documents = (fields: object) =>
    articles.map(({ id, source, text }) => ({ external_id: id, source, text, ...fields }));
  const rows: string[][] = [];
  const rank = async (api: Client, corpus: string, label: string, method: string) => {
    for (const [name, queryOf] of Object.entries(QUERIES))
      rows.push([label, name, ...(await measure(api, corpus, questions, queryOf, method))]);
  };
  for (const [label, fields] of KNOWLEDGE) {
    const corpus = await fill(test, { embedding_model: null }, documents(fields));
    await rank(test, corpus.id, `BM25, ${label}`, "bm25");
  }
  const all = documents(KNOWLEDGE.at(-1)?.[1] ?? {});
  const mocked = await fill(test, {}, all);
  await rank(test, mocked.id, "hybrid, mock vectors", "hybrid");
  if (embedding) {
    const real = await fill(live, { embedding_model: `openai/${embedding}` }, all);
    await rank(live, real.id, `hybrid, ${embedding}`, "hybrid");
  } else say("\nSet OPENAI_BASE_URL and OPENAI_EMBEDDING_MODEL to measure an embedding model.");
  say(`\n${articles.length} articles in ${mocked.passages} passages, ${questions.length} questions:\n`);
  say(markdownTable(["ranked by", "query", "recall@5", "recall@10", "MRR"], rows));
}

// Speed

/** Texts of invented words with uneven frequencies, like those of words that are no stop words; the same in each run. */
function* madeUpTexts(count: number, words: number) {
  let state = 1;
  const random = () => ((state = (state * 48271) % 2147483647) - 1) / 2147483646;
  const word = () => `w${Math.floor(30 * 700 ** random())}x`;
  for (let n = 0; n < count; n++) yield Array.from({ length: words }, word).join(" ");
}

async function speed(api: Client, quick: boolean) {
  const count = quick ? 1000 : 10_000;
  const documents = [...madeUpTexts(count, 100)].map((text, n) => ({ source: `Text ${n}`, text, language: "en" }));
  const corpus = await fill(api, {}, documents);
  const rate = (ms: number) => `${(ms / 1000).toFixed(1)} s (${Math.round(count / (ms / 1000))}/s)`;
  say(`\n${count} documents of one passage each, 100 words a passage, in one upload:\n`);
  say(
    markdownTable(
      ["accepted", "found by words", "embedded, too"],
      [[`${corpus.accepted.toFixed(0)} ms`, rate(corpus.found), rate(corpus.ready)]],
    ),
  );
  const rows: unknown[][] = [];
  for (const words of [8, 80])
    for (const method of ["bm25", "hybrid"]) {
      const times: number[] = [];
      for (const query of madeUpTexts(quick ? 20 : 100, words)) {
        const begun = performance.now();
        await api.post(`/v1/corpora/${corpus.id}/search`, { body: { query, method } });
        times.push(performance.now() - begun);
      }
      rows.push([method, words, ...[0.5, 0.95].map((share) => `${percentile(times, share).toFixed(0)} ms`)]);
    }
  say(`\nSearches among them, one after the other:\n`);
  say(markdownTable(["method", "words of the query", "p50", "p95"], rows));
}

export async function benchRetrieval({ test, live }: { test: Client; live: Client }, quick: boolean) {
  await speed(test, quick);
  await quality(test, live, process.env.OPENAI_EMBEDDING_MODEL);
}
