/** People rate trials over HTTP: at callback URLs without a key, blinded, saved once. */
import { describe, expect, it } from "vitest";
import { getPage, postPage, textOf } from "../../../../contract/page";
import { newDataset, questions } from "../../../../support/experiments";
import { all, call, planModel, until } from "../../../../support/parley";
import { expire, setUpRuns } from "../../../../support/runs";

const { client, live, send, untilCompleted, start, contentsOf } = setUpRuns((body: object = {}) => ({
  workflow: "experiment",
  ...body,
}));

/** Waits until a run asks as many pages as this. */
const pagesOf = (key: string, run: string, count: number): Promise<any[]> =>
  until(`${count} pages`, async () => {
    const open = await all(key, `/v1/interactions?run_id=${run}&status=open`);
    return open.length === count && open;
  });

const pathOf = ({ callback_url }: { callback_url: string }) => new URL(callback_url).pathname;

/** What a rater would choose on the page, by the text of each section: the side where this text stands. */
function sidesOf(html: string, text: string): string[] {
  return html
    .split('<section class="rated"')
    .slice(1)
    .map((section) => (section.indexOf(text) < section.indexOf(">Answer 2</h4>") ? "Answer 1" : "Answer 2"));
}

const form = (sides: string[]) => Object.fromEntries(sides.map((side, at) => [`answers[rating_${at + 1}_win]`, side]));

describe("pairs", () => {
  /** Two variants whose models have names of their own, and two raters. */
  async function asked(options: object = {}) {
    const [good, poor] = await Promise.all([
      planModel({ "*": [{ content: "GOOD-REPLY, with **reasons**." }] }),
      planModel({ "*": [{ content: "POOR-REPLY" }] }),
    ]);
    const variants = [
      { name: "secret-base", workflow: "plain", options: { form: "text" }, models: poor },
      { name: "secret-system", workflow: "plain", options: { form: "text" }, models: good },
    ];
    const id = await live.start({
      input: { title: "Which is better?", dataset_id: await newDataset(client.live, questions(6)), variants },
      options: { metrics: ["accuracy"], rating: { form: "pairs", raters: ["Ana", "Bo"], per_page: 6, ...options } },
      models: { default: good!.default, seed: 4 },
    });
    return { id, names: ["secret-base", "secret-system", good!.default, poor!.default] };
  }

  it("are rated without a key, blinded and shuffled; the ratings become measures with their agreement", async () => {
    const { id, names } = await asked();
    const [first, second] = await pagesOf(client.live, id, 2);
    const htmls = [];
    for (const page of [first, second]) {
      const { body: html, headers, status } = await getPage(pathOf(page));
      expect(status).toBe(200);
      expect(headers.get("content-security-policy")).toContain("script-src 'none'");
      expect(html).not.toContain("<script");
      const words = textOf(html);
      expect(words).toMatch(/For (Ana|Bo): page 1 of 1\./);
      for (const name of names) for (const part of [name, name.split("/").at(-1)!]) expect(html).not.toContain(part);
      expect(html).not.toContain("plain");
      expect(html).toContain("<strong>reasons</strong>");
      for (const item of [1, 2, 3, 4, 5, 6]) expect(words).toContain(`Which number is ${item}?`);
      const { body: json } = await call("GET", pathOf(page));
      for (const name of names) expect(JSON.stringify(json)).not.toContain(name);
      htmls.push(html);
    }
    const sides = htmls.map((html) => sidesOf(html, "GOOD-REPLY"));
    expect(new Set(sides.flat())).toEqual(new Set(["Answer 1", "Answer 2"]));
    // One rater takes the better answer each time, the other calls the last two equally good.
    const tied = [...sides[1]!.slice(0, 4), "Equally good", "Equally good"];
    const incomplete = await postPage(pathOf(first), form(sides[0]!.slice(0, 5)));
    expect(incomplete.status).toBe(422);
    expect(textOf(incomplete.body)).toContain("One thing is not right yet");
    expect(await postPage(pathOf(first), form(sides[0]!))).toMatchObject({ status: 200 });
    expect(await postPage(pathOf(first), form(tied))).toMatchObject({ status: 409 });
    expect(await postPage(pathOf(second), { ...form(tied), comment: "Hard to say." })).toMatchObject({ status: 200 });
    const run = await live.untilCompleted(id);
    // 4 items have 1 of both raters, 2 have (1 + 0.5) / 2.
    const rated = run.output.results.filter(({ measure }: any) => measure === "rating.win");
    expect(rated.map(({ variant, n, mean }: any) => [variant, n, mean])).toEqual([
      ["secret-base", 6, 0.5],
      ["secret-system", 6, expect.closeTo((4 + 2 * 0.75) / 6, 9)],
    ]);
    expect(run.output.agreement).toEqual([
      {
        form: "pairs",
        dimension: "win",
        raters: 2,
        items: 6,
        // One of both uses a single category, so that nothing beyond chance is seen.
        cohen: expect.closeTo(0, 9),
        // Observed 4 / 6; expected (10 / 12)² + (2 / 12)² = 26 / 36.
        fleiss: expect.closeTo((4 / 6 - 26 / 36) / (10 / 36), 9),
        // Observed 4 / 12; expected 2 · 10 · 2 / (12 · 11).
        krippendorff: expect.closeTo(1 - 4 / 12 / (40 / 132), 9),
      },
    ]);
    expect(run.output.document.text).toContain("Agreement of raters");
    const [ratings] = await live.contentsOf(run, "ratings");
    expect(ratings).toMatchObject({
      pages: { asked: 2, answered: 2, expired: 0 },
      comments: [{ comment: "Hard to say." }],
    });
    expect(ratings.ratings).toHaveLength(12);
  });

  it("are analysed without the pages that expire, and these are counted", async () => {
    const { id } = await asked({ per_page: 3 });
    const pages = await pagesOf(client.live, id, 4);
    const [answered, ...late] = pages;
    const { body: html } = await getPage(pathOf(answered));
    await postPage(pathOf(answered), form(sidesOf(html, "GOOD-REPLY")));
    await Promise.all(late.map((page) => expire(page)));
    const run = await live.untilCompleted(id);
    const [ratings] = await live.contentsOf(run, "ratings");
    expect(ratings.pages).toEqual({ asked: 4, answered: 1, expired: 3 });
    expect(run.output.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ variant: "secret-system", measure: "rating.win", n: 3, mean: 1 }),
      ]),
    );
    expect(run.output.agreement[0]).toMatchObject({ raters: 1, items: 0, cohen: null, krippendorff: null });
    expect(run.output.document.text).toContain("3 of 4 pages were not answered in time");
  });
});

