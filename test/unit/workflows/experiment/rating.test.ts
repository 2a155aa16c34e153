/** Human rating: who rates what, what answers mean, and how far raters agree; numbers computed by hand. */
import { describe, expect, it } from "vitest";
import { agreementOn } from "#workflows/experiment/rules/rating/agreement";
import { ratingSchema } from "#workflows/experiment/rules/rating/options";
import { drawn, mostSubjects, pagesOf, subjectsOf } from "#workflows/experiment/rules/rating/plan";
import { promptOf, questionsOn, ratingsIn } from "#workflows/experiment/rules/rating/questions";
import { agreementOf, ratedScores, type Ratings } from "#workflows/experiment/rules/rating/ratings";

const near = (value: number) => expect.closeTo(value, 9) as number;
const options = (given: object) => ratingSchema.parse({ form: "pairs", raters: 2, ...given });

const trials = ["a", "b", "c"].flatMap((variant) =>
  ["q1", "q2"].map((item) => ({ variant, item, repetition: 0, citations: variant === "a" ? 2 : 0 })),
);

describe("what is rated", () => {
  it("is each trial, each citation, or each pair with the other variant on the same item", () => {
    expect(subjectsOf({ form: "likert" }, trials, "a")).toHaveLength(6);
    expect(subjectsOf({ form: "binary" }, trials, "a").map(({ citation }) => citation)).toEqual([0, 1, 0, 1]);
    const pairs = subjectsOf({ form: "pairs" }, trials.slice(0, -1), "a");
    expect(pairs.map(({ variant, against, item }) => [variant, against, item])).toEqual([
      ["b", "a", "q1"],
      ["b", "a", "q2"],
      ["c", "a", "q1"],
    ]);
  });

  it("is drawn by item, so that the variants of an item are rated together", () => {
    const four = drawn(subjectsOf({ form: "likert" }, trials, "a"), 3, 5);
    expect(new Set(four.map(({ item }) => item))).toHaveLength(1);
    expect(new Set(four.map(({ variant }) => variant))).toEqual(new Set(["a", "b", "c"]));
  });

  it("fits on two hundred pages", () => {
    expect(mostSubjects(options({ raters: 2, per_page: 10 }))).toBe(990);
    expect(mostSubjects(options({ raters: 2, items: 7 }))).toBe(7);
    expect(ratingSchema.safeParse({ form: "pairs", raters: 20, items: 500, per_page: 10 }).success).toBe(false);
    expect(ratingSchema.safeParse({ form: "pairs", raters: 2, each: 3 }).success).toBe(false);
    expect(ratingSchema.safeParse({ form: "pairs", raters: ["Ana", "Ana"] }).success).toBe(false);
    expect(ratingSchema.safeParse({ form: "pairs", raters: 2, dimensions: ["clarity"] }).success).toBe(false);
  });
});

describe("pages", () => {
  it("give each subject as many raters as were asked for, and each rater as many subjects, give or take one", () => {
    for (const [raters, each] of [
      [3, 2],
      [4, 3],
      [5, 1],
      [2, 2],
    ] as const) {
      const pages = pagesOf(11, { raters, each, per_page: 4 }, 9);
      const places = pages.flatMap((page) => page.places);
      const times = Array.from({ length: 11 }, (_, subject) => places.filter((one) => one.subject === subject).length);
      expect(times).toEqual(Array(11).fill(each));
      const loads = Array.from({ length: raters }, (_, rater) =>
        pages.filter((page) => page.rater === rater).flatMap((page) => page.places),
      );
      for (const own of loads) expect(new Set(own.map(({ subject }) => subject))).toHaveLength(own.length);
      const sizes = loads.map(({ length }) => length);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(each);
      expect(pages.every((page) => page.places.length <= 4)).toBe(true);
    }
  });

  it("shuffle order and sides for each rater, with the seed", () => {
    const pages = pagesOf(40, { raters: 2, each: 2, per_page: 20 }, 3);
    const sides = pages.flatMap((page) => page.places.map(({ swapped }) => swapped));
    expect(sides.filter(Boolean).length).toBeGreaterThan(20);
    expect(sides.filter((swapped) => !swapped).length).toBeGreaterThan(20);
    expect(pages[0]!.places).not.toEqual(pages[2]!.places);
    expect(pagesOf(40, { raters: 2, each: 2, per_page: 20 }, 3)).toEqual(pages);
  });

  it("ask one question for each subject and dimension, about the artifact that shows it", () => {
    const likert = options({ form: "likert", dimensions: ["clarity", "legal_relevance"] });
    const asked = questionsOn(likert, [{ id: "art_1" }, { id: "art_2" }]);
    expect(asked.map(({ id, artifact_id }) => [id, artifact_id])).toEqual([
      ["rating_1_clarity", "art_1"],
      ["rating_1_legal_relevance", "art_1"],
      ["rating_2_clarity", "art_2"],
      ["rating_2_legal_relevance", "art_2"],
    ]);
    expect(asked[3]!.text).toBe("2. How good is the answer? Legal relevance:");
    expect(promptOf(likert, { rater: "Ana", number: 1, of: 2 })).toMatch(/^For Ana: page 1 of 2\./);
  });
});

