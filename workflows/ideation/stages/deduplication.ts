import type { DocumentReference } from "../../../src/engine/artifact";
import { reference } from "../../../src/engine/run";
import type { Drop, IdeaSet, KeptIdeas, Measure, SimilarityMatrix, SourcedIdea } from "../artifacts";
import type { Assignment } from "../assignment";
import { deduplicated, rounded } from "../deduplication";
import { drawMatrix } from "../drawings/matrix";
import { HUMAN } from "../selection";
import {
  byVectors,
  byWords,
  comparedText,
  LEXICAL_MEASURE,
  tabulated,
  THRESHOLDS,
  type Similarity,
} from "../similarity";

/** Of more ideas than this the similarities are not listed one by one: their picture shows them. */
const MOST_LISTED = 300;

export interface Deduplicated {
  kept: string[];
  dropped: Drop[];
  measure: Measure;
  /** The artifact `kept_ideas`. */
  verdict: DocumentReference;
  picture: DocumentReference;
}

/** Drops what has been said before (spec, step 6), within each configuration when two are compared. */
export async function deduplicate(
  assignment: Assignment,
  set: DocumentReference,
  going: readonly string[],
): Promise<Deduplicated> {
  const source = await assignment.read<IdeaSet>(set);
  const there = new Set(going);
  const ideas = source.content.ideas.filter(({ id }) => there.has(id));
  const { similarity: measured, ...measure } = await compared(assignment, ideas);
  const similarity = tabulated(measured, ideas.length);
  const by = { role: "workflow", inputs: [source] };

  const verdict = await assignment.keep("kept_ideas", { ...by, action: "deduplicate" }, () => ({
    measure,
    ...byGroups(assignment, ideas, similarity, measure.threshold),
  }));
  await assignment.keep("similarity_matrix", { ...by, action: "compare_ideas" }, () =>
    listing(ideas, similarity, measure),
  );
  const picture = await assignment.keep(
    "similarity_svg",
    { ...by, action: "draw_similarities", mediaType: "image/svg+xml" },
    () => drawMatrix(assignment.topic, ideas, similarity, measure),
  );
  return { ...(verdict.content as KeptIdeas), verdict: reference(verdict)!, picture: reference(picture)! };
}

/** By the run's encoder; where there is none, by words. */
async function compared(
  assignment: Assignment,
  ideas: readonly SourcedIdea[],
): Promise<Measure & { similarity: Similarity }> {
  const texts = ideas.map(comparedText);
  const embedded = texts.length ? await assignment.run.embed(texts, { key: "ideas" }) : null;
  const method = embedded ? "embedding" : "lexical";
  return {
    method,
    model: embedded?.model ?? LEXICAL_MEASURE,
    threshold: assignment.options.dedup_threshold ?? THRESHOLDS[method],
    similarity: embedded ? byVectors(embedded.vectors) : byWords(texts),
  };
}

/** Ideas of two configurations never drop each other: then neither would be measured by itself. */
function byGroups(
  { options }: Assignment,
  ideas: readonly SourcedIdea[],
  similarity: Similarity,
  threshold: number,
): Pick<KeptIdeas, "kept" | "dropped"> {
  const places = ideas.map((idea, place) => ({ ...idea, place }));
  const groups = options.compare
    ? Map.groupBy(places, ({ configuration }) => configuration)
    : new Map([[HUMAN, places]]);
  const found = [...groups.values()].map((group) =>
    deduplicated(group, (one, other) => similarity(group[one]!.place, group[other]!.place), threshold),
  );
  return { kept: found.flatMap(({ kept }) => kept), dropped: found.flatMap(({ dropped }) => dropped) };
}

const listing = (ideas: readonly SourcedIdea[], similarity: Similarity, measure: Measure): SimilarityMatrix => ({
  measure,
  ids: ideas.map(({ id }) => id),
  rows:
    ideas.length > MOST_LISTED
      ? null
      : ideas.map((_, row) => Array.from({ length: row }, (_value, column) => rounded(similarity(column, row)))),
});
