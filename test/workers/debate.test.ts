/** The debate workflow plays as its paper says, on the rehearsal model, through each branch. */
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { answerTo, debateOf, EVIDENCE, play as playWith, QUESTION, traceOf, type Body } from "../support/debate";
import {
  bindings,
  call,
  type Client,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
  until,
} from "../support/parley";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const play = (body: Body = {}) => playWith(client.test, body);
const trace = (run: { id: string }) => traceOf(client.test, run);
const readPage = async (url: string): Promise<string> =>
  (await (exports as any).default.fetch(url, { headers: { accept: "text/html" } })).text();
const begin = (body: Body = {}) => start(client.test, debateOf(body));
const OPEN = { choices: undefined };

describe("a debate with the defaults", () => {
  let run: any;
  let seen: Awaited<ReturnType<typeof traceOf>>;
  beforeAll(async () => {
    run = await play();
    seen = await trace(run);
  });

  it("ends with an answer, three reasons, a checklist, a winner and checked citations", () => {
    const { output } = run;
    expect(QUESTION.choices.map(({ label }) => label)).toContain(output.answer);
    expect(output).toMatchObject({ stop_reason: "judged", rounds: 2, confidence: 0.75, invented_citations: [] });
    expect(output.rationale).toHaveLength(3);
    expect(Object.keys(output.checklist)).toEqual([
      "doctrine_named",
      "on_point_authority",
      "accurate_use",
      "logical_application",
      "opponent_addressed",
    ]);
    expect(output.winner).toMatch(/^debater_[12]$/);
    expect(output.citations.length).toBeGreaterThan(0);
    for (const citation of output.citations) expect(citation).toMatchObject({ quote_found: true, supported: true });
  });

  it("says who stood for what, under the letter by which judge and report speak of it", async () => {
    const [record] = await seen.contents("debate_record");
    const [assigned] = await seen.contents("position_assignment");
    expect(run.output.parties.map(({ party }: any) => party).toSorted()).toEqual(["X", "Y"]);
    for (const { party, debater, position, statement, held } of run.output.parties) {
      expect(record.parties).toContainEqual({ party, debater, model: "rehearsal" });
      expect(assigned.positions).toContainEqual(expect.objectContaining({ debater, label: position, statement }));
      expect(held).toBe(position);
      expect(run.output.report.text).toContain(`### Party ${party}`);
    }
  });

  it("costs one ranking, two openings, two requests, two rebuttals and one judgment", () => {
    expect(run.usage.llm_calls).toBe(8);
    for (const [action, count] of Object.entries({
      rank_options: 1,
      write_opening: 2,
      request_snippet: 2,
      write_rebuttal: 2,
      judge_debate: 1,
      retrieve: 3,
    }))
      expect([action, seen.count(action)]).toEqual([action, count]);
    expect(run.progress.stages_done).toEqual(["retrieval_prep", "opening", "rebuttal", "judgment"]);
  });

  it("gives the most probable answers to debaters, and says how probable they are", async () => {
    const [ranking] = await seen.contents("option_ranking");
    const [assigned] = await seen.contents("position_assignment");
    expect(assigned).toMatchObject({ mode: "ranked", positions: [{ debater: "debater_1" }, { debater: "debater_2" }] });
    expect(assigned.positions.map((one: any) => one.label)).toEqual(
      ranking.options.slice(0, 2).map((one: any) => one.label),
    );
  });

  it("shows nothing as evidence that does not stand in it", async () => {
    const found = (await seen.contents("authorities")).flatMap(({ excerpts }) => excerpts);
    for (const { source, excerpt } of found)
      expect(EVIDENCE.find((piece) => piece.source === source)!.text).toContain(excerpt);
  });

  it("keeps the debate as data, and as a report that puts answer and cautions first", async () => {
    const [record] = await seen.contents("debate_record");
    expect(record).toMatchObject({
      ended: "rounds",
      decided_by: "judge",
      position_changes: [],
      answer: run.output.answer,
    });
    expect(record.rounds.map((round: any) => round.briefs.length)).toEqual([2, 2]);
    const report: string = run.output.report.text;
    expect([...report.matchAll(/^## (.*)$/gmu)].map(([, heading]) => heading)).toEqual([
      "Answer",
      "Before you rely on this",
      "Why",
      "Citations",
      "Checklist",
      "Question",
      "The sides",
      "Evidence",
      "How this was made",
    ]);
    expect(report).toContain("> A rehearsal, made with a test key");
    expect(report.indexOf("- Party X")).toBeLessThan(report.indexOf("## Before you rely on this"));
    expect(report).toMatch(/^Cites: C\d/mu);
    expect(report).toContain("Every citation was found in the evidence");
    expect(report).toContain(`**${run.output.answer}) `);
  });
});

it.each([
  [
    "Arabic",
    "ar",
    "EG",
    "وعد تاجر كتابة بإبقاء العرض مفتوحا عشرة أيام ثم سحبه. هل انعقد العقد؟",
    "إذا عُيِّنَ ميعادٌ للقبول التزم الموجب بالبقاء على إيجابه إلى أن ينقضي الميعاد.",
  ],
  [
    "Japanese",
    "ja",
    "JP",
    "商人が書面で申込みを十日間維持すると約束し、四日目に撤回した。契約は成立するか。",
    "承諾の期間を定めてした申込みは、撤回することができない。",
  ],
  [
    "German",
    "de",
    "Deutschland",
    "Ist ein Vertrag zustande gekommen, obwohl der Händler das Angebot widerrief?",
    "Wer einem anderen die Schließung eines Vertrags anträgt, ist an den Antrag gebunden, es sei denn, daß er die Gebundenheit ausgeschlossen hat.",
  ],
])(
  "a question in %s is debated on evidence in it, and its quotes are found",
  async (_name, language, jurisdiction, asked, text) => {
    for (const choices of [
      undefined,
      [
        { label: "甲", text: "✓" },
        { label: "乙", text: "✗" },
      ],
    ]) {
      const evidence = [{ source: "§ 1", jurisdiction: language === "de" ? "DE" : jurisdiction, text }];
      const run = await play({ input: { question: asked, choices, language, jurisdiction, evidence } });
      expect(run.output.stop_reason).toBe("judged");
      expect(run.output.citations.length).toBeGreaterThan(0);
      for (const citation of run.output.citations)
        expect(citation).toMatchObject({ quote_found: true, foreign: false });
    }
  },
);

describe("positions", () => {
  const labelsOf = async (run: { id: string }) =>
    (await (await trace(run)).contents("position_assignment"))[0].positions.map((one: any) => one.label);

  it("every option has its debater", async () => {
    const run = await play({ options: { positions: "all_options", rounds: 1 } });
    expect(await labelsOf(run)).toEqual(["A", "B", "C", "D"]);
    expect((await trace(run)).count("rank_options")).toBe(0);
  });

  it("of more than six options the six most probable have theirs", async () => {
    const choices = Array.from({ length: 9 }, (_, index) => ({
      label: String(index + 1),
      text: `Reading number ${index}`,
    }));
    const run = await play({ input: { choices }, options: { positions: "all_options", rounds: 1 } });
    expect(await labelsOf(run)).toHaveLength(6);
  });

  it("those that the caller lists, by label or text", async () => {
    const run = await play({ options: { positions: ["D", QUESTION.choices[1]!.text], rounds: 1 } });
    expect(await labelsOf(run)).toEqual(["D", "B"]);
  });

  it("free: each chooses, and no two have the same", async () => {
    const run = await play({ options: { positions: "free", debaters: 3, rounds: 1 } });
    expect(new Set(await labelsOf(run)).size).toBe(3);
    expect((await trace(run)).count("choose_option")).toBe(3);
  });

  it("never more debaters than choices", async () => {
    const run = await play({ input: { choices: QUESTION.choices.slice(0, 2) }, options: { debaters: 6, rounds: 1 } });
    expect(await labelsOf(run)).toHaveLength(2);
  });

  it("that do not fit the question are refused before anything is paid", async () => {
    const { status, body } = await call("POST", "/v1/runs", {
      key: client.test,
      body: debateOf({ options: { positions: ["A", "Z"] } }),
    });
    expect(status).toBe(422);
    expect(body.errors).toEqual([
      { path: "options.positions.1", code: "custom", message: "No choice has this label; the labels are A, B, C, D." },
    ]);
  });
});

describe("an open question", () => {
  it.each([
    ["ranked", ["frame_positions"]],
    ["free", ["propose_framing", "propose_framing", "frame_positions"]],
    [["The firm offer stands.", "The offer was revoked."], []],
  ])("is framed (%j), debated, and answered by a synthesis", async (positions, framing) => {
    const run = await play({ input: OPEN, options: { positions } });
    const seen = await trace(run);
    expect(seen.actions.filter((one) => /fram/.test(one))).toEqual(framing);
    const [assigned] = await seen.contents("position_assignment");
    expect(assigned.positions.map((one: any) => one.label).toSorted()).toEqual(["P1", "P2"]);
    expect(run.output.answer.length).toBeGreaterThan(80);
    expect(run.output).toMatchObject({ stop_reason: "judged", winner: expect.stringMatching(/^debater_/) });
    expect(run.output.report.text).toContain(run.output.answer.split("\n")[0]);
  });
});

describe("rebuttals", () => {
  const read = async (options: object) => {
    const run = await play({ options: { debaters: 3, rounds: 3, snippets_per_rebuttal: 0, ...options } });
    const { artifacts } = await trace(run);
    const briefs = new Map(
      artifacts
        .filter(({ kind }) => kind === "brief")
        .map((one) => [one.id, `${one.subject.slice(-1)}@${one.iteration}`]),
    );
    const last = artifacts.filter(({ kind, iteration }) => kind === "brief" && iteration === 3);
    return Object.fromEntries(
      await Promise.all(
        last.map(async ({ id, subject }) => {
          const { body } = await call("GET", `/v1/runs/${run.id}/artifacts/${id}`, { key: client.test });
          return [
            subject.slice(-1),
            body.inputs.flatMap((input: string) => briefs.get(input) ?? []).toSorted(),
          ] as const;
        }),
      ),
    );
  };

  it.each([
    ["sparse_ring", { 1: ["1@2", "3@2"], 2: ["1@2", "2@2"], 3: ["2@2", "3@2"] }],
    ["sparse_rival", { 1: ["1@2", "2@2"], 2: ["1@2", "2@2"], 3: ["1@2", "3@2"] }],
    ["sparse_all", { 1: ["1@2", "2@2", "3@2"], 2: ["1@2", "2@2", "3@2"], 3: ["1@2", "2@2", "3@2"] }],
    [
      "full",
      {
        1: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
        2: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
        3: ["1@1", "1@2", "2@1", "2@2", "3@1", "3@2"],
      },
    ],
  ])("%s: each reads its own brief, and those that it may see", async (topology, seen) => {
    expect(await read({ topology })).toEqual(seen);
  });

  it("may ask for evidence, which all are shown before they write", async () => {
    const run = await play({ options: { top_k: 1, rounds: 3, snippets_per_rebuttal: 2 } });
    const seen = await trace(run);
    const found = seen.artifacts.filter(({ kind }) => kind === "authorities");
    expect(found.filter(({ iteration, subject }) => iteration === 2 && subject === "debater_1")).toHaveLength(2);
    const ids = (await seen.contents("authorities")).flatMap(({ excerpts }) => excerpts.map((one: any) => one.id));
    expect(new Set(ids).size).toBeGreaterThan(1);
    const briefs = await seen.contents("brief");
    expect(
      new Set(briefs.slice(2, 4).flatMap(({ citations }) => citations.map((one: any) => one.authority_id))),
    ).not.toContain(undefined);
    expect(run.output.report.text).toMatch(/asked for by Party [XY] in round 2/);
  });

  it("ask for nothing when they want nothing", async () => {
    const run = await play({ test: { script: { request_snippet: ["no_request", "no_request"] } } });
    expect((await trace(run)).count("retrieve")).toBe(1);
  });

  it("ask for nothing when all that there is has been shown", async () => {
    const run = await play({ input: { evidence: EVIDENCE.slice(0, 2) } });
    const seen = await trace(run);
    expect([seen.count("retrieve"), seen.count("request_snippet")]).toEqual([1, 0]);
  });

  it("ask nobody where there is no retrieval, and then nothing is cited", async () => {
    const run = await play({ options: { top_k: 0 } });
    const seen = await trace(run);
    expect([seen.count("retrieve"), seen.count("request_snippet")]).toEqual([0, 0]);
    expect(run.output.citations).toEqual([]);
    expect(run.output.report.text).toContain("No authority was cited");
  });

  it("may concede, and what was conceded stands in the record", async () => {
    const run = await play({ test: { script: { write_rebuttal: ["ok", "concede"] } } });
    const [record] = await (await trace(run)).contents("debate_record");
    expect(record.rounds[1].briefs.every((brief: any) => brief.concedes.length === 1)).toBe(true);
  });
});

describe("changing sides", () => {
  const script = { write_rebuttal: ["ok", "switch"] };

  it("is recorded, and ends the debate early when all agree", async () => {
    const run = await play({ options: { free_to_switch: true, early_stop: true, rounds: 6 }, test: { script } });
    expect(run.output).toMatchObject({ stop_reason: "agreed", rounds: 2 });
    const [record] = await (await trace(run)).contents("debate_record");
    expect(record.ended).toBe("agreed");
    expect(record.position_changes).toHaveLength(1);
    expect(new Set(record.rounds[1].briefs.map((brief: any) => brief.position)).size).toBe(1);
    expect(new Set(run.output.parties.map(({ position }: any) => position)).size).toBe(2);
    expect(new Set(run.output.parties.map(({ held }: any) => held)).size).toBe(1);
    expect(run.output.report.text).toContain("Went over to");
  });

  it("goes on to the last round without early_stop", async () => {
    const run = await play({ options: { free_to_switch: true, rounds: 3 }, test: { script } });
    expect(run.output).toMatchObject({ stop_reason: "judged", rounds: 3 });
  });

  it("is nothing that a fixed advocate can do", async () => {
    const run = await play({ options: { early_stop: true, rounds: 3 }, test: { script } });
    const [record] = await (await trace(run)).contents("debate_record");
    expect(record.position_changes).toEqual([]);
    expect(run.output.rounds).toBe(3);
  });
});

describe("citations", () => {
  const cautions = (run: any) => run.output.report.text.split("## Why")[0];

  it("of an invented authority are listed, count as wrong, and are told first", async () => {
    const run = await play({ options: { rounds: 1 }, test: { script: { write_opening: ["cite_invented"] } } });
    expect(run.output).toMatchObject({
      citations: [],
      invented_citations: [
        { authority_id: "Rehearsed Act 9999, section 7" },
        { authority_id: "Rehearsed Act 9999, section 7" },
      ],
    });
    const [check] = await (await trace(run)).contents("citation_check");
    expect(check.invented).toEqual(["Rehearsed Act 9999, section 7"]);
    expect(check.citations.every((one: any) => one.authority === "unknown" && one.supported === false)).toBe(true);
    expect(cautions(run)).toContain("**Not in the evidence**");
  });

  it("with a wrong quote are caught", async () => {
    const run = await play({ options: { rounds: 1 }, test: { script: { write_opening: ["misquote"] } } });
    expect(run.output.citations.length).toBeGreaterThan(0);
    for (const citation of run.output.citations) expect(citation).toMatchObject({ quote_found: false });
    expect(cautions(run)).toContain("**Wrong quote**");
  });

  it("of another jurisdiction are flagged", async () => {
    const run = await play({
      options: { rounds: 1, top_k: 10 },
      test: { script: { write_opening: ["foreign_jurisdiction"] } },
    });
    for (const citation of run.output.citations) expect(citation).toMatchObject({ quote_found: true, foreign: true });
    expect(cautions(run)).toContain("**Another jurisdiction**: Código Civil, art. 427 (BR)");
  });

  it("that the judge finds without support are told", async () => {
    const run = await play({ test: { script: { judge_debate: ["unsupported"] } } });
    for (const citation of run.output.citations) expect(citation.supported).toBe(false);
    expect(cautions(run)).toContain("**Not supported**");
  });

  it("that a side withdrew are told apart, and the faults of other sides come last", async () => {
    const run = await play({ test: { script: { write_opening: ["cite_invented"], write_rebuttal: ["ok", "ok"] } } });
    expect(cautions(run)).toMatch(/\(C\d, withdrawn later\)/);
  });

  it("are none in the judge's answer: what it names from memory, and numbers found nowhere, are cautioned", async () => {
    for (const input of [{}, OPEN]) {
      const run = await play({ input, test: { script: { judge_debate: ["from_memory"] } } });
      expect(cautions(run)).toContain("**Named from memory, not checked**: Rehearsed Code, section 4711");
      expect(cautions(run)).not.toContain("Compare these numbers");
    }
  });

  it("of answers in cross-examination are checked too", async () => {
    const run = await play({
      options: { cross_examiner: true, rounds: 1 },
      test: { script: { answer_question: ["cite_invented"], write_opening: ["no_citation"] } },
    });
    expect(run.output.invented_citations.length).toBeGreaterThan(0);
  });
});

describe("the judge", () => {
  it("who answers outside of the choices is asked once more", async () => {
    const run = await play({ test: { script: { judge_debate: ["outside_options", "decide"] } } });
    const seen = await trace(run);
    expect(seen.count("judge_debate")).toBe(2);
    expect(run.output).toMatchObject({ stop_reason: "judged", confidence: 0.6 });
    const [record] = await seen.contents("debate_record");
    expect(record.answers).toEqual([
      { said: "None of the above", read: null },
      { said: run.output.answer, read: run.output.answer },
    ]);
  });

  it("and does so again is overruled by the majority of debaters", async () => {
    const run = await play({
      options: { free_to_switch: true },
      test: { script: { judge_debate: ["outside_options", "outside_options"], write_rebuttal: ["ok", "switch"] } },
    });
    expect(run.output).toMatchObject({ stop_reason: "majority", confidence: null });
    expect(QUESTION.choices.map(({ label }) => label)).toContain(run.output.answer);
  });

  it("without a majority leaves the run without an answer", async () => {
    const run = await play({ test: { script: { judge_debate: ["outside_options", "outside_options"] } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
    expect(run.output.report.text).toContain("No answer");
  });

  it("may pick what nobody defended, and say that nobody won", async () => {
    const run = await play({ test: { script: { judge_debate: ["undefended_option"] } } });
    const [assigned] = await (await trace(run)).contents("position_assignment");
    expect(assigned.positions.map((one: any) => one.label)).not.toContain(run.output.answer);
    expect(run.output).toMatchObject({ stop_reason: "judged", winner: null });
  });
});

it("a judge who is told one model for all parties learns nothing by it, and the report says so", async () => {
  const run = await play({ options: { judging: "labeled", rounds: 1 } });
  expect(run.output.report.text).toContain("the judge knew the model, which was the same for all");
});

describe("interventions", () => {
  it("misconceptions are found after each round, and taken up by who made them", async () => {
    const run = await play({ options: { rounds: 3, interventions: ["misconception_refutation"] } });
    const seen = await trace(run);
    expect(seen.count("find_misconceptions")).toBe(4);
    const briefs = await seen.contents("brief");
    expect(briefs.at(-1).claims.join()).toContain("What the examiner corrected is taken up");
  });

  it("where none are found nothing changes", async () => {
    const run = await play({
      options: { interventions: ["misconception_refutation"] },
      test: { script: { find_misconceptions: ["none"] } },
    });
    const briefs = await (await trace(run)).contents("brief");
    expect(briefs.at(-1).claims.join()).not.toContain("examiner");
  });

  it.each(["diversity_pruning", "quality_pruning"])(
    "%s leaves each debater fewer briefs, and says which and by what measure",
    async (name) => {
      const run = await play({ options: { debaters: 4, topology: "sparse_all", interventions: [name] } });
      const [pruning] = await (await trace(run)).contents("pruning");
      expect(pruning).toMatchObject({ round: 2, measure: "embedding" });
      for (const debater of ["debater_1", "debater_2", "debater_3", "debater_4"]) {
        expect(pruning.kept[debater]).toHaveLength(2);
        expect(pruning.dropped[debater]).toMatchObject([{ because: name }]);
      }
    },
  );
});

describe("before judgment", () => {
  it("the Cross-Examiner asks each side, and each answers", async () => {
    const run = await play({ options: { cross_examiner: true, debaters: 3, rounds: 1 } });
    const seen = await trace(run);
    expect([seen.count("ask_cross_question"), seen.count("answer_question")]).toEqual([3, 3]);
    expect(run.output.report.text).toContain("## Questions before judgment");
  });

  it("a person may add a note, a question to a side, and evidence, which the judge is shown", async () => {
    const id = await begin({ options: { human_review: true, top_k: 2 } });
    const interaction = await openInteraction(client.test, id);
    expect(interaction).toMatchObject({ kind: "feedback", stage: "review" });
    expect(interaction.artifacts).toHaveLength(1);
    const [file] = await (await trace({ id })).contents("review_file");
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
    const reply = await answerTo(client, interaction, {
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
    const run = await runWithStatus(client.test, id, "completed");
    const seen = await trace(run);
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

  it("a person's evidence is shown even where the run has the like of it", async () => {
    const like = Array.from({ length: 5 }, () => EVIDENCE[0]!);
    const id = await begin({ input: { evidence: like }, options: { human_review: true, rounds: 1, top_k: 1 } });
    const interaction = await openInteraction(client.test, id);
    const evidence = [EVIDENCE[0]!, EVIDENCE[2]!];
    await answerTo(client, interaction, { decision: "approve", additions: { evidence } });
    const run = await runWithStatus(client.test, id, "completed");
    const brought = run.output.report.text.match(/\*\*S\d+ · .*brought by a person before judgment/gu);
    expect(brought).toHaveLength(2);
  });

  it("an answer that does not fit is refused with what is wrong", async () => {
    const id = await begin({ options: { human_review: true, rounds: 1 } });
    const interaction = await openInteraction(client.test, id);
    for (const additions of [
      { questions: [{ debater: "debater_9", question: "Why?" }] },
      { evidence: [{ source: "x", text: "  " }] },
      { verdict: "B" },
    ])
      expect((await answerTo(client, interaction, { decision: "approve", additions })).status).toBe(422);
    expect((await answerTo(client, interaction, { decision: "approve" })).status).toBe(200);
    expect((await runWithStatus(client.test, id, "completed")).output.stop_reason).toBe("judged");
  });

  it("a person may end the run", async () => {
    const id = await begin({ options: { human_review: true } });
    await answerTo(client, await openInteraction(client.test, id), { decision: "reject" });
    const run = await runWithStatus(client.test, id, "completed");
    expect(run.output).toMatchObject({ stop_reason: "rejected_by_human", answer: null, rounds: 2, report: null });
  });

  it("goes on without a person who does not answer in time", async () => {
    const id = await begin({ options: { human_review: true } });
    const { id: interaction } = await openInteraction(client.test, id);
    await bindings.DB.prepare("UPDATE interactions SET expires_at = ? WHERE id = ?")
      .bind(Date.now() - 1, interaction)
      .run();
    expect((await runWithStatus(client.test, id, "completed")).output.stop_reason).toBe("judged");
  });

  it("a brief at a checkpoint keeps to itself how sure its writer is, and an edit leaves that as it is", async () => {
    const id = await begin({ options: { checkpoints: ["brief"], rounds: 1, debaters: 2 } });
    const interaction = await openInteraction(client.test, id);
    const { body: brief } = await call("GET", `/v1/runs/${id}/artifacts/${interaction.artifacts[0]}`, {
      key: client.test,
    });
    const { confidence, ...shown } = brief.content;
    expect(confidence).toBeGreaterThan(0);
    expect(interaction.answer_schema.properties.edited_content.properties).not.toHaveProperty("confidence");
    const page = await readPage(interaction.callback_url);
    expect(page).toContain("Claims");
    expect(page).not.toMatch(/confidence/iu);
    const edited = { ...shown, claims: ["It binds, as a person says."] };
    expect(
      (await answerTo(client, interaction, { decision: "approve", edited_content: { ...edited, confidence: 1 } }))
        .status,
    ).toBe(422);
    expect((await answerTo(client, interaction, { decision: "approve", edited_content: edited })).status).toBe(200);
    await until("the edit is kept", async () => {
      const { artifacts } = await trace({ id });
      const mine = artifacts.find(({ role, kind }) => role === "human" && kind === "brief");
      if (!mine) return false;
      const { body } = await call("GET", `/v1/runs/${id}/artifacts/${mine.id}`, { key: client.test });
      expect(body.content).toEqual({ ...edited, confidence });
      return true;
    });
  });

  it("a rejected brief at a checkpoint ends the run", async () => {
    const id = await begin({ options: { checkpoints: ["verdict"] } });
    await answerTo(client, await openInteraction(client.test, id), { decision: "reject" });
    expect((await runWithStatus(client.test, id, "completed")).output.stop_reason).toBe("rejected_by_human");
  });
});

describe("baselines", () => {
  it("a single agent answers on the same evidence, in the same form, and its citations are checked", async () => {
    const run = await play({ options: { strategy: "single_agent" } });
    const seen = await trace(run);
    expect(seen.actions).toEqual([
      "index_evidence",
      "retrieve",
      "answer_alone",
      "check_citations",
      "write_report",
      "compare_citations",
    ]);
    expect(run.output).toMatchObject({
      stop_reason: "answered",
      rounds: 0,
      winner: null,
      citations: [{ quote_found: true, supported: true }],
    });
  });

  it("one that answers outside of the choices is asked once more, and then has no answer", async () => {
    const outside = ["outside_options", "outside_options"];
    const mended = await play({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: outside.slice(1) } },
    });
    expect(mended.output.stop_reason).toBe("answered");
    const run = await play({ options: { strategy: "single_agent" }, test: { script: { answer_alone: outside } } });
    expect(run.output).toMatchObject({ stop_reason: "invalid", answer: null, confidence: null });
  });

  it("an invented authority counts as wrong there too", async () => {
    const run = await play({
      options: { strategy: "single_agent" },
      test: { script: { answer_alone: ["cite_invented"] } },
    });
    expect(run.output).toMatchObject({ citations: [], invented_citations: [{ cited_by: ["debater_1"] }] });
    expect((await trace(run)).count("check_citations")).toBe(0);
  });

  it("samples vote; confidence is the share of votes", async () => {
    const run = await play({
      options: { strategy: "self_consistency", samples: 4 },
      test: { script: { answer_alone: ["other_option", "outside_options", "ok", "ok"] } },
    });
    const [vote] = await (await trace(run)).contents("vote");
    expect(vote).toMatchObject({ invalid: 1, sample: 3, answer: run.output.answer });
    expect(run.output).toMatchObject({ stop_reason: "voted", confidence: 0.5 });
  });

  it("an open question has a single answer, and no vote", async () => {
    const run = await play({ input: OPEN, options: { strategy: "single_agent" } });
    expect(run.output.answer.length).toBeGreaterThan(80);
    const refused = await call("POST", "/v1/runs", {
      key: client.test,
      body: debateOf({ input: OPEN, options: { strategy: "self_consistency" } }),
    });
    expect(refused.status).toBe(422);
  });
});

describe("corpora", () => {
  const corpusOf = async (name: string, pieces: { source: string; jurisdiction: string; text: string }[]) => {
    const { body } = await call("POST", "/v1/corpora", { key: client.test, body: { name } });
    for (const piece of pieces) {
      const added = await call("POST", `/v1/corpora/${body.id}/documents`, { key: client.test, body: piece });
      expect(added.status).toBeLessThan(300);
    }
    await until("the corpus is indexed", async () => {
      const { body: found } = await call("GET", `/v1/corpora/${body.id}`, { key: client.test });
      return found.status === "ready";
    });
    return body.id as string;
  };

  it("are looked in beside the run's own evidence, and their passages can be cited", async () => {
    const corpus = await corpusOf("Statutes", EVIDENCE.slice(0, 2));
    const run = await play({ input: { evidence: EVIDENCE.slice(2), corpus_ids: [corpus] } });
    const found = (await (await trace(run)).contents("authorities")).flatMap(({ excerpts }) => excerpts);
    expect(new Set(found.map((one: any) => one.corpus_id))).toEqual(new Set([corpus, null]));
    expect(run.output.citations.every((one: any) => one.quote_found)).toBe(true);
  });

  it("that are not there are refused", async () => {
    const reply = await call("POST", "/v1/runs", {
      key: client.test,
      body: debateOf({ input: { corpus_ids: ["cor_01ARZ3NDEKTSV4RRFFQ69G5FAV"] } }),
    });
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toMatchObject([{ path: "input.corpus_ids.0" }]);
  });

  it("that are deleted on the way do not end the debate, and the report says so", async () => {
    const corpus = await corpusOf("Short-lived", EVIDENCE.slice(0, 2));
    const id = await begin({
      input: { evidence: EVIDENCE.slice(2), corpus_ids: [corpus] },
      options: { checkpoints: ["option_ranking"] },
    });
    const interaction = await openInteraction(client.test, id);
    await until("the authorities", async () => (await trace({ id })).count("retrieve") > 0);
    expect((await call("DELETE", `/v1/corpora/${corpus}`, { key: client.test })).status).toBe(204);
    await answerTo(client, interaction, { decision: "approve" });
    const run = await runWithStatus(client.test, id, "completed");
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
  const reply = await call("POST", "/v1/runs", {
    key: client.test,
    body: debateOf({ input: { evidence: [{ source: "x", text }] } }),
  });
  expect(reply.status).toBe(422);
  expect(reply.body.errors).toMatchObject([{ path: "input.evidence.0.text" }]);
});

describe("what goes wrong on the way", () => {
  it.each(["rate_limited", "server_error", "timeout", "malformed", "truncated"])("a %s is survived", async (fault) => {
    const run = await play({ test: { faults: { llm: ["ok", "ok", fault] } } });
    expect(run.output.stop_reason).toBe("judged");
  });

  it.each([
    [1, "opening"],
    [4, "rebuttal"],
    [10, "cross_examination"],
    [13, "judgment"],
  ])(
    "a limit of %i calls ends the run in %s; with a higher one it goes on, and pays for nothing twice",
    async (most, stage) => {
      const options = { cross_examiner: true, interventions: ["misconception_refutation"] };
      const id = await start(client.test, { ...debateOf({ options }), limits: { max_llm_calls: most } });
      const failed = await runWithStatus(client.test, id, "failed");
      expect(failed).toMatchObject({ stage, error: { code: "budget_exceeded" }, usage: { llm_calls: most } });
      const limits = { max_llm_calls: 14 };
      expect((await call("POST", `/v1/runs/${id}/retry`, { key: client.test, body: { limits } })).status).toBeLessThan(
        300,
      );
      const run = await runWithStatus(client.test, id, "completed");
      expect(run).toMatchObject({ output: { stop_reason: "judged" }, usage: { llm_calls: 14 } });
    },
  );

  it("a refusal fails the run with its reason, and the retry goes on", async () => {
    const id = await begin({ test: { faults: { llm: ["ok", "refusal"] } } });
    const failed = await runWithStatus(client.test, id, "failed");
    expect(failed.error.code).toMatch(/refus/);
    await call("POST", `/v1/runs/${id}/retry`, { key: client.test, body: {} });
    const run = await runWithStatus(client.test, id, "completed");
    expect((await trace(run)).count("rank_options")).toBe(1);
  });
});

it("reads sensibly in Portuguese", async () => {
  const run = await play({
    input: {
      question:
        "O comerciante assina proposta de venda de um carro, promete mantê-la por dez dias e a retira no quarto. O comprador aceita no quinto dia. Há contrato?",
      choices: [
        { label: "A", text: "Sim, porque a proposta obriga o proponente durante o prazo que fixou." },
        { label: "B", text: "Não, porque a proposta pode ser retirada a qualquer tempo." },
      ],
      jurisdiction: "BR",
      language: undefined,
      evidence: [
        {
          source: "Código Civil, art. 427",
          jurisdiction: "BR",
          text: "A proposta de contrato obriga o proponente, se o contrário não resultar dos termos dela.",
        },
      ],
    },
  });
  expect(run.output.rationale[0]).toMatch(/^A regra aplicável/);
  expect(run.output.report.text).toContain("## Antes de confiar nisto");
  expect(run.output.report.text).not.toMatch(/## (Answer|Why|The sides)/);
});