describe("answers", () => {
  it("count for the variant on whichever side it stood", () => {
    const page = { rater: 1, places: [true, false, true].map((swapped, subject) => ({ subject, swapped })) };
    const answers = { rating_1_win: "Answer 1", rating_2_win: "Answer 1", rating_3_win: "Equally good" };
    expect(ratingsIn(options({}), page, answers).map(({ subject, value }) => [subject, value])).toEqual([
      [0, 0],
      [1, 1],
      [2, 0.5],
    ]);
  });

  it("are points of scales, and yes or no", () => {
    const page = { rater: 0, places: [{ subject: 0, swapped: false }] };
    const likert = options({ form: "likert", dimensions: ["clarity"] });
    expect(ratingsIn(likert, page, { rating_1_clarity: "4 Good" })[0]).toMatchObject({
      dimension: "clarity",
      value: 4,
    });
    const binary = options({ form: "binary" });
    expect(ratingsIn(binary, page, { rating_1_supported: false })[0]).toMatchObject({ value: 0 });
    expect(ratingsIn(binary, page, {})).toEqual([]);
  });
});

describe("agreement", () => {
  it("of two raters on yes or no", () => {
    // Both agree on 3 of 4. Cohen: expected .5 * .25 + .5 * .75 = .5. Fleiss: (9 + 25) / 64. Krippendorff: 30 / 56 expected, 2 / 8 observed.
    const ratings = [
      [1, 1, 0, 0],
      [1, 0, 0, 0],
    ];
    expect(agreementOn("binary", "supported", ratings, 2)).toEqual({
      form: "binary",
      dimension: "supported",
      raters: 2,
      items: 4,
      cohen: near(0.5),
      fleiss: near((0.75 - 34 / 64) / (30 / 64)),
      krippendorff: near(1 - 0.25 / (30 / 56)),
    });
  });

  it("on a scale weighs how far apart two ratings are", () => {
    // Observed .25 / 3; expected 17 / 36.
    const { cohen } = agreementOn(
      "likert",
      "clarity",
      [
        [1, 3, 5],
        [1, 4, 5],
      ],
      2,
    );
    expect(cohen).toEqual(near(1 - 0.25 / 3 / (17 / 36)));
  });

  it("leaves out what only one has rated, and is unknown where nothing is shared", () => {
    const ratings = [
      [1, 1, 0, null],
      [1, null, 0, null],
      [null, null, null, 1],
    ];
    expect(agreementOn("binary", "supported", ratings, 2)).toMatchObject({
      raters: 3,
      items: 2,
      cohen: 1,
      fleiss: 1,
      krippendorff: 1,
    });
    expect(
      agreementOn(
        "binary",
        "supported",
        [
          [1, null],
          [null, 0],
        ],
        1,
      ),
    ).toMatchObject({
      raters: 2,
      items: 0,
      cohen: null,
      fleiss: null,
      krippendorff: null,
    });
  });
});

describe("ratings", () => {
  const subject = (variant: string, citation: number | null) => ({
    item: "q1",
    repetition: 0,
    variant,
    against: null,
    citation,
  });
  const ratings: Ratings = {
    form: "binary",
    question: "?",
    dimensions: ["supported"],
    raters: ["Ana", "Bo"],
    each: 2,
    subjects: [subject("a", 0), subject("a", 1), subject("b", 0)],
    ratings: [
      [0, 0, 1],
      [1, 0, 1],
      [0, 1, 0],
      [1, 2, 1],
    ].map(([rater, of, value]) => ({ rater: rater!, subject: of!, dimension: "supported", value: value! })),
    comments: [],
    pages: { asked: 2, answered: 2, expired: 0 },
  };

  it("are measures of trials; each citation counts once, however many have rated it", () => {
    expect(ratedScores(ratings)).toEqual([
      { variant: "a", item: "q1", repetition: 0, scores: { "rating.supported": 0.5 } },
      { variant: "b", item: "q1", repetition: 0, scores: { "rating.supported": 1 } },
    ]);
    expect(agreementOf(ratings)).toMatchObject([{ dimension: "supported", raters: 2, items: 1 }]);
  });
});
