import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { checkDuplicate } from "../actions";
import {
  LONGEST_REASON,
  type ClosePair,
  type Duplicate,
  type IdeaSet,
  type KeptIdeas,
  type Measure,
  type SimilarityMatrix,
  type SourcedIdea,
} from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { byVectors } from "../rules/cosine-similarity";
import { deduplicated, rounded, sameIdeas } from "../rules/deduplication";
import { drawMatrix } from "../reports/drawings/matrix";
import { comparedText, pairwise, THRESHOLDS, type Similarities } from "../rules/similarity";
import { byWords, LEXICAL_MEASURE } from "../rules/lexical-similarity";
import { Semaphore } from "#workflow-kit/semaphore";

/** The similarities of so many ideas are listed and drawn; of more, those of the first. */
const MOST_SHOWN = 300;
/** So many of the most alike pairs are told of, also when the ranker is not asked about them. */
const PAIRS_TOLD = 5;

export interface Deduplicated extends KeptIdeas {
  /** The artifact `kept_ideas`. */
  verdict: DocumentReference;
  picture: DocumentReference;
}

/** Drops what has been said before (spec, step 6), within each configuration when two are compared. */
export async function deduplicate(
  assignment: IdeationContext,
  set: DocumentReference,
  going: readonly string[],
): Promise<Deduplicated> {
  const source = await assignment.read<IdeaSet>(set);
  const there = new Set(going);
  const ideas = source.content.ideas.filter(({ id }) => there.has(id));
  const { among, measure } = await compared(assignment, ideas);
  const shown = ideas.slice(0, MOST_SHOWN);
  const similarity = pairwise(among(shown));
  const by = { role: "workflow", inputs: [source] };

  const verdict = await assignment.keep("kept_ideas", { ...by, action: "deduplicate" }, () =>
    sortedOut(assignment, groups(assignment, ideas), among, measure),
  );
  await assignment.keep("similarity_matrix", { ...by, action: "compare_ideas" }, (): SimilarityMatrix => ({
    measure,
    ids: shown.map(({ id }) => id),
    rows: rowsOf(shown.length, similarity),
  }));
  const picture = await assignment.keep(
    "similarity_svg",
    { ...by, action: "draw_similarities", mediaType: "image/svg+xml" },
    () => drawMatrix(assignment.topic, shown, similarity, measure, ideas.length),
  );
  return { ...verdict.content, verdict: reference(verdict)!, picture: reference(picture)! };
}

/** First by the measure; then the ranker is asked about the most alike of what that kept. */
async function sortedOut(
  assignment: IdeationContext,
  all: readonly SourcedIdea[][],
  among: Compared["among"],
  measure: Measure,
): Promise<KeptIdeas> {
  const asked = assignment.options.duplicate_checks;
  const most = Math.max(asked, PAIRS_TOLD);
  const found = all.map((group) => deduplicated(group, among(group), measure.threshold, most));
  const closest = found
    .flatMap((group) => group.closest)
    .toSorted((one, other) => other.similarity - one.similarity)
    .slice(0, most);
  const verdicts = await judged(assignment, all.flat(), closest.slice(0, asked));
  const told = closest.map((pair, index): ClosePair => ({ ...pair, verdict: verdicts[index] ?? null }));
  const kept = found.flatMap((group) => group.kept);
  const same = sameIdeas(kept, told);
  const gone = new Set(same.map(({ idea }) => idea));
  return {
    measure,
    kept: kept.filter((id) => !gone.has(id)),
    dropped: [...found.flatMap(({ dropped }) => dropped), ...same],
    closest: told,
  };
}

/** What the ranker says of each pair. */
async function judged(
  { run, topic, options }: IdeationContext,
  ideas: readonly SourcedIdea[],
  pairs: readonly Pick<ClosePair, "ideas">[],
): Promise<Duplicate[]> {
  const semaphore = new Semaphore(CALLS_AT_ONCE);
  const byId = new Map(ideas.map((idea) => [idea.id, idea]));
  const verdicts = await run.parallel(
    pairs,
    ({ ideas: [one, other] }, index) =>
      semaphore.use(() =>
        run.act(
          checkDuplicate,
          { topic, one: byId.get(one)!, other: byId.get(other)! },
          {
            key: String(index + 1),
            subject: `${one}, ${other}`,
            iteration: index + 1,
          },
        ),
      ),
    options.parallelism,
  );
  return verdicts.map(({ content: { reason, same } }) => ({ reason: clip(reason, LONGEST_REASON), same }));
}

interface Compared {
  measure: Measure;
  /** The measure over some of the ideas, in the order given. */
  among: (some: readonly SourcedIdea[]) => Similarities;
}

/** By the run's encoder; where there is none, by words. */
async function compared(assignment: IdeationContext, ideas: readonly SourcedIdea[]): Promise<Compared> {
  const embedded = ideas.length ? await assignment.run.embed(ideas.map(comparedText), { key: "ideas" }) : null;
  const method = embedded ? "embedding" : "lexical";
  const threshold = assignment.options.dedup_threshold ?? THRESHOLDS[method];
  const measure: Measure = { method, model: embedded?.model ?? LEXICAL_MEASURE, threshold };
  if (!embedded) return { measure, among: (some) => byWords(some.map(comparedText)) };
  const vectors = new Map(ideas.map(({ id }, place) => [id, embedded.vectors[place]!]));
  return { measure, among: (some) => byVectors(some.map(({ id }) => vectors.get(id)!)) };
}

/** Ideas of two configurations never drop each other: then neither would be measured by itself. */
const groups = ({ options }: IdeationContext, ideas: readonly SourcedIdea[]): SourcedIdea[][] =>
  options.compare ? [...Map.groupBy(ideas, ({ configuration }) => configuration).values()] : [[...ideas]];

const rowsOf = (count: number, similarity: (one: number, other: number) => number): number[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: row }, (_value, column) => rounded(similarity(column, row))),
  );
