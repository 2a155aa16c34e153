/** Between the last round and the judgment the Cross-Examiner and a person take part. */
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { debateOf, EVIDENCE, QUESTION } from "../../../support/debate";
import { until } from "../../../support/parley";
import { expire, setUpRuns } from "../../../support/runs";

const { answer, contentOf, openInteraction, runToEnd, start, traceOf, untilCompleted } = setUpRuns(debateOf);

const readPage = async (url: string): Promise<string> =>
  (await (exports as any).default.fetch(url, { headers: { accept: "text/html" } })).text();

describe("before judgment", () => {
  it("the Cross-Examiner asks each side, and each answers", async () => {
    const run = await runToEnd({ options: { cross_examiner: true, debaters: 3, rounds: 1 } });
    const seen = await traceOf(run);
    expect([seen.count("ask_cross_question"), seen.count("answer_question")]).toEqual([3, 3]);
    expect(run.output.report.text).toContain("## Questions before judgment");
  });

  it("a person may add a note, a question to a side, and evidence, which the judge sees", async () => {
    const id = await start({ options: { human_review: true, top_k: 2 } });
    const interaction = await openInteraction(id);
    expect(interaction).toMatchObject({ kind: "feedback", stage: "review" });
    expect(interaction.artifacts).toHaveLength(1);
    const [file] = await (await traceOf({ id })).contents("review_file");
    for (const part of [
      QUESTION.question,
      "### debater_1",
      "### debater_2",
      "Defends: **",
      "## Evidence",
      EVIDENCE[0]!.source,
    ])
      expect(file).toContain(part);
    expect(file).not.toMatch(/confidence|\d %/iu);
    const reply = await answer(interaction, {
      decision: "approve",
      comment: "Mind debater_1's date.",
      answered_by: "Ada",
      additions: {
        questions: [{ debater: "debater_2", question: "Who signed the writing?" }],
        evidence: [
          {
            source: "Affidavit of the seller",
            jurisdiction: "US",
            text: "I signed the letter as owner of the dealership on the first day. \ud83d",
          },
        ],
      },
    });
    expect(reply.status).toBe(200);
    const run = await untilCompleted(id);
    const seen = await traceOf(run);
    expect((await seen.contents("human_review"))[0]).toMatchObject({
      note: "Mind debater_1's date.",
      evidence: 1,
      answered_by: "Ada",
    });
    const answers = await seen.contents("side_answer");
    const subjects = seen.artifacts.filter(({ kind }) => kind === "side_answer").map(({ subject }) => subject);
    const answerOf = (debater: string) => answers[subjects.indexOf(debater)].answer;
    expect(subjects.toSorted()).toEqual(["debater_1", "debater_2"]);
    expect(answerOf("debater_2")).toContain("Who signed the writing");
    expect(answerOf("debater_1")).toContain("New evidence has been brought: Affidavit of the seller");
    const report: string = run.output.report.text;
    expect(report).toContain("Affidavit of the seller");
    expect(report).toContain("brought by a person before judgment");
    expect(report).toContain("Note of a person before judgment");
  });

  it("a person's evidence is shown even if the run has similar evidence", async () => {
    const like = Array.from({ length: 5 }, () => EVIDENCE[0]!);
    const id = await start({ input: { evidence: like }, options: { human_review: true, rounds: 1, top_k: 1 } });
    const interaction = await openInteraction(id);
    const evidence = [EVIDENCE[0]!, EVIDENCE[2]!];
    await answer(interaction, { decision: "approve", additions: { evidence } });
    const run = await untilCompleted(id);
    const brought = run.output.report.text.match(/\*\*S\d+ · .*brought by a person before judgment/gu);
    expect(brought).toHaveLength(2);
  });

  it("an invalid answer is refused with its errors", async () => {
    const id = await start({ options: { human_review: true, rounds: 1 } });
    const interaction = await openInteraction(id);
    for (const additions of [
      { questions: [{ debater: "debater_9", question: "Why?" }] },
      { evidence: [{ source: "x", text: "  " }] },
      { verdict: "B" },
    ])
      expect((await answer(interaction, { decision: "approve", additions })).status).toBe(422);
    expect((await answer(interaction, { decision: "approve" })).status).toBe(200);
    expect((await untilCompleted(id)).output.stop_reason).toBe("judged");
  });

  it("a person may end the run", async () => {
    const id = await start({ options: { human_review: true } });
    await answer(await openInteraction(id), { decision: "reject" });
    const run = await untilCompleted(id);
    expect(run.output).toMatchObject({ stop_reason: "rejected_by_human", answer: null, rounds: 2, report: null });
  });

  it("continues without an answer when a person does not answer in time", async () => {
    const id = await start({ options: { human_review: true } });
    const { id: interaction } = await openInteraction(id);
    await expire(interaction);
    expect((await untilCompleted(id)).output.stop_reason).toBe("judged");
  });

  it("a brief at a review step hides its author's confidence, and an edit does not change it", async () => {
    const id = await start({ options: { reviews: ["brief"], rounds: 1, debaters: 2 } });
    const interaction = await openInteraction(id);
    const { confidence, ...shown } = await contentOf(id, interaction.artifacts[0]);
    expect(confidence).toBeGreaterThan(0);
    expect(interaction.answer_schema.properties.edited_content.properties).not.toHaveProperty("confidence");
    const page = await readPage(interaction.callback_url);
    expect(page).toContain("Claims");
    expect(page).not.toMatch(/confidence/iu);
    const edited = { ...shown, claims: ["It binds, as a person says."] };
    expect(
      (await answer(interaction, { decision: "approve", edited_content: { ...edited, confidence: 1 } })).status,
    ).toBe(422);
    expect((await answer(interaction, { decision: "approve", edited_content: edited })).status).toBe(200);
    await until("the edit is kept", async () => {
      const { artifacts } = await traceOf({ id });
      const mine = artifacts.find(({ role, kind }) => role === "human" && kind === "brief");
      if (!mine) return false;
      expect(await contentOf(id, mine)).toEqual({ ...edited, confidence });
      return true;
    });
  });

  it("a rejected brief at a review step ends the run", async () => {
    const id = await start({ options: { reviews: ["verdict"] } });
    await answer(await openInteraction(id), { decision: "reject" });
    expect((await untilCompleted(id)).output.stop_reason).toBe("rejected_by_human");
  });
});
