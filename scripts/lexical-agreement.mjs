// npm run lexical-agreement -- --url <base of an OpenAI-compatible endpoint> --model <encoder>: how far ideation's measure of words agrees
// with an encoder on the sample ideas, at several thresholds of each. It prints; the README of the workflow holds what it printed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import "./lib/typescript.mjs";
import { markdownTable, say } from "./lib/terminal.mjs";

const { comparedText, pairwise, THRESHOLDS } = await import("#workflows/ideation/rules/similarity");
const { byVectors } = await import("#workflows/ideation/rules/cosine-similarity");
const { byWords } = await import("#workflows/ideation/rules/lexical-similarity");
const { dropDuplicates } = await import("#workflows/ideation/rules/deduplication");

const { values } = parseArgs({
  options: {
    url: { type: "string", default: process.env.OPENAI_BASE_URL ?? "" },
    model: { type: "string", default: process.env.OPENAI_EMBEDDING_MODEL ?? "" },
  },
});
const SAMPLES = join(import.meta.dirname, "../../shared/data/ideation/sample_ideas.jsonl");
const ENCODER = [0.8, 0.85, 0.9, 0.92, 0.93];
const LEXICAL = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65];

if (!existsSync(SAMPLES)) {
  say("Skipped: there are no sample ideas at ../shared/data/ideation/sample_ideas.jsonl.");
  process.exit(0);
}
if (!values.url || !values.model) {
  process.stderr.write("Name an endpoint and its encoder: --url http://127.0.0.1:8099/v1 --model use-lite-en\n");
  process.exit(2);
}

const samples = readFileSync(SAMPLES, "utf8")
  .trim()
  .split("\n")
  .map((line, index) => {
    const { topic, idea_name: name, idea } = JSON.parse(line);
    return {
      id: `i${index + 1}`,
      topic,
      name,
      problem: idea.Problem,
      existing_methods: idea["Existing Methods"],
      motivation: idea.Motivation,
      proposed_method: idea["Proposed Method"],
      experiment_plan: idea["Experiment Plan"],
    };
  });

async function embed(texts) {
  const response = await fetch(`${values.url.replace(/\/$/, "")}/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY ?? "none"}` },
    body: JSON.stringify({ model: values.model, input: texts }),
  });
  if (!response.ok) throw new Error(`The encoder answered ${response.status}.`);
  return (await response.json()).data.map(({ embedding }) => {
    const length = Math.hypot(...embedding);
    return Float32Array.from(embedding, (value) => value / length);
  });
}

/** Each topic is a run of its own. */
const topics = [...Map.groupBy(samples, ({ topic }) => topic).values()];
const measured = [];
for (const ideas of topics) {
  const texts = ideas.map(comparedText);
  const vectors = [];
  for (let at = 0; at < texts.length; at += 20) vectors.push(...(await embed(texts.slice(at, at + 20))));
  measured.push({ ideas, encoder: byVectors(vectors), words: byWords(texts) });
}

const dropsOf = (measure, threshold) =>
  new Map(
    measured.flatMap((one) =>
      dropDuplicates(one.ideas, one[measure], threshold).dropped.map(({ idea, because }) => [idea, because]),
    ),
  );

/** Share of ideas that both keep or both drop. */
function agreement(one, other) {
  const same = samples.filter(({ id }) => one.has(id) === other.has(id)).length;
  return `${Math.round((100 * same) / samples.length)} %`;
}

/** How often a pair that the encoder holds for alike is more alike by words than one that it does not. */
function ranking(threshold) {
  const pairs = measured.flatMap(({ ideas, encoder, words }) => {
    const [one, other] = [pairwise(encoder), pairwise(words)];
    return ideas.flatMap((_, a) =>
      ideas.slice(a + 1).map((_idea, rest) => [one(a, a + 1 + rest), other(a, a + 1 + rest)]),
    );
  });
  const alike = pairs.filter(([encoder]) => encoder > threshold).map(([, words]) => words);
  const unlike = pairs.filter(([encoder]) => encoder <= threshold).map(([, words]) => words);
  const won = alike.reduce((sum, value) => sum + unlike.filter((other) => value > other).length, 0);
  return `${alike.length} of ${pairs.length} pairs; ${(won / (alike.length * unlike.length)).toFixed(2)}`;
}

const lexical = LEXICAL.map((threshold) => ({ threshold, drops: dropsOf("words", threshold) }));
say(`${samples.length} ideas on ${topics.length} topics; encoder ${values.model}.\n`);
say(
  markdownTable(
    [
      "encoder above",
      "drops",
      "alike; ranked so by words",
      ...lexical.map(({ threshold }) => `words above ${threshold}`),
    ],
    ENCODER.map((threshold) => {
      const drops = dropsOf("encoder", threshold);
      return [
        String(threshold),
        String(drops.size),
        ranking(threshold),
        ...lexical.map((other) => `${other.drops.size}; ${agreement(drops, other.drops)}`),
      ];
    }),
  ),
);

const chosen = dropsOf("words", THRESHOLDS.lexical);
const beside = dropsOf("encoder", ENCODER.at(-1));
const named = new Map(samples.map(({ id, name }) => [id, name]));
say(`\nWhere the two differ, words above ${THRESHOLDS.lexical} against the encoder above ${ENCODER.at(-1)}:`);
for (const { id, name } of samples.filter((idea) => chosen.has(idea.id) !== beside.has(idea.id))) {
  const [who, because] = chosen.has(id) ? ["words", chosen.get(id)] : ["encoder", beside.get(id)];
  say(
    `- only ${who}: "${name}" as "${named.get(because.similar_to)}" (${because.similarity?.toFixed(3) ?? because.cause})`,
  );
}
