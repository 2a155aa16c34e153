import { z } from "zod";
import type { Scores } from "../trials";
import type { MetricDescription } from "./metric";

/** A metric whose scores a model gives, be it a judge or an embedding model. */
export interface JudgedMetric extends MetricDescription {
  /** `pair`: the trial is compared with the trial of another variant on the same item and repetition. */
  kind: "single" | "pair";
  /** Of a pair metric: what the variant has with which the others are compared, by part. It ties with itself. */
  tie?: Scores;
  /** It asks the embedding model, and never the judge. */
  embeds?: true;
  /** What a request may say besides the name. */
  parameters: z.ZodType<JudgeParameters>;
}

/** Parameters of a judged metric, with defaults filled in. */
export interface JudgeParameters {
  name: string;
  /** Pair metrics: the variant that the others are compared with; by default the first. */
  against?: string | undefined;
  /** Judgements of each order. */
  samples?: number | undefined;
  /** Pairs of proposals. */
  pairs?: number | undefined;
  /** Least similarity of two names that mean the same. */
  threshold?: number | undefined;
}

const against = z.string().min(1).max(40).optional().describe("The variant to compare with; by default the first.");
const alone = (name: string) => z.strictObject({ name: z.literal(name) });

const UNIT = [0, 1] as const;
const JUDGED_BY_MODEL = { version: 1, higher_is_better: true } as const;

const METRICS: readonly JudgedMetric[] = [
  {
    ...JUDGED_BY_MODEL,
    name: "fair_eval",
    kind: "pair",
    summary:
      "Win (1, tie 0.5, loss 0) and difference of scores against another variant, by a judge who gives evidence before scores, in both orders of the answers (Wang et al. 2023, FairEval; WaAgents, 4.1).",
    range: UNIT,
    ranges: { score_difference: [-9, 9] },
    tie: { win: 0.5, score_difference: 0 },
    workflows: null,
    needs: [],
    parameters: z.strictObject({
      name: z.literal("fair_eval"),
      against,
      samples: z.int().min(1).max(10).default(3).describe("Judgements of each order."),
    }),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "rubric",
    kind: "single",
    summary: "Points that a judge gives by the item's rubric, as a share of the maximum (Silva et al., 4.2).",
    range: UNIT,
    workflows: null,
    needs: ["rubric"],
    parameters: alone("rubric"),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "srs_quality",
    kind: "single",
    summary: "Completeness, correctness and consistency of a requirements specification, 0 to 2 each (MARE, IV-B).",
    range: [0, 2],
    workflows: ["requirements", "plain"],
    needs: [],
    parameters: alone("srs_quality"),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "idea_quality",
    kind: "pair",
    summary:
      "Win rate of the proposals against those of another variant on the same topic, pair by pair in both orders (Ueda et al., 4.2).",
    range: UNIT,
    tie: { "": 0.5 },
    workflows: ["ideation"],
    needs: [],
    parameters: z.strictObject({
      name: z.literal("idea_quality"),
      against,
      pairs: z.int().min(1).max(50).default(10).describe("Pairs of proposals, drawn with the run's seed."),
    }),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "reasoning_consistency",
    kind: "single",
    summary:
      "Whether the rationale of a debate's judge entails the main premise of a debater whose position prevailed; `similarity` of both where an embedding model is configured (Silva et al., 4.2).",
    range: UNIT,
    ranges: { similarity: [-1, 1] },
    workflows: ["debate"],
    needs: [],
    parameters: alone("reasoning_consistency"),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "model_match_judged",
    kind: "single",
    summary:
      "As `model_match`, but a judge says which names of the model and of the gold mean the same (MARE, IV-B, which states no rule).",
    range: UNIT,
    workflows: ["requirements", "plain"],
    needs: ["model"],
    parameters: alone("model_match_judged"),
  },
  {
    ...JUDGED_BY_MODEL,
    name: "model_match_embedded",
    kind: "single",
    embeds: true,
    summary:
      "As `model_match`, but names of one type also mean the same when their vectors are similar: each with the most similar one that is left, from `threshold` on (MARE, IV-B, which states no rule). Needs an embedding model.",
    range: UNIT,
    workflows: ["requirements", "plain"],
    needs: ["model"],
    parameters: z.strictObject({
      name: z.literal("model_match_embedded"),
      threshold: z
        .number()
        .min(0)
        .max(1)
        .default(0.8)
        .describe("Least cosine of two vectors; models differ in theirs."),
    }),
  },
];

/** All metrics that a judge scores, by name. They cost model calls, so that no request gets one without naming it. */
export const JUDGED: Readonly<Record<string, JudgedMetric>> = Object.fromEntries(
  METRICS.map((metric) => [metric.name, metric]),
);