describe("scales and labels", () => {
  it("open the pages of all raters at once, however many", async () => {
    const id = await start({
      input: {
        dataset_id: await newDataset(client.test, questions(2)),
        variants: [{ name: "only", workflow: "plain" }],
      },
      options: { rating: { form: "likert", raters: 10, per_page: 1 } },
    });
    const pages = await pagesOf(client.test, id, 20);
    expect(new Set(pages.map(({ prompt }: any) => prompt.match(/For (Rater \d+)/)[1]))).toHaveLength(10);
  });

  it("rate one answer in several dimensions, each with its own measure", async () => {
    const id = await start({
      input: {
        dataset_id: await newDataset(client.test, questions(2)),
        variants: [{ name: "only", workflow: "plain" }],
      },
      options: { rating: { form: "likert", dimensions: ["clarity", "accuracy"], raters: 1 } },
    });
    const [page] = await pagesOf(client.test, id, 1);
    const answers = {
      rating_1_clarity: "5 Very good",
      rating_1_accuracy: "2 Poor",
      rating_2_clarity: "4 Good",
      rating_2_accuracy: "3 Fair",
    };
    expect(page.questions.map((one: any) => one.id)).toEqual(Object.keys(answers));
    expect((await send("POST", `/v1/interactions/${page.id}/answer`, { answers })).status).toBe(200);
    const run = await untilCompleted(id);
    const rated = run.output.results.filter(({ measure }: any) => measure.startsWith("rating."));
    expect(rated.map(({ measure, mean }: any) => [measure, mean])).toEqual([
      ["rating.accuracy", 2.5],
      ["rating.clarity", 4.5],
    ]);
  });

  it("say whether a citation supports a statement", async () => {
    const item = {
      id: "notice",
      input: {
        question: "How long is the notice?",
        evidence: [{ source: "Code, art. 1", text: "A lease ends with a notice of three months, given in writing." }],
      },
    };
    const id = await start({
      input: {
        dataset_id: await newDataset(client.test, [item], "debate"),
        variants: [{ name: "cited", workflow: "debate", options: { rounds: 1 } }],
      },
      options: { rating: { form: "binary", raters: 1, per_page: 20 } },
    });
    const [page] = await pagesOf(client.test, id, 1);
    const { body: html } = await getPage(pathOf(page));
    expect(textOf(html)).toContain("Words of the source");
    const answers = Object.fromEntries(page.questions.map((one: any, at: number) => [one.id, at > 0]));
    await send("POST", `/v1/interactions/${page.id}/answer`, { answers });
    const run = await untilCompleted(id);
    const [ratings] = await contentsOf(run, "ratings");
    const count = ratings.subjects.length;
    expect(run.output.results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ measure: "rating.supported", mean: expect.closeTo((count - 1) / count, 9) }),
      ]),
    );
  });
});

describe("a request for ratings", () => {
  it("is refused where it would tell raters a name, and where there is nothing to rate", async () => {
    const dataset_id = await newDataset(client.test, questions(1));
    const errors = async (rating: object, title = "A title") => {
      const body = {
        workflow: "experiment",
        input: { title, dataset_id, variants: [{ name: "secret-base", workflow: "plain" }] },
        options: { rating: { raters: 2, ...rating } },
      };
      return (await send("POST", "/v1/runs", body)).body.errors.map(({ path, code }: any) => [path, code]);
    };
    expect(await errors({ form: "likert" }, "Is Secret-Base good?")).toEqual([["input.title", "names_variant"]]);
    expect(await errors({ form: "pairs" })).toEqual([["options.rating", "custom"]]);
    expect(await errors({ form: "binary" })).toEqual([["options.rating", "custom"]]);
    expect(await errors({ form: "pairs", each: 3 })).toEqual([["options.rating.each", "invalid_value"]]);
    expect(await errors({ form: "pairs", against: "nobody" })).toEqual([
      ["options.rating.against", "unknown_variant"],
      ["options.rating", "custom"],
    ]);
  });
});
