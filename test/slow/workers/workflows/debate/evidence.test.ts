/** Sources of evidence: corpora besides the request, and refusals. */
import { describe, expect, it } from "vitest";
import { corpusOf, debateOf, EVIDENCE } from "../../../../support/debate";
import { until } from "../../../../support/parley";
import { setUpRuns } from "../../../../support/runs";

const { answer, openInteraction, runToEnd, send, start, traceOf, untilCompleted } = setUpRuns(debateOf);

describe("corpora", () => {
  it("are searched besides the run's own evidence, and their passages can be cited", async () => {
    const corpus = await corpusOf(send, EVIDENCE.slice(0, 2));
    const run = await runToEnd({ input: { evidence: EVIDENCE.slice(2), corpus_ids: [corpus] } });
    const found = (await (await traceOf(run)).contents("authorities")).flatMap(({ excerpts }) => excerpts);
    expect(new Set(found.map((one: any) => one.corpus_id))).toEqual(new Set([corpus, null]));
    expect(run.output.citations.every((one: any) => one.quote_found)).toBe(true);
  });

  it("that do not exist are refused", async () => {
    const reply = await send(
      "POST",
      "/v1/runs",
      debateOf({ input: { corpus_ids: ["cor_01ARZ3NDEKTSV4RRFFQ69G5FAV"] } }),
    );
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([{ path: "input.corpus_ids.0" }]);
  });

  it("that are deleted meanwhile do not end the debate, and the report names them", async () => {
    const corpus = await corpusOf(send, EVIDENCE.slice(0, 2));
    const id = await start({
      input: { evidence: EVIDENCE.slice(2), corpus_ids: [corpus] },
      options: { solvers: 0, reviews: ["option_ranking"] },
    });
    const interaction = await openInteraction(id);
    await until("the authorities", async () => (await traceOf({ id })).count("retrieve") > 0);
    expect((await send("DELETE", `/v1/corpora/${corpus}`)).status).toBe(204);
    await answer(interaction, { decision: "approve" });
    const run = await untilCompleted(id);
    expect(run.output.stop_reason).toBe("judged");
    expect(run.output.report.text).toContain(
      `**Not looked in**: corpora that were no longer there: cor\\_${corpus.slice(4)}`,
    );
  });
});

describe("a run's own evidence", () => {
  const found = async (run: { id: string }) => (await (await traceOf(run)).contents("authorities"))[0];

  it("is shown whole, in its order and in any language, whatever `top_k`; corpora add their best", async () => {
    const chinese = { source: "民法典", jurisdiction: "CN", text: "要约不得撤销，但是另有约定的除外。" };
    const corpus = await corpusOf(send, EVIDENCE.slice(4));
    const input = { evidence: [...EVIDENCE.slice(0, 4), chinese], corpus_ids: [corpus] };
    const { excerpts, not_shown } = await found(await runToEnd({ input, options: { top_k: 1 } }));
    expect(excerpts.map(({ source }: any) => source).slice(0, 5)).toEqual(input.evidence.map(({ source }) => source));
    expect(excerpts).toHaveLength(6);
    expect(not_shown).toEqual([]);
  });

  it("that is too long is shown as far as it fits, the best first, and the report says what was not shown", async () => {
    const word = (index: number) => `gravel sand water pump valve number ${index} `.repeat(20);
    const long = Array.from({ length: 60 }, (_, index) => ({
      source: `Log ${index}`,
      text: `${word(index)}${word(index)}`,
    }));
    const run = await runToEnd({ input: { evidence: [...long, EVIDENCE[0]!] } });
    const { excerpts, not_shown } = await found(run);
    expect(excerpts.at(-1).source).toBe(EVIDENCE[0]!.source);
    expect(excerpts.reduce((sum: number, { excerpt }: any) => sum + excerpt.length, 0)).toBeLessThanOrEqual(32_000);
    expect(not_shown.length).toBeGreaterThan(5);
    expect(excerpts.map(({ source }: any) => source)).not.toContain(not_shown.at(-1));
    expect(run.output.report.text).toContain(`**Not shown in full**`);
    expect(run.output.report.text).toContain(not_shown[0]);
  });

  it("has the language of its text, not of the question", async () => {
    const german = "Wer einem anderen die Schließung eines Vertrags anträgt, ist an den Antrag gebunden.";
    const pieces = [{ source: "BGB § 145", text: german }, EVIDENCE[0]!, { source: "Short", text: "要约不得撤销" }];
    const { excerpts } = await found(await runToEnd({ input: { evidence: pieces, language: "pt" } }));
    expect(excerpts.map(({ language }: any) => language)).toEqual(["de", "en", "pt"]);
  });
});

it("corpora: passages of the question's jurisdiction come first, and carry the caller's name of their document", async () => {
  const text = "A proposal to sell binds the merchant who has made the offer to the buyer.";
  const corpus = await corpusOf(send, [
    {
      source: "Foreign code",
      jurisdiction: "BR",
      text: `${text} The offer, the merchant, the buyer.`,
      external_id: "br:1",
    },
    { source: "Home code", jurisdiction: "US-NY", text, external_id: "us:1" },
  ]);
  const sources = async (jurisdiction: string) => {
    const run = await runToEnd({ input: { evidence: [], corpus_ids: [corpus], jurisdiction } });
    const [{ excerpts }] = await (await traceOf(run)).contents("authorities");
    const [check] = await (await traceOf(run)).contents("citation_check");
    expect(check.citations[0].external_id).toMatch(/^(br|us):1$/);
    return excerpts.map(({ external_id }: any) => external_id);
  };
  expect(await sources("US")).toEqual(["us:1", "br:1"]);
  expect(await sources("BR")).toEqual(["br:1", "us:1"]);
});

it.each([
  ["binary data", "MZ\u0000\u0001\u0002"],
  ["half a character", "text \ud800"],
  ["blanks", " \n "],
])("evidence that is %s is refused", async (_what, text) => {
  const reply = await send("POST", "/v1/runs", debateOf({ input: { evidence: [{ source: "x", text }] } }));
  expect(reply.status).toBe(422);
  expect(reply.body.errors).toMatchObject([{ path: "input.evidence.0.text" }]);
});
