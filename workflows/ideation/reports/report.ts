import type { Metrics } from "../rules/metrics";
import { outcomeOf } from "../rules/verdicts";
import type { ClosePair, Drop, KeptIdeas, Match, Paper, Place, Ranking, SourcedIdea } from "../artifacts";
import { bullets, inline, listItem, paragraphs, table } from "#workflow-kit/markdown";
import { keyOf } from "../rules/papers";
import { ideaMarkdown, originOf, standingOf, yearOf } from "./markdown";

/** The whole result of a run as one document. */

export interface Result {
  topic: string;
  /** One sentence on the origin of the ideas. */
  origin: string;
  /** All ideas of the run, by id. */
  ideas: ReadonlyMap<string, SourcedIdea>;
  /** Ids of the remaining ideas, best first. */
  kept: readonly string[];
  dropped: readonly Drop[];
  duplicates: Pick<KeptIdeas, "measure" | "closest"> | null;
  ranking: Ranking | null;
  /** Places of the remaining ideas. */
  places: readonly Place[];
  /** Proposals as documents, each with its idea. */
  proposals: readonly { idea: string; document: string; corrections: readonly string[] }[];
  papers: readonly Paper[];
  metrics: Metrics;
  notes: readonly string[];
}

/** The result with an index of its matches. */
interface ReportInput extends Result {
  /** The matches of each idea, in the order of play. */
  played: ReadonlyMap<string, readonly (Match & { when: string })[]>;
}

