// The Worker in which scripts/bench/deduplication.mjs measures: `/<measure>` makes ideas for it, `/<measure>/dedupe` looks for duplicates.
import { chance } from "#workflows/ideation/rules/chance";
import { byVectors } from "#workflows/ideation/rules/cosine-similarity";
import { dropDuplicates } from "#workflows/ideation/rules/deduplication";
import { comparedText, THRESHOLDS } from "#workflows/ideation/rules/similarity";
import { byWords } from "#workflows/ideation/rules/lexical-similarity";

const COUNT = 1000;
/** Of the most alike pairs, as many as the workflow tells of. */
const TOLD = 5;
const ideas = Array.from({ length: COUNT }, (_, index) => ({ id: `i${index + 1}`, name: `idea ${index + 1}` }));

/**
 * As alike as ideas on one topic are that share themes: of two, half is the topic, and of those of a theme another 15 % is that. None is a
 * duplicate, so each is compared with each; and at `themes` 0, none stands out, which is the most work.
 */
function vectors(dimensions, themes) {
  const random = chance(1, "bench");
  const part = (share) => {
    const values = Float64Array.from({ length: dimensions }, () => random() - 0.5);
    const length = Math.hypot(...values) / Math.sqrt(share);
    return values.map((value) => value / length);
  };
  const topic = part(0.5);
  const shared = Array.from({ length: themes }, () => part(0.15));
  return ideas.map((_, place) => {
    const theme = shared[place % themes];
    const own = part(theme ? 0.35 : 0.5);
    const values = topic.map((value, at) => value + own[at] + (theme?.[at] ?? 0));
    const length = Math.hypot(...values);
    return Float32Array.from(values, (value) => value / length);
  });
}

/** 270 words each, of four thousand, some of them far more usual than others. */
function texts() {
  const random = chance(1, "bench");
  const words = (count) => Array.from({ length: count }, () => `word${Math.floor(random() ** 2 * 4000)}`).join(" ");
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

/** What is compared, made before it is measured. */
const prepared = new Map();

function prepare(measure) {
  if (measure === "words") {
    const compared = texts();
    return () => dropDuplicates(ideas, byWords(compared), THRESHOLDS.lexical, TOLD);
  }
  const [dimensions, themes] = measure.split("@").map(Number);
  const compared = vectors(dimensions, themes);
  return () => dropDuplicates(ideas, byVectors(compared), THRESHOLDS.embedding, TOLD);
}

export default {
  /** @param {Request} request */
  fetch(request) {
    const [, measure, dedupe] = new URL(request.url).pathname.split("/");
    if (!dedupe) {
      prepared.set(measure, prepare(measure));
      return Response.json({ ready: true });
    }
    return Response.json({ kept: prepared.get(measure)().kept.length });
  },
};
