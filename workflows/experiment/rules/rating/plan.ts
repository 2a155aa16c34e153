import { seededRandom, shuffled } from "#workflow-kit/seeded-random";
import { chunksOf } from "#workflow-kit/chunks";
import { MAX_PAGES, type RatingOptions, ratersOf } from "./options";

/** What a person rates: a trial, a pair of trials, or one citation of a trial. */
export interface Subject {
  item: string;
  repetition: number;
  variant: string;
  /** Of a pair: the variant that it is compared with. */
  against: string | null;
  /** Position among the citations of the output. */
  citation: number | null;
}

/** What a rater reads of one subject: texts under titles; those that are to be compared are beside each other. */
export interface RatingMaterial {
  parts: readonly { title: string; text: string; beside: boolean }[];
}

/** A trial that can be rated. */
export interface RateableTrial {
  variant: string;
  item: string;
  repetition: number;
  citations: number;
}

/** Everything that could be rated. Pairs need the trials of both variants. */
export function subjectsOf(
  { form }: Pick<RatingOptions, "form">,
  trials: readonly RateableTrial[],
  against: string,
): Subject[] {
  const subject = ({ item, repetition, variant }: RateableTrial): Subject => ({
    item,
    repetition,
    variant,
    against: null,
    citation: null,
  });
  if (form === "likert") return trials.map(subject);
  if (form === "binary")
    return trials.flatMap((trial) =>
      Array.from({ length: trial.citations }, (_, citation) => ({ ...subject(trial), citation })),
    );
  const rivals = new Set(trials.filter(({ variant }) => variant === against).map(placeOf));
  return trials
    .filter((trial) => trial.variant !== against && rivals.has(placeOf(trial)))
    .map((trial) => ({ ...subject(trial), against }));
}

const placeOf = ({ item, repetition }: Pick<Subject, "item" | "repetition">): string =>
  JSON.stringify([item, repetition]);

/** Draws what is rated. All that belongs to one item and repetition comes together, so that variants are rated on the same items. */
export function drawn(subjects: readonly Subject[], most: number, seed: number): Subject[] {
  const groups = [...Map.groupBy(subjects, placeOf).values()];
  return shuffled(groups, seed)
    .flatMap((group, index) => shuffled(group, seed + index + 1))
    .slice(0, most);
}

/** As many as a request asks for, or as fit on the pages of an experiment. */
export function mostSubjects(options: RatingOptions): number {
  const { items, per_page } = options;
  const raters = ratersOf(options).length;
  const fitting = Math.max(1, Math.floor(((MAX_PAGES - raters) * per_page) / (options.each ?? raters)));
  return Math.min(items ?? fitting, fitting);
}

/** The text that one rater reads at one place of a page. */
export interface PlacedSubject {
  /** Index of the subject. */
  subject: number;
  /** Whether the other variant's answer stands first. */
  swapped: boolean;
}

/** A page of one rater. */
export interface Page {
  /** Index of the rater. */
  rater: number;
  /** From 1, and of how many of this rater. */
  number: number;
  of: number;
  places: PlacedSubject[];
}

/**
 * Who rates what: each subject gets `each` raters in turn, so that all raters have the same number, give or take one. Every rater has an own order
 * and own sides.
 */
export function pagesOf(
  subjects: number,
  { raters, each, per_page }: { raters: number; each: number; per_page: number },
  seed: number,
): Page[] {
  const random = seededRandom(seed);
  return Array.from({ length: raters }, (_, rater) => {
    const own = Array.from({ length: subjects }, (__, subject) => subject).filter(
      (subject) => (rater - ((subject * each) % raters) + raters) % raters < each,
    );
    const places = shuffled(own, seed + rater + 1).map((subject) => ({ subject, swapped: random() < 0.5 }));
    const pages = chunksOf(places, per_page);
    return pages.map((page, index) => ({ rater, number: index + 1, of: pages.length, places: page }));
  }).flat();
}
