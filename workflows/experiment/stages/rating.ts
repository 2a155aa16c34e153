import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { chunksOf } from "#workflow-kit/chunks";
import { reference } from "#workflow-kit/run";
import type { Context } from "../context";
import {
  answerDocument,
  answerOf,
  bounded,
  MAX_ANSWER_LENGTH,
  MAX_REQUEST_LENGTH,
  modelNames,
  requestOf,
  withoutNames,
} from "../rules/material";
import { dimensionsOf, ratersOf, type RatingOptions } from "../rules/rating/options";
import {
  drawn,
  mostSubjects,
  type Page,
  type PlacedSubject,
  pagesOf,
  type RateableTrial,
  type RatingMaterial,
  type Subject,
  subjectsOf,
} from "../rules/rating/plan";
import { promptOf, questionOf, questionsOn, ratingsIn } from "../rules/rating/questions";
import type { Ratings } from "../rules/rating/ratings";
import type { Trial } from "../rules/trials";
import { type EndedTrial, endedTrials, withOutputs } from "./ended-trials";
import type { TrialRuns } from "./trials";

/** Trials whose outputs are in memory at the same time. */
const CHUNK = 100;
/** Texts that are blinded at the same time. */
const BLIND_BATCH = 8;

interface Citation {
  quote: string;
  proposition: string;
  authority_id: string;
  external_id?: string | null;
}

const citationsOf = ({ output }: Trial): readonly Citation[] =>
  ((output ?? {}) as { citations?: readonly Citation[] }).citations ?? [];

const keyOf = (variant: string, { item, repetition }: Pick<Subject, "item" | "repetition">): string =>
  `${variant}/${item}/${repetition}`;

/** People rate trials: one page of questions a rater and page, all open at once. Returns the artifact `ratings`. */
export async function rateTrials(context: Context, options: RatingOptions, ran: TrialRuns): Promise<DocumentReference> {
  const { items } = await context.items();
  const { ended } = await endedTrials(context, items, ran);
  const raters = ratersOf(options);
  const each = options.each ?? raters.length;
  const against = options.against ?? context.variants[0]!.name;
  const plan = await context.compute("rating_plan", { action: "draw" }, async () => {
    const all = subjectsOf(options, await rateable(context, options, ended), against);
    return drawn(all, mostSubjects(options), context.seedFor("rating"));
  });
  const subjects = plan.content;
  const layout = { raters: raters.length, each, per_page: options.per_page };
  const pages = pagesOf(subjects.length, layout, context.seedFor("pages"));
  const shown = await shownOn(context, pages, subjects, ended);
  // All pages at once: a page that waits for its rater must not keep the next one from being opened.
  const replies = await context.run.parallel(
    pages,
    async (page) => {
      const materials = page.places.map((place) => shown.get(shownAs(place))!);
      return context.run.ask({
        key: `rater-${page.rater + 1}.${page.number}`,
        kind: "clarification",
        prompt: promptOf(options, { ...page, rater: raters[page.rater]! }),
        artifacts: materials,
        questions: questionsOn(options, materials),
      });
    },
    pages.length,
  );
  const answered = replies.flatMap((reply, index) =>
    reply.status === "answered" ? [{ reply, page: pages[index]! }] : [],
  );
  const ratings = await context.compute("ratings", { action: "collect" }, (): Ratings => ({
    form: options.form,
    question: questionOf(options),
    dimensions: dimensionsOf(options),
    raters,
    each,
    subjects,
    ratings: answered.flatMap(({ reply, page }) => ratingsIn(options, page, reply.answers)),
    comments: answered.flatMap(({ reply: { comment }, page: { rater, number } }) =>
      comment === null ? [] : [{ rater, page: number, comment }],
    ),
    pages: { asked: pages.length, answered: answered.length, expired: pages.length - answered.length },
  }));
  return reference(ratings)!;
}

