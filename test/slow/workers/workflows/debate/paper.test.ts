/** The profile `paper`: the judge of the paper reads whole briefs and no findings, and the clerk measures afterwards. */
import { expect, it } from "vitest";
import { debateOf, EVIDENCE } from "../../../../support/debate";
import { callsOf, planFromMock, planModel } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { client, live, runToEnd, traceOf } = setUpRuns(debateOf);

const paper = (options: object = {}) => debateOf({ options: { profile: "paper", ...options } });

it("judges before it measures citations, and asks for the paper's three points, checklist and answer only", async () => {
  const run = await runToEnd(paper());
  const seen = await traceOf(run);
  expect([seen.count("rank_options"), seen.count("answer_briefly")]).toEqual([1, 0]);
  expect(seen.actions.indexOf("judge_debate")).toBeLessThan(seen.actions.indexOf("check_citations"));
  const [verdict] = await seen.contents("verdict");
  expect(Object.keys(verdict).toSorted()).toEqual([
    "adopts",
    "answer",
    "checklist",
    "confidence",
    "rationale",
    "winner",
  ]);
  expect(run.output).toMatchObject({ stop_reason: "judged", prevailed: [run.output.winner] });
  for (const { supported } of run.output.citations) expect(supported).toBe(true);
});

it("shows the judge every brief of every round as it was written, without findings of code or clerk", async () => {
  const prompts = async (body: object) => {
    const id = await live.start({ ...body, models: await planModel(await planFromMock(client, body)) });
    await live.untilCompleted(id);
    return (await callsOf(id))
      .filter(({ step }) => /judge_debate/.test(step))
      .map(({ request }) => request.messages.map(({ content }) => content).join("\n\n"))[0]!;
  };
  const [faithful, ours] = [await prompts(paper()), await prompts(debateOf())];
  expect(faithful.match(/^Application to the facts:$/gmu)).toHaveLength(4);
  expect(ours.match(/^Application to the facts:$/gmu)).toHaveLength(2);
  expect(faithful).not.toMatch(/Clerk:|the authority has the quoted words|no party defends/);
  expect(ours).toMatch(/Clerk: supports it/);
});

it("takes the top_k authorities of all evidence, the caller's included, as the paper's Retriever does", async () => {
  const shown = async (body: object) =>
    (await (await traceOf(await runToEnd(body))).contents("authorities"))[0].excerpts.length;
  expect(await shown(paper({ top_k: 2, snippets_per_rebuttal: 0 }))).toBe(2);
  expect(await shown(debateOf({ options: { top_k: 2 } }))).toBe(EVIDENCE.length);
});

it("runs the baselines too", async () => {
  const run = await runToEnd(paper({ strategy: "self_consistency", samples: 3 }));
  expect(run.output).toMatchObject({ stop_reason: "voted", citations: [{ supported: true }] });
});
