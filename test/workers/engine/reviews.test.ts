/** At a review step a person approves, edits or rejects an artifact, or asks for a revision; `on_expiry` decides when nobody answers. */
import { expect, it } from "vitest";
import { until } from "../../support/parley";
import { expire, setUpRuns } from "../../support/runs";
import { workflows } from "#workflows/index";

const { answer, artifactsOf, nextInteraction, openInteraction, send, start, untilCompleted, untilFailed, verb } =
  setUpRuns();

const options = { reviews: ["requirement_draft"], qa_rounds: 0 };
const draftsOf = async (run: string) =>
  (await artifactsOf(run)).filter((artifact) => artifact.kind === "requirement_draft");

it("shows its artifact, and continues after approval", async () => {
  const run = await start({ options });
  const interaction = await openInteraction(run);
  expect(interaction).toMatchObject({ kind: "feedback", stage: "elicitation", status: "open" });
  expect(interaction.artifacts).toEqual([(await draftsOf(run))[0].id]);
  expect((await answer(interaction.id, { decision: "approve", answered_by: "Ada" })).status).toBe(200);
  const done = await untilCompleted(run);
  expect(done.output.draft.artifact_id).toBe(interaction.artifacts[0]);
  const artifacts = await artifactsOf(run);
  const feedback = artifacts.find((artifact) => artifact.kind === "human_feedback");
  expect(feedback).toMatchObject({ role: "human", inputs: interaction.artifacts });
  // The feedback has the addressees of the draft.
  expect(feedback.send_to).toEqual(artifacts.find(({ kind }) => kind === "requirement_draft").send_to);
  for (const { kind, send_to } of artifacts)
    if (kind !== "human_feedback") expect(send_to, kind).toEqual(workflows.requirements!.kinds[kind]!.send_to);
});

it("stores an edit as the next version, by role human, and continues with it", async () => {
  const run = await start({ options });
  const interaction = await openInteraction(run);
  const edited = "# Draft\n\nThe system shall lend ladders only.";
  expect((await answer(interaction.id, { decision: "approve", edited_content: edited })).status).toBe(200);
  const done = await untilCompleted(run);
  expect(done.output.draft.text).toBe(edited);
  expect((await draftsOf(run)).map(({ role, version }) => ({ role, version }))).toEqual([
    { role: "collector", version: 1 },
    { role: "human", version: 2 },
  ]);
});

it("repeats the action with the comment, and asks again, until approval", async () => {
  const run = await start({ options });
  const first = await openInteraction(run);
  expect((await answer(first.id, { decision: "revise", comment: "Mention returns by post." })).status).toBe(200);
  const second = await nextInteraction(run, first);
  expect((await answer(second.id, { decision: "approve" })).status).toBe(200);
  const done = await untilCompleted(run);
  expect(done.output.draft.artifact_id).toBe(second.artifacts[0]);
  expect((await draftsOf(run)).map((draft) => draft.version)).toEqual([1, 2]);
  expect(done.output.draft.text).toContain("returns by post");
});

it("refuses revise without a comment", async () => {
  const run = await start({ options });
  const interaction = await openInteraction(run);
  const reply = await answer(interaction.id, { decision: "revise" });
  expect(reply.status).toBe(422);
  expect(reply.body.errors[0].path).toBe("comment");
});

it("ends the run after a rejection: completed, not accepted, with the best result so far", async () => {
  const run = await start({ options });
  const interaction = await openInteraction(run);
  expect((await answer(interaction.id, { decision: "reject", comment: "Not what we want." })).status).toBe(200);
  const done = await untilCompleted(run);
  expect(done.output).toMatchObject({ accepted: false, stop_reason: "rejected_by_human", specification: null });
  expect(done.output.draft.artifact_id).toBe(interaction.artifacts[0]);
});

it("reviews each of several parallel artifacts, in any order", async () => {
  const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: "sells flowers" }));
  const run = await start({
    input: { idea: "Flower delivery", stakeholders },
    options: { reviews: ["user_stories"], qa_rounds: 0 },
  });
  const both = await until("two interactions", async () => {
    const { data } = (await send("GET", `/v1/interactions?run_id=${run}&status=open`)).body;
    return data.length === 2 && data;
  });
  for (const interaction of both) expect((await answer(interaction.id, { decision: "approve" })).status).toBe(200);
  await untilCompleted(run);
});

it("continues without an answer when on_expiry is proceed, and a late answer is refused as expired", async () => {
  const run = await start({ options });
  const interaction = await openInteraction(run);
  await expire(interaction);
  const done = await untilCompleted(run);
  expect(done.output.draft.artifact_id).toBe(interaction.artifacts[0]);
  const late = await answer(interaction.id, { decision: "approve" });
  expect(late).toMatchObject({ status: 410, body: { code: "interaction_expired" } });
});

it("fails the run when on_expiry is fail; retry asks again and finishes", async () => {
  const run = await start({ options: { ...options, on_expiry: "fail" } });
  const interaction = await openInteraction(run);
  await expire(interaction);
  const failed = await untilFailed(run);
  expect(failed.error).toMatchObject({ code: "interaction_unanswered" });
  expect((await verb(run, "retry")).status).toBe(200);
  const anew = await openInteraction(run);
  expect(anew.id).not.toBe(interaction.id);
  await answer(anew.id, { decision: "approve" });
  await untilCompleted(run);
  expect(await draftsOf(run)).toHaveLength(1);
});

it("lets either the expiry or the answer win a race, never both", async () => {
  const runs = await Promise.all(Array.from({ length: 6 }, () => start({ options })));
  for (const run of runs) {
    const interaction = await openInteraction(run);
    const [reply] = await Promise.all([answer(interaction.id, { decision: "approve" }), expire(interaction)]);
    expect([200, 410]).toContain(reply.status);
    await untilCompleted(run);
    const settled = (await send("GET", `/v1/interactions/${interaction.id}`)).body;
    expect(settled.status).toBe(reply.status === 200 ? "answered" : "expired");
    const { body } = await send("GET", `/v1/runs/${run}/events?limit=100`);
    const inputEvents = body.data.filter((event: any) => /input_(received|expired)/.test(event.type));
    expect(inputEvents.map((event: any) => event.type)).toEqual([
      reply.status === 200 ? "run.input_received" : "run.input_expired",
    ]);
  }
});
