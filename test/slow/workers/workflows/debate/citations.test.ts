/** Citations are checked against the evidence, and the report shows errors before the reasons. */
import { describe, expect, it } from "vitest";
import { debateOf, OPEN } from "../../../../support/debate";
import { setUpRuns } from "../../../../support/runs";

const { runToEnd, traceOf } = setUpRuns(debateOf);

describe("citations", () => {
  const cautions = (run: any) => run.output.report.text.split("## Why")[0];

  it("of an invented authority are listed, count as wrong, and are reported first", async () => {
    const run = await runToEnd({ options: { rounds: 1 }, test: { script: { write_opening: ["cite_invented"] } } });
    expect(run.output).toMatchObject({
      citations: [],
      invented_citations: [{ authority_id: "Mock Act 9999, section 7", cited_by: ["debater_1", "debater_2"] }],
    });
    const [check] = await (await traceOf(run)).contents("citation_check");
    expect(check.invented).toEqual(["Mock Act 9999, section 7"]);
    expect(check.citations.every((one: any) => one.authority === "unknown" && one.supported === false)).toBe(true);
    expect(cautions(run)).toContain("**Not in the evidence**");
  });

  it("with a wrong quote are caught", async () => {
    const run = await runToEnd({ options: { rounds: 1 }, test: { script: { write_opening: ["misquote"] } } });
    expect(run.output.citations.length).toBeGreaterThan(0);
    for (const citation of run.output.citations) expect(citation).toMatchObject({ quote_found: false });
    expect(cautions(run)).toContain("**Wrong quote**");
  });

  it("of another jurisdiction are flagged", async () => {
    const run = await runToEnd({
      options: { rounds: 1, top_k: 10 },
      test: { script: { write_opening: ["foreign_jurisdiction"] } },
    });
    for (const citation of run.output.citations) expect(citation).toMatchObject({ quote_found: true, foreign: true });
    expect(cautions(run)).toContain("**Another jurisdiction**: Código Civil, art. 427 (BR)");
  });

  it("that the clerk finds unsupported are reported", async () => {
    const run = await runToEnd({ test: { script: { check_citations: ["unsupported"] } } });
    for (const citation of run.output.citations) expect(citation.supported).toBe(false);
    expect(cautions(run)).toContain("**Not supported**");
  });

  it("that a side withdrew are marked, and the errors of other sides come last", async () => {
    const run = await runToEnd({
      test: { script: { write_opening: ["cite_invented"], write_rebuttal: ["ok", "ok"] } },
    });
    expect(cautions(run)).toMatch(/\(C\d, withdrawn later\)/);
  });

  it("cannot carry what the judge remembers: the report warns of law from memory and of unknown numbers", async () => {
    for (const input of [{}, OPEN]) {
      const run = await runToEnd({ input, test: { script: { judge_debate: ["from_memory"] } } });
      expect(cautions(run)).toContain(
        "**Named from memory, not checked**, because not among the authorities: Mock Code, section 4711",
      );
      expect(cautions(run)).not.toContain("Compare these numbers");
    }
  });

  it("of answers in cross-examination are checked too", async () => {
    const run = await runToEnd({
      options: { cross_examiner: true, rounds: 1 },
      test: { script: { answer_question: ["cite_invented"], write_opening: ["no_citation"] } },
    });
    expect(run.output.invented_citations.length).toBeGreaterThan(0);
  });
});
