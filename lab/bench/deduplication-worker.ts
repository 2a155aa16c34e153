// The Worker that lab/bench/deduplication.ts measures: `/<measure>` prepares ideas, `/<measure>/dedupe` deduplicates them.
import { chance } from "../../workflows/ideation/rules/chance.ts";
import { byVectors } from "../../workflows/ideation/rules/cosine-similarity.ts";
import { dropDuplicates } from "../../workflows/ideation/rules/deduplication.ts";
import { comparedText, THRESHOLDS } from "../../workflows/ideation/rules/similarity.ts";
import { byWords } from "../../workflows/ideation/rules/lexical-similarity.ts";

const COUNT = 1000;
/** Number of the most similar pairs, as in the workflow. */
const CLOSEST_COUNT = 5;
const ideas = Array.from({ length: COUNT }, (_, index) => ({ id: `i${index + 1}`, name: `idea ${index + 1}` }));

/**
 * Vectors of ideas on one topic with shared themes: half of each vector is the topic, and 15 % its theme. There are no duplicates, so
 * all pairs are compared. With 0 themes all pairs are equally similar, which is the most work.
 */
function vectors(dimensions: number, themes: number) {
  const random = chance(1, "bench");
  const part = (share: number) => {
    const values = Float64Array.from({ length: dimensions }, () => random() - 0.5);
    const length = Math.hypot(...values) / Math.sqrt(share);
    return values.map((value) => value / length);
  };
  const topic = part(0.5);
  const shared = Array.from({ length: themes }, () => part(0.15));
  return ideas.map((_, place) => {
    const theme = shared[place % themes];
    const own = part(theme ? 0.35 : 0.5);
    const values = topic.map((value, at) => value + (own[at] ?? 0) + (theme?.[at] ?? 0));
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });
}

/** Texts of 270 words each from a vocabulary of four thousand with uneven frequencies. */
function texts() {
  const random = chance(1, "bench");
  const words = (count: number) =>
    Array.from({ length: count }, () => `word${Math.floor(random() ** 2 * 4000)}`).join(" ");
  return ideas.map(({ name }) =>
    comparedText({
      name,
      problem: words(40),
      existing_methods: words(30),
      motivation: words(50),
      proposed_method: words(90),
      experiment_plan: words(60),
    }),
  );
}

/** Prepared deduplications, by measure. */
const prepared = new Map<string, ReturnType<typeof prepare>>();

function prepare(measure: string) {
  if (measure === "words") {
    const compared = texts();
    return () => dropDuplicates(ideas, byWords(compared), THRESHOLDS.lexical, CLOSEST_COUNT);
  }
  const [dimensions = 0, themes = 0] = measure.split("@").map(Number);
  const compared = vectors(dimensions, themes);
  return () => dropDuplicates(ideas, byVectors(compared), THRESHOLDS.embedding, CLOSEST_COUNT);
}

export default {
  fetch(request: Request) {
    const [, measure = "", dedupe] = new URL(request.url).pathname.split("/");
    if (measure === "ready") return Response.json({});
    if (!dedupe) {
      prepared.set(measure, prepare(measure));
      return Response.json({ ready: true });
    }
    return Response.json({ kept: prepared.get(measure)?.().kept.length });
  },
};
