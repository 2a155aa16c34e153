import { sections, table } from "#workflow-kit/markdown";
import type {
  Analysis,
  Estimated,
  Hypotheses,
  LabelBias,
  StratumResult,
  TokenEfficiency,
} from "../../rules/analysis-types";
import { figure, interval, signed, whole } from "../plots/numbers";
import { code } from "./cells";
import type { Layout } from "./layout";

/** Silva et al., H1 to H3, and the bias of a labelled judge. */
export function debateLayouts({ hypotheses }: Pick<Analysis, "hypotheses">): Layout[] {
  const { h1, h2, h3, label_bias } = hypotheses;
  return [
    ...(h1 ? [perToken(h1)] : []),
    ...(h2 ? [corrected(h2)] : []),
    ...(h3 ? acrossRounds(h3) : []),
    ...(label_bias ? [labelled(label_bias)] : []),
  ];
}

const shareOf = (share: Estimated | null): string =>
  share ? `${figure(share.mean)} ${interval(share.low, share.high)}, n ${share.n}` : "none";

function perToken({ measure, rows, at_equal_tokens }: TokenEfficiency): Layout {
  const each = table(
    ["Variant", "Self-consistency", `Mean ${code(measure)}`, "Tokens of a trial", "For 1,000 tokens"],
    rows.map((row) => [
      code(row.variant),
      row.self_consistency ? "yes" : "",
      figure(row.mean),
      whole(row.tokens),
      figure(row.per_1000_tokens),
    ]),
  );
  const equal = table(
    ["Debate", "Tokens", "Self-consistency at these tokens", "Taken from", "Difference", "Items"],
    at_equal_tokens.map((one) => [
      code(one.variant),
      whole(one.tokens),
      figure(one.baseline_score),
      one.outside
        ? `${code(one.weights[0]!.variant)}, the nearest; its tokens are others`
        : one.weights.map(({ variant, weight }) => `${whole(100 * weight)} % ${code(variant)}`).join(" + "),
      `${signed(one.mean)} ${interval(one.low, one.high)}`,
      String(one.n),
    ]),
  );
  return {
    title: "Accuracy a token (Silva et al., H1)",
    markdown: sections(
      each,
      "At equal tokens, the score of self-consistency is taken on the line between its two variants with fewer and with more tokens:",
      equal,
      "These differences are not among the comparisons above, and are not adjusted for being many.",
    ),
  };
}

function corrected(pairs: NonNullable<Hypotheses["h2"]>): Layout {
  const rows = pairs.flatMap(({ system, baseline, threshold, high, low }) => {
    const row = (stratum: string, of: StratumResult) => [
      code(system),
      code(baseline),
      stratum,
      String(of.questions),
      String(of.errors),
      shareOf(of.corrected),
      shareOf(of.broken),
    ];
    return [row(`${figure(threshold)} or more`, high), row(`below ${figure(threshold)}`, low)];
  });
  const head = [
    "Debate",
    "Baseline",
    "Baseline's confidence",
    "Questions",
    "Errors",
    "Errors corrected",
    "Right answers broken",
  ];
  return { title: "Errors corrected by confidence (Silva et al., H2)", markdown: table(head, rows) };
}

/** The rounds within a debate have a plot with its table; here every measure stands by the rounds of the variants. */
function acrossRounds({ across }: NonNullable<Hypotheses["h3"]>): Layout[] {
  if (across.length === 0) return [];
  const rows = across.map((one) => [code(one.measure), String(one.rounds), code(one.variant), shareOf(one)]);
  return [
    {
      title: "Measures by number of rounds (Silva et al., H3)",
      markdown: table(["Measure", "Rounds", "Variant", "Mean"], rows),
    },
  ];
}

/** What a label gains the model that wrote a brief. */
function labelled(pairs: readonly LabelBias[]): Layout {
  const rows = pairs.map(({ labeled, blind, model, labeled_share, blind_share, difference }) => [
    code(labeled),
    code(blind),
    code(model),
    figure(labeled_share),
    figure(blind_share),
    `${signed(difference.mean)} ${interval(difference.low, difference.high)}`,
    String(difference.n),
  ]);
  const head = [
    "Labelled judge",
    "Blind judge",
    "Model",
    "Prevails, labelled",
    "Prevails, blind",
    "Difference",
    "Items",
  ];
  return {
    title: "Bias of a judge who sees the models (Silva et al., 3.4)",
    markdown: sections(
      "A model's share of the debaters whose position the answer is, where several models debated and both judges decided:",
      table(head, rows),
      "These differences are not among the comparisons above, and are not adjusted for being many.",
    ),
  };
}
