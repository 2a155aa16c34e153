/** People take part in ideation: they pick, drop, edit and add ideas at reviews, and the run continues with the result. */
import { describe, expect, it } from "vitest";
import { expire, setUpRuns } from "../../../../support/runs";

const { answer, artifactsOf, contentsOf, nextInteraction, openInteraction, start, untilCompleted } = setUpRuns(
  (options?: object) => ({
    workflow: "ideation",
    input: { topic: "novel prompting methods for honest answers" },
    options: { preset: "single", paper_source: "none", ...options },
  }),
);

const OWN = {
  name: "Ask the Oracle Twice",
  problem: "Nobody asks a second time.",
  existing_methods: "Asking once.",
  motivation: "Second thoughts are better ones.",
  proposed_method: "Ask, wait, and ask again in other words.",
  experiment_plan: "Two hundred questions, asked once and twice.",
};

describe("after the ideas", () => {
  it("a person drops one, edits another and adds one; an idea similar to the person's is the duplicate", async () => {
    const run = await start({ reviews: ["idea_set"], expand: "none", ideas: 3 });
    const interaction = await openInteraction(run);
    expect(interaction).toMatchObject({ kind: "feedback", stage: "review" });
    expect(interaction.answer_schema.properties.additions.properties.drop.items.enum).toEqual(["i1", "i2", "i3"]);
    const additions = {
      drop: ["i1"],
      edit: [
        { id: "i2", name: "A Better Name" },
        { id: "i3", ...OWN, name: "Twice" },
      ],
      add: [OWN],
    };
    expect((await answer(interaction.id, { decision: "approve", additions, answered_by: "Ada" })).status).toBe(200);
    const { output } = await untilCompleted(run);
    expect(output.ideas[0]).toEqual({ id: "h1", name: OWN.name, configuration: "human", trial: null });
    expect(output.kept).toEqual(["h1", "i2"]);
    expect(output.dropped).toEqual([
      { idea: "i1", because: { cause: "human" } },
      { idea: "i3", because: { cause: "similar", similar_to: "h1", similarity: expect.any(Number) } },
    ]);
    expect(output.ranking.map(({ name }: any) => name).sort()).toEqual(["A Better Name", OWN.name]);
    const [selection] = await contentsOf(run, "selection");
    expect(selection).toMatchObject({ dropped: ["i1"], edited: ["i2", "i3"], added: ["h1"], answered_by: "Ada" });
    const sets = (await artifactsOf(run)).filter(({ kind }) => kind === "idea_set");
    expect(sets.map(({ role, version }) => ({ role, version }))).toEqual([
      { role: "workflow", version: 1 },
      { role: "human", version: 2 },
    ]);
  });

  it("an unknown id is refused, and so is an empty field", async () => {
    const run = await start({ reviews: ["idea_set"], ideas: 1 });
    const { id } = await openInteraction(run);
    expect((await answer(id, { decision: "approve", additions: { drop: ["i9"] } })).status).toBe(422);
    expect((await answer(id, { decision: "approve", additions: { add: [{ ...OWN, problem: " " }] } })).status).toBe(
      422,
    );
    expect((await answer(id, { decision: "approve" })).status).toBe(200);
    expect((await untilCompleted(run)).output.kept).toEqual(["i1"]);
  });

  it("an idea that is picked and dropped, or edited and dropped, is refused by its id", async () => {
    const run = await start({ reviews: ["idea_set"], ideas: 2 });
    const { id } = await openInteraction(run);
    const refused = await answer(id, { decision: "approve", additions: { pick: ["i1", "i2"], drop: ["i1"] } });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ path: "additions.drop", code: "contradictory", message: expect.stringContaining("i1:") }] },
    });
    const lost = { edit: [{ id: "i2", name: "Better" }], drop: ["i2"] };
    expect((await answer(id, { decision: "approve", additions: lost })).status).toBe(422);
    expect((await answer(id, { decision: "approve", additions: { pick: ["i1"], drop: ["i2"] } })).status).toBe(200);
    expect((await untilCompleted(run)).output.kept).toEqual(["i1"]);
  });

  it("a rejection ends the run with the results so far", async () => {
    const run = await start({ reviews: ["idea_set"], ideas: 2 });
    const { id } = await openInteraction(run);
    await answer(id, { decision: "reject", comment: "None of these." });
    const { output } = await untilCompleted(run);
    expect(output).toMatchObject({
      stop_reason: "rejected_by_human",
      ranking: [],
      proposals: [],
      metrics: { measure: null },
    });
    expect(output.ideas).toHaveLength(2);
    expect(output.documents.ideas.text).toContain("## ");
  });

  it("without an answer the ideas stay unchanged", async () => {
    const run = await start({ reviews: ["idea_set"], ideas: 2, expand: "none" });
    const { id } = await openInteraction(run);
    await expire(id);
    expect((await untilCompleted(run)).output.kept).toEqual(["i1", "i2"]);
  });
});

describe("before the ideas are judged", () => {
  it("only the picked ideas stay", async () => {
    const run = await start({ reviews: ["kept_ideas"], ideas: 4, proposals: 2 });
    const { id } = await openInteraction(run);
    await answer(id, { decision: "approve", additions: { pick: ["i2", "i4"] } });
    const { output } = await untilCompleted(run);
    expect(output.kept).toEqual(["i2", "i4"]);
    expect(output.proposals.map(({ idea }: any) => idea).sort()).toEqual(["i2", "i4"]);
    expect(output.metrics).toMatchObject({ kept: 4, non_duplicate_ratio: 1 });
  });

  it("dropping all ends the run with nothing left", async () => {
    const run = await start({ reviews: ["kept_ideas"], ideas: 2 });
    const { id } = await openInteraction(run);
    await answer(id, { decision: "approve", additions: { drop: ["i1", "i2"] } });
    expect((await untilCompleted(run)).output.stop_reason).toBe("nothing_left");
  });
});

