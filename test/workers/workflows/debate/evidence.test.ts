/** Sources of evidence: corpora besides the request, and refusals. */
import { describe, expect, it } from "vitest";
import { corpusOf, debateOf, EVIDENCE } from "../../../support/debate";
import { until } from "../../../support/parley";
import { setUpRuns } from "../../../support/runs";

const { answer, openInteraction, play, send, start, traceOf, untilCompleted } = setUpRuns(debateOf);

describe("corpora", () => {
  it("are searched besides the run's own evidence, and their passages can be cited", async () => {
    const corpus = await corpusOf(send, EVIDENCE.slice(0, 2));
    const run = await play({ input: { evidence: EVIDENCE.slice(2), corpus_ids: [corpus] } });
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
      options: { checkpoints: ["option_ranking"] },
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

it.each([
  ["binary data", "MZ\u0000\u0001\u0002"],
  ["half a character", "text \ud800"],
  ["blanks", " \n "],
])("evidence that is %s is refused", async (_what, text) => {
  const reply = await send("POST", "/v1/runs", debateOf({ input: { evidence: [{ source: "x", text }] } }));
  expect(reply.status).toBe(422);
  expect(reply.body.errors).toMatchObject([{ path: "input.evidence.0.text" }]);
});
