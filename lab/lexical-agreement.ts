import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "../scripts/lib/typescript.ts";
import { command, refuse } from "../scripts/lib/command.ts";
import { markdownTable, say } from "../scripts/lib/terminal.ts";

const { comparedText, pairwise, THRESHOLDS } = await import("../workflows/ideation/rules/similarity.ts");
const { byVectors } = await import("../workflows/ideation/rules/cosine-similarity.ts");
const { byWords } = await import("../workflows/ideation/rules/lexical-similarity.ts");
const { dropDuplicates } = await import("../workflows/ideation/rules/deduplication.ts");

const { values } = command({
  name: "lexical-agreement",
  what: `Prints how far ideation's lexical similarity agrees with an encoder on the sample ideas, at several thresholds of each. The README of
the workflow quotes its output.`,
  options: {
    url: {
      type: "string",
      value: "URL",
      default: process.env.OPENAI_BASE_URL ?? "",
      help: "base of an OpenAI-compatible endpoint",
    },
    model: { type: "string", value: "MODEL", default: process.env.OPENAI_EMBEDDING_MODEL ?? "", help: "the encoder" },
  },
  example: "--url http://127.0.0.1:8099/v1 --model use-lite-en",
});
const SAMPLES = join(import.meta.dirname, "../../shared/data/ideation/sample_ideas.jsonl");
const ENCODER = [0.8, 0.85, 0.9, 0.92, 0.93];
const LEXICAL = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65];

if (!existsSync(SAMPLES)) {
  say("Skipped: there are no sample ideas at ../shared/data/ideation/sample_ideas.jsonl.");
  process.exit(0);
}
if (!values.url || !values.model)
  refuse("lexical-agreement", "Name an endpoint and its encoder with --url and --model");

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

async function embed(texts: string[]): Promise<Float32Array[]> {
  const response = await fetch(`${values.url.replace(/\/$/, "")}/embeddings`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${process.env.OPENAI_API_KEY ?? "none"}` },
    body: JSON.stringify({ model: values.model, input: texts }),
  });
  if (!response.ok) throw new Error(`The encoder answered ${response.status}.`);
  const { data } = (await response.json()) as { data: { embedding: number[] }[] };
  return data.map(({ embedding }) => {
    const length = Math.hypot(...embedding);
    return Float32Array.from(embedding, (value) => value / length);
  });
}

type Pairs = ReturnType<typeof byWords>;

/** Ideas are compared within their topic, as within a run. */
const topics = [...Map.groupBy(samples, ({ topic }) => topic).values()];
const measured: { ideas: typeof samples; encoder: Pairs; words: Pairs }[] = [];
for (const ideas of topics) {
  const texts = ideas.map(comparedText);
  const vectors: Float32Array[] = [];
  for (let at = 0; at < texts.length; at += 20) vectors.push(...(await embed(texts.slice(at, at + 20))));
  measured.push({ ideas, encoder: byVectors(vectors), words: byWords(texts) });
}

const dropsOf = (measure: "encoder" | "words", threshold: number) =>
  new Map(
    measured.flatMap((topic) =>
      dropDuplicates(topic.ideas, topic[measure], threshold).dropped.map(({ idea, because }) => [idea, because]),
    ),
  );

/** Share of ideas that both measures keep or both drop. */
function agreement(drops: Map<string, unknown>, otherDrops: Map<string, unknown>) {
  const same = samples.filter(({ id }) => drops.has(id) === otherDrops.has(id)).length;
  return `${Math.round((100 * same) / samples.length)} %`;
}

/**
 * The area under the ROC curve: the probability that a pair above the encoder's threshold has a higher lexical similarity than a pair
 * below it.
 */
function ranking(threshold: number) {
  const pairs = measured.flatMap(({ ideas, encoder, words }) => {
    const [byEncoder, lexically] = [pairwise(encoder), pairwise(words)];
    return ideas.flatMap((_, a) =>
      ideas
        .slice(a + 1)
        .map((_idea, rest): [number, number] => [byEncoder(a, a + 1 + rest), lexically(a, a + 1 + rest)]),
    );
  });
  const above = pairs.filter(([encoder]) => encoder > threshold).map(([, words]) => words);
  const below = pairs.filter(([encoder]) => encoder <= threshold).map(([, words]) => words);
  const won = above.reduce((sum, value) => sum + below.filter((other) => value > other).length, 0);
  return `${above.length} of ${pairs.length} pairs; ${(won / (above.length * below.length)).toFixed(2)}`;
}

const lexical = LEXICAL.map((threshold) => ({ threshold, drops: dropsOf("words", threshold) }));
say(`${samples.length} ideas on ${topics.length} topics; encoder ${values.model}.\n`);
say(
  markdownTable(
    [
      "encoder above",
      "drops",
      "similar pairs; AUC of words",
      ...lexical.map(({ threshold }) => `words above ${threshold}`),
    ],
    ENCODER.map((threshold) => {
      const drops = dropsOf("encoder", threshold);
      return [
        String(threshold),
        String(drops.size),
        ranking(threshold),
        ...lexical.map((measure) => `${measure.drops.size}; ${agreement(drops, measure.drops)}`),
      ];
    }),
  ),
);

const lexicalDrops = dropsOf("words", THRESHOLDS.lexical);
const encoderDrops = dropsOf("encoder", ENCODER.at(-1) ?? 0);
const names = new Map(samples.map(({ id, name }) => [id, name]));
say(`\nWhere the two differ, words above ${THRESHOLDS.lexical} against the encoder above ${ENCODER.at(-1)}:`);
for (const { id, name } of samples.filter((idea) => lexicalDrops.has(idea.id) !== encoderDrops.has(idea.id))) {
  const measure = lexicalDrops.has(id) ? "words" : "encoder";
  const because = lexicalDrops.get(id) ?? encoderDrops.get(id);
  say(
    `- only ${measure}: "${name}" as "${names.get(because?.similar_to ?? "")}" (${because?.similarity?.toFixed(3) ?? because?.cause})`,
  );
}
