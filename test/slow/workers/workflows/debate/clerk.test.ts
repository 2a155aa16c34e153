/** One clerk checks the citations of debates and baselines alike; the judge is given the result, and its own citations are checked too. */
import { expect, it } from "vitest";
import { debateOf } from "../../../../support/debate";
import { callsOf, planFromMock, planModel } from "../../../../support/parley";
import type { Plan } from "../../../../support/plans";
import { setUpRuns } from "../../../../support/runs";

const { client, live, runToEnd, traceOf } = setUpRuns(debateOf);

const CLERK = "judgment/check_citations#1";
const JUDGE = "judgment/judge_debate#1";
const promptOf = async (run: string, step: string) => {
  const call = (await callsOf(run)).find((one) => one.step === step);
  return call!.request.messages.map(({ content }) => content).join("\n\n");
};
const contentOf = (plan: Plan, step: string) => JSON.parse(plan[step]![0]!.content!);
const answering = (content: object) => [{ content: JSON.stringify(content) }];

async function debateBy(change: (plan: Plan) => Plan, body: object = debateOf()) {
  const plan = await planFromMock(client, body);
  const id = await live.start({ ...body, models: await planModel(change(plan)) });
  return { id, run: await live.untilCompleted(id) };
}

it("the judge reads what the clerk found of each citation, and checks none itself", async () => {
  const { id, run } = await debateBy((plan) => {
    const { citation_checks } = contentOf(plan, CLERK);
    const [first, ...rest] = citation_checks;
    const note = "It speaks of gifts only.";
    return { ...plan, [CLERK]: answering({ citation_checks: [{ ...first, note, supported: false }, ...rest] }) };
  });
  const prompt = await promptOf(id, JUDGE);
  expect(prompt).toContain("Clerk: does NOT support it. It speaks of gifts only.");
  expect(prompt).toContain("Clerk: supports it.");
  expect(prompt).not.toContain("citation_checks");
  expect(run.output.citations.map(({ supported }: any) => supported).toSorted()).toContain(false);
});

it("a clerk that leaves out a citation is asked again: omissions would count as wrong", async () => {
  const { id, run } = await debateBy((plan) => {
    const { citation_checks } = contentOf(plan, CLERK);
    return { ...plan, [CLERK]: [...answering({ citation_checks: citation_checks.slice(1) }), ...plan[CLERK]!] };
  });
  const asked = (await callsOf(id)).filter(({ step }) => step === CLERK);
  expect(asked).toHaveLength(2);
  expect(asked[1]!.request.messages.at(-1)!.content).toContain("These citations are not checked: C1.");
  for (const { supported } of run.output.citations) expect(supported).toBe(true);
});

it("what the verdict rests on is among the citations, and what the judge adds is read by the clerk", async () => {
  const added = {
    authority_id: "S2",
    quote: "can be withdrawn at any time before acceptance of the offer",
    proposition: "An option needs consideration.",
  };
  const { id, run } = await debateBy((plan) => ({
    ...plan,
    [JUDGE]: answering({ ...contentOf(plan, JUDGE), rests_on: ["C1", "c2", "C77"], citations: [added] }),
    "judgment/check_citations#2": answering({
      citation_checks: [{ citation: "C3", note: "It says so.", supported: true }],
    }),
  }));
  const judges = run.output.citations.filter(({ cited_by }: any) => cited_by.includes("judge"));
  expect(judges).toHaveLength(3);
  expect(judges.at(-1)).toMatchObject({
    quote: added.quote,
    quote_match: "verbatim",
    supported: true,
    cited_by: ["judge"],
  });
  const again = await promptOf(id, "judgment/check_citations#2");
  expect(again).toContain("C3: [S2]");
  expect(again).not.toContain("C1: [");
  const [check] = await (await live.traceOf(id)).contents("citation_check");
  expect(check.citations.filter(({ cited_by }: any) => cited_by === "judge")).toHaveLength(3);
});

it("a baseline is checked by the same call, with the same authorities", async () => {
  const debated = await runToEnd();
  const alone = await runToEnd({ options: { strategy: "single_agent" } });
  const [one, other] = [await traceOf(debated), await traceOf(alone)];
  for (const seen of [one, other])
    expect(seen.artifacts.filter(({ kind }) => kind === "citation_support")).toMatchObject([{ role: "judge" }]);
});

it("an omitted negation is an error that the report names and the judge reads", async () => {
  const quote =
    "An offer by a merchant to buy or sell goods in a signed writing is […] revocable for lack of consideration";
  const opening = "opening/write_opening#round_1.debater_1";
  const body = debateOf({ options: { rounds: 1 } });
  const { id, run } = await debateBy(
    (plan) => ({
      ...plan,
      [opening]: answering({
        ...contentOf(plan, opening),
        citations: [{ authority_id: "S1 (Firm offer statute)", quote, proposition: "Firm offers can be revoked." }],
      }),
    }),
    body,
  );
  expect(run.output.citations).toContainEqual(
    expect.objectContaining({ quote, quote_match: "altered", quote_found: false }),
  );
  expect(run.output.report.text).toContain("**Quote changed by an omission**");
  expect(await promptOf(id, JUDGE)).toContain(
    "drops a negation, a condition or an exception: it does NOT count as a quote",
  );
});
