/** A live run fills its paper bank from Semantic Scholar; when the source fails, the run notes it and continues. */
import { describe, expect, it } from "vitest";
import { callsOf, planFromMock, planModel, planPapers } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";
import { newId } from "#core/ids";

const { client, live } = setUpRuns();

const paper = (id: string, title: string) => ({
  paperId: id,
  title,
  abstract: `${title}. ${"It works well on four data sets, and an ablation shows why this is so. ".repeat(5)}`,
  year: 2025,
  citationCount: 3,
  url: null,
});

/** A run on a topic with a unique name, by which the source is planned. */
async function runToEnd(
  answers: (name: string) => object[],
  librarian: (name: string) => Record<string, object[]> = () => ({}),
  options: object = {},
) {
  const name = `name${newId("art").slice(-8).toLowerCase()}`;
  await planPapers(name, answers(name));
  const body = {
    workflow: "ideation",
    input: { topic: `prompting for ${name}` },
    options: { preset: "single", ideas: 1, proposals: 1, bank_size: 10, ...options },
  };
  const mocked = await planFromMock(client, { ...body, options: { ...body.options, paper_source: "none" } });
  const planned = Object.fromEntries(
    Object.entries(librarian(name)).map(([step, outputs]) => [
      step,
      outputs.map((output) => ({ content: JSON.stringify(output) })),
    ]),
  );
  const models = await planModel({ ...mocked, ...planned });
  const id = await live.start({ ...body, models });
  return { name, run: await live.untilCompleted(id) };
}

const bankOf = async (run: { id: string }) => (await live.contentsOf(run, "paper_bank"))[0];

describe("the bank", () => {
  it("is filled by three kinds of queries, filtered, scored, sorted, and shown to the proposer", async () => {
    const { name, run } = await runToEnd(
      (known) => [
        {
          body: {
            data: [
              paper(`${known}-1`, "Low"),
              paper(`${known}-2`, "High"),
              paper(`${known}-3`, "A Survey of All"),
              { ...paper(`${known}-4`, "Short"), abstract: "Too short." },
            ],
          },
        },
        { body: { recommendedPapers: [paper(`${known}-2`, "High"), paper(`${known}-5`, "Middle")] } },
        { status: 500 },
        { body: { data: [{ citedPaper: paper(`${known}-6`, "Cited") }] } },
        { body: { data: [] } },
      ],
      (known) => ({
        "paper_bank/score_papers#search1.1": [
          {
            scores: [
              { paper: "p1", score: 2 },
              { paper: "p2", score: 9 },
            ],
          },
        ],
        "paper_bank/score_papers#search2.1": [{ scores: [{ paper: "p1", score: 5 }] }],
        "paper_bank/score_papers#search3.1": [{ scores: [{ paper: "p1", score: 6 }] }],
        "paper_bank/write_paper_query#2": [{ kind: "recommendations", text: "p1" }],
        "paper_bank/write_paper_query#3": [{ kind: "references", text: "p2" }],
        ...Object.fromEntries(
          [4, 5, 6, 7, 8, 9, 10].map((round) => [
            `paper_bank/write_paper_query#${round}`,
            [{ kind: "keyword", text: `${known} again` }],
          ]),
        ),
      }),
    );
    const bank = await bankOf(run);
    expect(bank.papers.map(({ title, score }: any) => [title, score])).toEqual([
      ["High", 9],
      ["Cited", 6],
      ["Middle", 5],
      ["Low", 2],
    ]);
    expect(bank.queries.slice(0, 3)).toEqual([
      { kind: "keyword", query: `keyword: prompting for ${name}`, found: 4, new: 2 },
      { kind: "recommendations", query: "recommendations: High", found: 2, new: 1 },
      { kind: "references", query: "references: Middle", found: 1, new: 1 },
    ]);
    expect(bank.queries).toHaveLength(10);
    // Another search may find other papers, so every artifact about papers names its search as input.
    const artifacts = await live.artifactsOf(run.id);
    const made = artifacts.filter(({ stage, kind }) => stage === "paper_bank" && kind !== "paper_bank");
    for (const { step, kind, inputs } of artifacts.filter(({ stage }) => stage === "paper_bank")) {
      if (kind === "paper_search") continue;
      const before =
        kind === "paper_bank"
          ? made
          : made.slice(
              0,
              made.findIndex((one) => one.step === step),
            );
      expect(inputs, step).toEqual(before.map(({ id }) => id));
    }
    const proposal = (await callsOf(run.id)).find(({ step }) => step.startsWith("dialogue/propose_ideas"))!;
    expect(JSON.stringify(proposal.request.messages)).toContain(". Cited: Cited. It works well");
  });
});

describe("a source that fails", () => {
  it.each([
    ["answers 429 and asks to wait for an hour", [{ status: 429, headers: { "retry-after": "3600" } }], "429"],
    ["answers 500 again and again", [{ status: 500 }], "500"],
    ["answers what is no JSON", [{ content: "<html>down</html>" }], "could not be read"],
    ["is slow", [{ delay_ms: 4000, body: { data: [] } }], "in time"],
  ])("%s: the run notes it, and makes its ideas without papers", async (_what, answers, said) => {
    const { run } = await runToEnd(() => answers);
    expect(run.output.paper_source).toMatchObject({ source: "semantic_scholar", papers: 0 });
    expect(run.output.paper_source.note).toContain(said);
    expect(run.output.paper_source.note).toContain("There are no papers");
    expect(run.output.proposals).toHaveLength(1);
  });

  it("that finds nothing is not a failure", async () => {
    const empty = (known: string) =>
      Object.fromEntries(
        [2, 3, 4, 5, 6, 7, 8, 9, 10].map((round) => [
          `paper_bank/write_paper_query#${round}`,
          [{ kind: "keyword", text: `${known} again` }],
        ]),
      );
    const { run } = await runToEnd(() => [{ body: { total: 0 } }], empty);
    expect(run.output.paper_source).toEqual({
      source: "semantic_scholar",
      papers: 0,
      note: "There are no papers, so the ideas are made without. Whether the ideas are new was not looked up; the filter `novelty` does.",
    });
  });
});