describe("before the proposals", () => {
  it("the ranking is shown; a dropped idea is replaced by the next", async () => {
    const run = await start({ reviews: ["ranking"], ideas: 3, proposals: 1 });
    const interaction = await openInteraction(run);
    const [ranking] = await contentsOf(run, "ranking");
    const [first, second] = ranking.places.map(({ id }: any) => id);
    await answer(interaction.id, { decision: "approve", additions: { drop: [first] } });
    const { output } = await untilCompleted(run);
    expect(output.proposals.map(({ idea }: any) => idea)).toEqual([second]);
    expect(output.ranking.map(({ idea }: any) => idea)).not.toContain(first);
    expect(await contentsOf(run, "ranking")).toHaveLength(1);
  });

  it("an idea that is added is ranked with the others, and may become a proposal", async () => {
    const run = await start({ reviews: ["ranking"], ideas: 3, proposals: 4 });
    const interaction = await openInteraction(run);
    await answer(interaction.id, { decision: "approve", additions: { add: [OWN] } });
    const { output } = await untilCompleted(run);
    expect(output.ranking.map(({ idea }: any) => idea).sort()).toEqual(["h1", "i1", "i2", "i3"]);
    expect(output.proposals).toHaveLength(4);
    expect(await contentsOf(run, "ranking")).toHaveLength(2);
  });

  it("written proposals can be picked and dropped, but not changed", async () => {
    const run = await start({ reviews: ["ranking"], ideas: 2, expand: "all" });
    const interaction = await openInteraction(run);
    expect(Object.keys(interaction.answer_schema.properties.additions.properties)).toEqual(["pick", "drop"]);
    await answer(interaction.id, { decision: "approve", additions: { pick: ["i2"] } });
    const { output } = await untilCompleted(run);
    expect(output.ranking.map(({ idea }: any) => idea)).toEqual(["i2"]);
    expect(output.proposals.map(({ idea }: any) => idea)).toEqual(["i2"]);
  });

  it("dropping all proposals ends the run with nothing left", async () => {
    const run = await start({ reviews: ["ranking"], ideas: 2, expand: "all" });
    const interaction = await openInteraction(run);
    await answer(interaction.id, { decision: "approve", additions: { drop: ["i1", "i2"] } });
    const { output } = await untilCompleted(run);
    expect(output).toMatchObject({ stop_reason: "nothing_left", kept: [], ranking: [], proposals: [] });
  });

  it("an edit that changes nothing costs no second ranking", async () => {
    const run = await start({ reviews: ["ranking"], ideas: 2, expand: "none" });
    const interaction = await openInteraction(run);
    await answer(interaction.id, { decision: "approve", additions: { edit: [{ id: "i1" }] } });
    await untilCompleted(run);
    expect(await contentsOf(run, "ranking")).toHaveLength(1);
  });

  it("several reviews follow each other", async () => {
    const run = await start({ reviews: ["idea_set", "kept_ideas", "ranking"], ideas: 3, expand: "none" });
    const first = await openInteraction(run);
    await answer(first.id, { decision: "approve", additions: { add: [OWN] } });
    const second = await nextInteraction(run, first.id);
    await answer(second.id, { decision: "approve", additions: { drop: ["i1"], add: [{ ...OWN, name: "Thrice" }] } });
    const third = await nextInteraction(run, first.id, second.id);
    await answer(third.id, { decision: "approve", additions: { drop: ["i2"] } });
    const { output } = await untilCompleted(run);
    expect(output.kept.toSorted()).toEqual(["h1", "h2", "i3"]);
  });
});

describe("after a critique, or a batch of ideas", () => {
  it("a critique may be edited, and the reviser reads the edit", async () => {
    const run = await start({ preset: "baseline", reviews: ["critique"], ideas: 1, expand: "none" });
    const interaction = await openInteraction(run);
    const [critique] = await contentsOf(run, "critique");
    const edited_content = {
      criticisms: [{ ...critique.criticisms[0], category: "involving_humans", criticism: "Leave people out of it." }],
    };
    expect((await answer(interaction.id, { decision: "approve", edited_content })).status).toBe(200);
    await untilCompleted(run);
    const [revised] = await contentsOf(run, "revised_ideas");
    expect(revised.ideas[0].experiment_plan).toContain("rubric of four lines");
  });

  it("proposed ideas may be redone with a comment", async () => {
    const run = await start({ reviews: ["proposed_ideas"], ideas: 2, expand: "none" });
    const first = await openInteraction(run);
    await answer(first.id, { decision: "revise", comment: "Mind the cost of tokens." });
    const second = await nextInteraction(run, first.id);
    await answer(second.id, { decision: "approve" });
    const { output } = await untilCompleted(run);
    expect(output.documents.ideas.text).toContain("Mind the cost of tokens");
  });

  it("an edit that loses an idea is asked for again, with the error", async () => {
    const run = await start({ reviews: ["proposed_ideas"], ideas: 2, expand: "none" });
    const first = await openInteraction(run);
    const [batch] = await contentsOf(run, "proposed_ideas");
    await answer(first.id, { decision: "approve", edited_content: { ideas: batch.ideas.slice(0, 1) } });
    const second = await nextInteraction(run, first.id);
    expect(second.prompt).toContain("exactly 2");
    await answer(second.id, { decision: "approve" });
    await untilCompleted(run);
  });
});
