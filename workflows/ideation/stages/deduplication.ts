import type { DocumentReference } from "../../../src/engine/artifact";
import { reference } from "../../../src/engine/run";
import type { Drop, IdeaSet, KeptIdeas, Measure, SimilarityMatrix, SourcedIdea } from "../artifacts";
import type { Assignment } from "../assignment";
import { deduplicated, rounded } from "../deduplication";
import { drawMatrix } from "../drawings/matrix";
import {
  byVectors,
  byWords,
  comparedText,
  LEXICAL_MEASURE,
  pairwise,
  THRESHOLDS,
  type Similarities,
} from "../similarity";

/** The similarities of so many ideas are listed and drawn; of more, those of the first. */
const MOST_SHOWN = 300;

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
  const { among, measure } = await compared(assignment, ideas);
  const shown = ideas.slice(0, MOST_SHOWN);
  const similarity = pairwise(among(shown));
  const by = { role: "workflow", inputs: [source] };

  const verdict = await assignment.keep("kept_ideas", { ...by, action: "deduplicate" }, (): KeptIdeas => {
    const found = groups(assignment, ideas).map((group) => deduplicated(group, among(group), measure.threshold));
    const dropped = found.flatMap((group) => group.dropped);
    return { measure, kept: found.flatMap(({ kept }) => kept), dropped };
  });
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
  return { ...(verdict.content as KeptIdeas), verdict: reference(verdict)!, picture: reference(picture)! };
}

interface Compared {
  measure: Measure;
  /** The measure over some of the ideas, in the order given. */
  among: (some: readonly SourcedIdea[]) => Similarities;
}

/** By the run's encoder; where there is none, by words. */
async function compared(assignment: Assignment, ideas: readonly SourcedIdea[]): Promise<Compared> {
  const embedded = ideas.length ? await assignment.run.embed(ideas.map(comparedText), { key: "ideas" }) : null;
  const method = embedded ? "embedding" : "lexical";
  const threshold = assignment.options.dedup_threshold ?? THRESHOLDS[method];
  const measure: Measure = { method, model: embedded?.model ?? LEXICAL_MEASURE, threshold };
  if (!embedded) return { measure, among: (some) => byWords(some.map(comparedText)) };
  const vectors = new Map(ideas.map(({ id }, place) => [id, embedded.vectors[place]!]));
  return { measure, among: (some) => byVectors(some.map(({ id }) => vectors.get(id)!)) };
}

/** Ideas of two configurations never drop each other: then neither would be measured by itself. */
const groups = ({ options }: Assignment, ideas: readonly SourcedIdea[]): SourcedIdea[][] =>
  options.compare ? [...Map.groupBy(ideas, ({ configuration }) => configuration).values()] : [[...ideas]];

const rowsOf = (count: number, similarity: (one: number, other: number) => number): number[][] =>
  Array.from({ length: count }, (_, row) =>
    Array.from({ length: row }, (_value, column) => rounded(similarity(column, row))),
  );