/** The completed trials, with the number of citations where these are rated. */
async function rateable(
  context: Context,
  { form }: RatingOptions,
  ended: readonly EndedTrial[],
): Promise<RateableTrial[]> {
  const completed = ended.filter(({ end }) => end.status === "completed");
  const trials: RateableTrial[] = [];
  for (const chunk of chunksOf(completed, CHUNK)) {
    const outputs = form === "binary" ? await withOutputs(context, chunk) : null;
    for (const [index, { planned }] of chunk.entries())
      trials.push({
        variant: planned.variant.name,
        item: planned.item.id,
        repetition: planned.repetition,
        citations: outputs ? citationsOf(outputs[index]!).length : 0,
      });
  }
  return trials;
}

/** The content of a place: the subject, and the side that is shown first. */
const shownAs = ({ subject, swapped }: PlacedSubject): string => `${subject + 1}.${swapped ? "b" : "a"}`;

/** The artifacts that the pages show, each made once: those with the same sides serve all raters. */
async function shownOn(
  context: Context,
  pages: readonly Page[],
  subjects: readonly Subject[],
  ended: readonly EndedTrial[],
): Promise<Map<string, Artifact<RatingMaterial>>> {
  const trials = new Map(ended.map((one) => [one.planned.key, one]));
  const places = new Map(pages.flatMap((page) => page.places).map((place) => [shownAs(place), place]));
  const shown = await context.run.parallel(
    [...places],
    async ([key, { subject, swapped }]) => {
      const material = await context.compute("rating_material", { action: "blind", key }, () =>
        materialOf(context, subjects[subject]!, swapped, trials),
      );
      return [key, material] as const;
    },
    BLIND_BATCH,
  );
  return new Map(shown);
}

async function materialOf(
  context: Context,
  subject: Subject,
  swapped: boolean,
  ended: ReadonlyMap<string, EndedTrial>,
): Promise<RatingMaterial> {
  const { variant, against, citation } = subject;
  const names = modelNames(context.variants.map(({ models }) => models ?? context.run.models.default));
  const blind = (text: string, most: number) => bounded(withoutNames(text, names), most).text;
  const of = [variant, ...(against === null ? [] : [against])].map((name) => ended.get(keyOf(name, subject))!);
  const trials = await withAnswers(context, await withOutputs(context, of));
  const request = {
    title: "Request",
    text: blind(requestOf(of[0]!.planned.item), MAX_REQUEST_LENGTH),
    beside: false,
  };
  if (citation !== null) {
    const cited = citationsOf(trials[0]!)[citation];
    return {
      parts: [
        request,
        { title: "Statement", text: blind(cited?.proposition ?? "", MAX_ANSWER_LENGTH), beside: true },
        { title: "Words of the source", text: blind(cited?.quote ?? "", MAX_ANSWER_LENGTH), beside: true },
      ],
    };
  }
  const answers = trials.map((trial) => blind(answerOf(trial) ?? "*(no answer)*", MAX_ANSWER_LENGTH));
  if (against === null) return { parts: [request, { title: "Answer", text: answers[0]!, beside: false }] };
  const sides = swapped ? answers.toReversed() : answers;
  return {
    parts: [request, ...sides.map((text, side) => ({ title: `Answer ${side + 1}`, text, beside: true }))],
  };
}

/** The trials with the documents that hold their answers. */
async function withAnswers({ run }: Context, trials: readonly Trial[]): Promise<Trial[]> {
  const documents = trials.map(answerDocument);
  const wanted = documents.flatMap((document, index) =>
    document ? [{ run_id: trials[index]!.run_id, artifact_id: document.artifact_id }] : [],
  );
  const contents = await run.children.contents(wanted);
  return trials.map((trial, index) => {
    const document = documents[index];
    if (!document) return trial;
    const at = wanted.findIndex(
      ({ run_id, artifact_id }) => run_id === trial.run_id && artifact_id === document.artifact_id,
    );
    return { ...trial, contents: { [document.artifact_id]: contents[at] } };
  });
}
