/** Papers of the request and passages of corpora ground the ideas. */
import { describe, expect, it } from "vitest";
import { ideationOf, TOPIC, UNSEEN } from "../../../../support/ideation";
import { setUpRuns } from "../../../../support/runs";

const { answer, artifactsOf, contentsOf, countOf, openInteraction, runToEnd, send, start, untilCompleted } =
  setUpRuns(ideationOf);

describe("papers of the request", () => {
  const papers = Array.from({ length: 5 }, (_, index) => ({
    title: `Uncertainty of language models, part ${index + 1}`,
    abstract: `The ${index + 1}th way to ask a model how sure it is.`,
  }));

  it("ground the ideas, and are not scored when all are used", async () => {
    const run = await runToEnd({
      input: { topic: TOPIC, papers },
      options: { preset: "single", expand: "none", paper_source: undefined },
    });
    expect(run.output.paper_source).toEqual({ source: "given", papers: 5, note: UNSEEN });
    expect(await countOf(run, "score_papers")).toBe(0);
    const [trial] = await contentsOf(run, "trial");
    expect([...trial.papers].sort()).toEqual(papers.map(({ title }) => title));
  });

  it("are scored by the librarian when trials draw from the best", async () => {
    const run = await runToEnd({
      input: { topic: TOPIC, papers },
      options: { preset: "single", expand: "none", grounding_papers: 1, paper_source: undefined },
    });
    expect(await countOf(run, "score_papers")).toBe(1);
    expect((await contentsOf(run, "trial"))[0].papers).toHaveLength(1);
  });

  it("differ from trial to trial", async () => {
    const run = await runToEnd({
      input: { topic: TOPIC, papers },
      options: { preset: "single", trials: 4, expand: "none", grounding_papers: 2, paper_source: undefined },
    });
    const seen = (await contentsOf(run, "trial")).map((trial) => trial.papers.join());
    expect(new Set(seen).size).toBeGreaterThan(1);
  });

  it("are seen by every trial beside those of Semantic Scholar, and kept in a bank that is full", async () => {
    const run = await runToEnd({
      input: { topic: TOPIC, papers },
      options: { preset: "single", trials: 3, expand: "none", paper_source: "semantic_scholar", bank_size: 10 },
      test: { script: { write_paper_query: ["recommendations"] } },
    });
    const titles = papers.map(({ title }) => title);
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.papers.map(({ title }: any) => title)).toEqual(expect.arrayContaining(titles));
    expect(bank.papers.length).toBe(10);
    for (const trial of await contentsOf(run, "trial")) {
      expect(trial.papers).toEqual(expect.arrayContaining(titles));
      expect(trial.papers.length).toBe(10);
    }
  });

  it("are looked up by their titles: the catalogue does not know their ids", async () => {
    const run = await runToEnd({
      input: { topic: TOPIC, papers },
      options: { preset: "single", expand: "none", paper_source: "semantic_scholar", bank_size: 40 },
      test: { script: { write_paper_query: ["recommendations"] } },
    });
    const searches = await contentsOf(run, "paper_search");
    expect(searches.filter(({ query }) => query.paper_id?.startsWith("given-"))).toEqual([]);
    const keywords = searches.map(({ query }) => query.text);
    expect(papers.some(({ title }) => keywords.includes(title))).toBe(true);
  });

  it("are not searched for when none are requested", async () => {
    const run = await runToEnd({
      options: { preset: "single", expand: "none", grounding_papers: 0, paper_source: "semantic_scholar" },
    });
    expect(run.output.paper_source).toEqual({ source: "none", papers: 0, note: UNSEEN });
    expect(await countOf(run, "search_papers")).toBe(0);
  });

  it("are searched for by three kinds of queries", async () => {
    const run = await runToEnd({
      options: { preset: "single", expand: "none", paper_source: "semantic_scholar" },
      test: { script: { write_paper_query: ["recommendations", "references", "keyword"] } },
    });
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.queries.slice(0, 4).map(({ kind }: any) => kind)).toEqual([
      "keyword",
      "recommendations",
      "references",
      "keyword",
    ]);
  });
});

describe("corpora", () => {
  const newCorpus = async () => {
    const { body: corpus } = await send("POST", "/v1/corpora", { name: "Notes on uncertainty", language: "en" });
    for (const [source, text] of Object.entries({
      "Field notes":
        "To quantify the uncertainty of language models, ask the same question three times and compare the answers.",
      Cookery: "Boil the potatoes, and add salt.",
    }))
      expect(
        (await send("POST", `/v1/corpora/${corpus.id}/documents`, { source, text, date: "2021-05-01" })).status,
      ).toBe(201);
    return corpus.id as string;
  };

  it("ground the ideas by the passages that suit the topic, as papers", async () => {
    const id = await newCorpus();
    const run = await runToEnd({
      input: { topic: TOPIC, corpus_ids: [id] },
      options: { preset: "single", ideas: 1, expand: "none", paper_source: undefined, filters: ["novelty"] },
    });
    const [bank] = await contentsOf(run, "paper_bank");
    expect(bank.papers[0]).toMatchObject({ title: "Field notes", year: 2021 });
    expect(bank.papers[0].abstract).toContain("ask the same question three times");
    expect(run.output.paper_source).toMatchObject({
      source: "given",
      note: "Whether the ideas are new was looked up among the given papers only.",
    });
    const made = await artifactsOf(run);
    const looked = made.find(({ step }) => step === "filtering/retrieve#novelty.i1");
    const verdict = made.find(({ caused_by }) => caused_by === "check_novelty");
    const set = made.find(({ kind }) => kind === "idea_set");
    expect(verdict.inputs).toEqual([set.id, looked.id]);
  });

  it("that do not exist are refused", async () => {
    const id = await newCorpus();
    const reply = await send("POST", "/v1/runs", {
      workflow: "ideation",
      input: { topic: TOPIC, corpus_ids: [id, "cor_none"] },
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors[0].path).toBe("input.corpus_ids.1");
  });

  it("that are deleted meanwhile are reported, and the run continues without them", async () => {
    const id = await newCorpus();
    const run = await start({
      input: { topic: TOPIC, corpus_ids: [id] },
      options: {
        preset: "single",
        ideas: 1,
        expand: "none",
        paper_source: undefined,
        filters: ["novelty"],
        reviews: ["idea_set"],
      },
    });
    const interaction = await openInteraction(run);
    await send("DELETE", `/v1/corpora/${id}`);
    await answer(interaction, { decision: "approve" });
    const { output } = await untilCompleted(run);
    expect(output.paper_source.note).toContain(`These corpora are gone: ${id}.`);
    expect(output.kept).toEqual(["i1"]);
  });
});