export function reportMarkdown(given: Result): string {
  const result: ReportInput = { ...given, played: byPlayer(given.ranking) };
  const { topic, origin, kept, ideas, proposals, notes } = result;
  const written = new Map(proposals.map((proposal) => [proposal.idea, proposal]));
  const others = kept.filter((id) => !written.has(id));
  const proposal = (id: string) => {
    // Lines that begin with a hash are our headings, because those of models are escaped. The first is the title.
    const { document, corrections } = written.get(id)!;
    const [title, ...text] = document.replace(/^#/gmu, "###").trim().split("\n\n");
    const subtitle = `*Of the idea ${id}, "${inline(ideas.get(id)!.name)}"; ${describe(id, result)}*`;
    return [title!, subtitle, ...text, ...correctionsOf(corrections), ...matchesOf(id, result)];
  };
  const other = (id: string) => [
    ideaMarkdown(ideas.get(id)!, "###", standingOf(id, result.places)),
    ...matchesOf(id, result),
  ];
  const section = (title: string, parts: readonly string[]) => (parts.length ? [`## ${title}`, ...parts] : []);
  return (
    [
      "# Research ideas",
      `On the topic: ${inline(topic)}`,
      origin,
      ...section("To keep in mind", [bullets([...CAVEATS, ...notes])]),
      ...section("Comparison", comparisonPart(result)),
      ...section("Ranking", rankingPart(result)),
      ...section("Most alike", closestPart(result)),
      ...section("Proposals", kept.filter((id) => written.has(id)).flatMap(proposal)),
      ...section(written.size ? "Other ideas" : "Ideas", others.flatMap(other)),
      ...(kept.length ? [] : ["No idea is left."]),
      ...section("Dropped", droppedOf(result)),
      ...section("Papers", papersOf(result)),
    ].join("\n\n") + "\n"
  );
}

const CAVEATS = [
  "Nothing here has been tried. Examples, expected answers, costs and detectable differences were written by a language model, and computed by nobody.",
  "Places come from a language model that compared the texts two by two. They are a help in reading, not a measurement.",
];

const isComparison = ({ metrics }: Result): boolean => metrics.configurations.length > 1;

/** Name and id of an idea, for tables and lists; in a comparison with the configuration. */
function nameAndId(id: string, result: Result): string {
  const idea = result.ideas.get(id);
  return `${idea?.name ?? ""} (${id}${idea && isComparison(result) ? `, ${idea.configuration}` : ""})`;
}

/** The figures of two configurations side by side. */
function comparisonPart(result: Result): string[] {
  if (!isComparison(result)) return [];
  const { configurations } = result.metrics;
  const share = (value: number | null | undefined) => (value === null || value === undefined ? "" : value.toFixed(2));
  const reached = Object.keys(configurations[0]!.precision_at ?? {});
  const rows: [string, (configuration: (typeof configurations)[number]) => string][] = [
    ["ideas, of which no duplicates", ({ ideas, kept }) => `${ideas}, ${kept}`],
    ["share that are no duplicates", ({ non_duplicate_ratio }) => share(non_duplicate_ratio)],
    ["ranked", ({ ranked: count }) => String(count)],
    ...reached.map((count): (typeof rows)[number] => [
      count === "all" ? "share of all ranked" : `share of the best ${count}`,
      ({ precision_at }) => share(precision_at?.[count]),
    ]),
    ["mean score", ({ mean_score }) => share(mean_score)],
    ["matches won against the other", ({ win_rate }) => share(win_rate)],
  ];
  const head = ["", ...configurations.map(({ configuration }) => configuration)];
  return [
    table(
      head,
      rows.map(([label, valueOf]) => [label, ...configurations.map(valueOf)]),
    ),
  ];
}

const describe = (id: string, { ideas, places }: Result): string =>
  [originOf(ideas.get(id)!), standingOf(id, places)].filter(Boolean).join("; ");

function byPlayer(ranking: Ranking | null): ReportInput["played"] {
  const played = new Map<string, (Match & { when: string })[]>();
  const add = (match: Match, when: string) => {
    for (const id of [match.a, match.b]) played.set(id, [...(played.get(id) ?? []), { ...match, when }]);
  };
  for (const { round, matches } of ranking?.rounds ?? []) for (const match of matches) add(match, `round ${round}`);
  for (const match of ranking?.play_off ?? []) add(match, "play-off");
  return played;
}

function rankingPart(result: ReportInput): string[] {
  const { places, ranking, played } = result;
  if (!ranking || places.length === 0) return [];
  const rubric = places.some((place) => place.rubric);
  const rows = places.map(({ id, score, tied, rubric: scores }, index) => {
    const outcomes = (played.get(id) ?? []).map((match) => outcomeOf(id, match));
    const count = (outcome: string) => String(outcomes.filter((candidate) => candidate === outcome).length);
    return [
      `${index + 1}${tied ? " (drawn)" : ""}`,
      inline(nameAndId(id, result)),
      String(score),
      count("won"),
      count("lost"),
      ...(rubric ? [scores ? `${scores.originality} / ${scores.feasibility} / ${scores.clarity}` : ""] : []),
    ];
  });
  const head = ["place", "idea", "score", "won", "lost", ...(rubric ? ["originality / feasibility / clarity"] : [])];
  const explanation =
    "All begin with a score of 1; a win is a point, and so is a round without an opponent. Equal scores are settled by the matches among those who have them, then by the scores of all whom each has met; drawn: neither told them apart.";
  const extra = ranking.play_off.length ? " Who is written out was settled by a play-off, which gives no points." : "";
  return [table(head, rows), explanation + extra];
}

function closestPart(result: Result): string[] {
  const { duplicates } = result;
  if (!duplicates || duplicates.closest.length === 0) return [];
  const { method, model, threshold } = duplicates.measure;
  const verdictText = ({ verdict }: ClosePair) =>
    verdict ? `${verdict.same ? "the same" : "different"}: ${verdict.reason}` : "not asked";
  return [
    `Of the ideas that are no more alike than ${threshold} (${method === "lexical" ? "words" : "vectors"}, ${inline(model)}), these are the most alike; last, what the ranker said.`,
    table(
      ["ideas", "alike", "the same idea?"],
      duplicates.closest.map((pair) => [
        pair.ideas.map((id) => inline(nameAndId(id, result))).join(", "),
        pair.similarity.toFixed(2),
        inline(verdictText(pair)),
      ]),
    ),
  ];
}

/** Mistakes of the idea that its proposal does not have any more. */
const correctionsOf = (corrections: readonly string[]): string[] =>
  corrections.length
    ? ["**Corrected against the idea.**", corrections.map((text) => listItem("-", paragraphs(text))).join("\n")]
    : [];

/** The matches of an idea with the judge's reasons. */
function matchesOf(id: string, result: ReportInput): string[] {
  const lines = (result.played.get(id) ?? []).map((match) => {
    const other = nameAndId(match.a === id ? match.b : match.a, result);
    const why = match.reasons.length ? `: ${paragraphs(match.reasons.join(" "))}` : "";
    return listItem("-", `${match.when}, ${outcomeOf(id, match)} against ${inline(other)}${why}`);
  });
  return lines.length ? ["**Matches.**", lines.join("\n")] : [];
}

const CAUSES: Record<Drop["because"]["cause"], string> = {
  similar: "more alike than the threshold",
  same_name: "has the name of",
  same_idea: "the same idea as",
  human: "dropped by a person",
  consistency: "not consistent",
  feasibility: "not feasible",
  significance: "not significant",
  novelty: "not new",
};

const droppedOf = (result: Result): string[] => {
  const lines = result.dropped.map(({ idea, because: { cause, similar_to, similarity, reason } }) => {
    const than = similar_to ? ` ${cause === "similar" ? "to " : ""}${inline(nameAndId(similar_to, result))}` : "";
    const measured = similarity === undefined ? "" : `, ${similarity.toFixed(2)}`;
    const why = reason ? `. ${paragraphs(reason)}` : "";
    return listItem("-", `${inline(nameAndId(idea, result))}: ${CAUSES[cause]}${than}${measured}${why}`);
  });
  return lines.length ? [lines.join("\n")] : [];
};

const papersOf = ({ papers }: Result): string[] => {
  const lines = papers.map((paper, index) => {
    const url = paper.url && /^https?:\/\/[^\s<>]+$/u.test(paper.url) ? ` <${paper.url}>` : "";
    return listItem("-", `${keyOf(paper, index)}: ${inline(paper.title)}${yearOf(paper)}${url}`);
  });
  return lines.length ? [lines.join("\n")] : [];
};
