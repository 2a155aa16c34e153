import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { checkDuplicate } from "../actions";
import {
  MAX_REASON_LENGTH,
  type ClosePair,
  type Duplicate,
  type IdeaSet,
  type KeptIdeas,
  type Measure,
  type SimilarityMatrix,
  type SourcedIdea,
} from "../artifacts";
import { CALL_CONCURRENCY, type Context } from "../context";
import { byVectors } from "../rules/cosine-similarity";
import { dropDuplicates, rounded, dropsByVerdict } from "../rules/deduplication";
import { calibratedThreshold, collapseNotes, knownThreshold } from "../rules/calibration";
import { CALIBRATION_TEXTS } from "../rules/calibration-texts";
import { drawMatrix } from "../reports/drawings/matrix";
import { Semaphore } from "#workflow-kit/semaphore";
import { comparedText, pairwise, THRESHOLDS, type Similarities } from "../rules/similarity";
import { byWords, LEXICAL_MEASURE } from "../rules/lexical-similarity";

/** Most ideas whose similarities are listed and drawn; of more, the first ones are. */
const MAX_SHOWN = 300;
/** Fewest of the most similar pairs in the result, even if the ranker checks fewer. */
const MIN_PAIRS = 5;

export interface DeduplicationResult extends KeptIdeas {
  /** The artifact `kept_ideas`. */
  verdict: DocumentReference;
  picture: DocumentReference;
  notes: string[];
}

/** Drops duplicate ideas (spec, step 6), within each configuration when two are compared. */
export async function deduplicate(
  context: Context,
  set: DocumentReference,
  remaining: readonly string[],
): Promise<DeduplicationResult> {
  const source = await context.read<IdeaSet>(set);
  const ids = new Set(remaining);
  const ideas = source.content.ideas.filter(({ id }) => ids.has(id));
  const { similarities, measure } = await createComparison(context, ideas);
  const shown = ideas.slice(0, MAX_SHOWN);
  const similarity = pairwise(similarities(shown));
  const by = { role: "workflow", inputs: [source] };

  const found = findDistinct(context, groups(context, ideas), similarities, measure);
  const verdicts = await checkPairs(context, source, found.closest);
  const verdict = await context.compute(
    "kept_ideas",
    { ...by, action: "deduplicate", inputs: [source, ...verdicts] },
    () => withVerdicts(found, measure, verdicts),
  );
  await context.compute("similarity_matrix", { ...by, action: "compare_ideas" }, (): SimilarityMatrix => ({
    measure,
    ids: shown.map(({ id }) => id),
    rows: rowsOf(shown.length, similarity),
  }));
  const picture = context.run.recordLater(
    { ...by, kind: "similarity_svg", role: "workflow", action: "draw_similarities", mediaType: "image/svg+xml" },
    () => drawMatrix(context.topic, shown, similarity, measure, ideas.length),
  );
  const { dropped } = verdict.content;
  const similar = dropped.filter(({ because: { cause } }) => cause === "similar").length;
  const notes = collapseNotes(measure, ideas.length, similar);
  return { ...verdict.content, verdict: reference(verdict)!, picture, notes };
}

type Found = Pick<KeptIdeas, "kept" | "dropped"> & { closest: Omit<ClosePair, "verdict">[] };

/** Drops duplicates by the measure, and finds the most similar pairs of the ideas kept. */
function findDistinct(
  context: Context,
  groups_of_ideas: readonly SourcedIdea[][],
  similarities: Comparison["similarities"],
  measure: Measure,
): Found {
  const most = Math.max(context.options.duplicate_checks, MIN_PAIRS);
  const found = groups_of_ideas.map((group) => dropDuplicates(group, similarities(group), measure.threshold, most));
  return {
    kept: found.flatMap((group) => group.kept),
    dropped: found.flatMap(({ dropped }) => dropped),
    closest: found
      .flatMap((group) => group.closest)
      .toSorted((one, other) => other.similarity - one.similarity)
      .slice(0, most),
  };
}

/** The ranker's verdict on each of the most similar pairs. */
function checkPairs(
  { run, topic, options }: Context,
  source: Artifact<IdeaSet>,
  closest: Found["closest"],
): Promise<Artifact<Duplicate>[]> {
  const semaphore = new Semaphore(CALL_CONCURRENCY);
  const byId = new Map(source.content.ideas.map((idea) => [idea.id, idea]));
  return run.parallel(
    closest.slice(0, options.duplicate_checks),
    ({ ideas: [one, other] }, index) =>
      semaphore.run(() =>
        run.step(
          checkDuplicate,
          { topic, one: byId.get(one)!, other: byId.get(other)! },
          { key: String(index + 1), subject: `${one}, ${other}`, iteration: index + 1, inputs: [source] },
        ),
      ),
    options.parallelism,
  );
}

/** Drops the later idea of each pair that the ranker called the same idea. */
function withVerdicts({ kept, dropped, closest }: Found, measure: Measure, verdicts: Artifact<Duplicate>[]): KeptIdeas {
  const judged = closest.map((pair, index): ClosePair => {
    const verdict = verdicts[index]?.content;
    return { ...pair, verdict: verdict ? { ...verdict, reason: clip(verdict.reason, MAX_REASON_LENGTH) } : null };
  });
  const same = dropsByVerdict(kept, judged);
  const same_ids = new Set(same.map(({ idea }) => idea));
  return {
    measure,
    kept: kept.filter((id) => !same_ids.has(id)),
    dropped: [...dropped, ...same],
    closest: judged,
  };
}

interface Comparison {
  measure: Measure;
  /** Similarities of a subset of the ideas, in the order given. */
  similarities: (subset: readonly SourcedIdea[]) => Similarities;
}

/** Compares by the run's embedding model, or else by words. */
async function createComparison(context: Context, ideas: readonly SourcedIdea[]): Promise<Comparison> {
  const embedded = ideas.length ? await context.run.retrieval.embed(ideas.map(comparedText), { key: "ideas" }) : null;
  const { dedup_threshold } = context.options;
  if (!embedded) {
    const measure = {
      method: "lexical",
      model: LEXICAL_MEASURE,
      threshold: dedup_threshold ?? THRESHOLDS.lexical,
    } as const;
    return { measure, similarities: (subset) => byWords(subset.map(comparedText)) };
  }
  const { model } = embedded;
  const threshold = dedup_threshold ?? knownThreshold(model) ?? (await calibrate(context));
  const measure = { method: "embedding", model, threshold } as const;
  const vectors = new Map(ideas.map(({ id }, place) => [id, embedded.vectors[place]!]));
  return { measure, similarities: (subset) => byVectors(subset.map(({ id }) => vectors.get(id)!)) };
}

/** The threshold of the run's encoder, from texts whose ideas are known to differ. */
async function calibrate({ run }: Context): Promise<number> {
  const embedded = await run.retrieval.embed(CALIBRATION_TEXTS, { key: "calibration" });
  return calibratedThreshold(embedded!.vectors);
}

/** Compared configurations are deduplicated separately, so that the metrics of one do not depend on the other. */
const groups = ({ options }: Context, ideas: readonly SourcedIdea[]): SourcedIdea[][] =>
  options.compare ? [...Map.groupBy(ideas, ({ configuration }) => configuration).values()] : [[...ideas]];

const rowsOf = (count: number, similarity: (one: number, other: number) => number): number[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: row }, (_value, column) => rounded(similarity(column, row))),
  );
