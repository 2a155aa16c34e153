import { describe, expect, test } from "vitest";
import type { Brief, CheckedCitation } from "#workflows/debate/artifacts/index";
import type { Judgment, Submission } from "#workflows/debate/outcome";
import { drawingOf } from "#workflows/debate/reports/drawing";
import type { Statement } from "#workflows/debate/rules/topology";
import { IDEAS } from "../ideas";
import { position, question } from "#workflows/debate/samples";

const positions = [position("A", "The offer stands."), position("B", "It was revoked.")];
const statement = (debater: number, round: number, claim: string, more: Partial<Statement> = {}): Statement => ({
  debater,
  round,
  position: positions[debater - 1]!.label,
  brief: {
    content: { claims: [claim], concedes: round === 2 ? ["A point."] : [] } as unknown as Brief,
  } as Statement["brief"],
  shown: [],
  answers: round === 2 ? [{ debater: 3 - debater, round: 1 }] : [],
  ...more,
});
const cited = (more: Partial<CheckedCitation>): CheckedCitation => ({
  authority_id: "p1",
  external_id: null,
  quote: "An offer that is held open",
  proposition: "It binds.",
  cited_by: "debater_1",
  round: 1,
  authority: "shown",
  quote_match: "verbatim",
  quote_found: true,
  foreign: false,
  supported: true,
  note: null,
  ...more,
});

function draw(text: string, more: Partial<Judgment> = {}, rounds?: Statement[][]): string {
  const submission = {
    state: {
      positions,
      rounds: rounds ?? [1, 2].map((round) => [1, 2].map((debater) => statement(debater, round, text))),
    },
    replies: [],
  } as unknown as Submission;
  const judged = {
    answer: "A",
    verdict: { confidence: 0.8 },
    winner: "debater_2",
    prevailed: ["debater_1"],
    parties: [
      { party: "Y", debater: "debater_2", position: "B", statement: "It was revoked.", held: "B" },
      { party: "X", debater: "debater_1", position: "A", statement: "The offer stands.", held: "A" },
    ],
    citations: [],
    stop_reason: "judged",
    ...more,
  } as unknown as Judgment;
  return drawingOf(question(text), submission, judged);
}

describe("the drawing of a debate", () => {
  test("has a brief of each side and round, an arrow for each brief that answers another, and one to the answer", () => {
    const svg = draw("An offer.");
    expect(svg.match(/<g><title>/g)).toHaveLength(4);
    expect(svg.match(/class="arrow" marker-end="url\(#tip\)" d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+"\/>\n/g)).toHaveLength(2);
    expect(svg.match(/class="carries"[^>]*\/>\n/g)).toHaveLength(1);
    expect(svg).toContain(">holds the answer<");
    expect(svg).toContain(">argued best<");
  });

  test("has a text alternative, and colours of both schemes", () => {
    const svg = draw("An offer.");
    expect(svg).toMatch(/role="img" aria-labelledby="t d"/);
    expect(svg).toMatch(
      /<desc id="d">Party Y: B\) It was revoked\. Party X: .*Answer: A\) .*Decided by the judge\.<\/desc>/,
    );
    expect(svg).toContain("@media (prefers-color-scheme:dark)");
  });

  test("marks each citation by its result, with a shape of its own", () => {
    const citations = [
      cited({}),
      cited({ proposition: "Two.", quote_match: "abridged" }),
      cited({ proposition: "Three.", quote_match: "altered", quote_found: false }),
      cited({ proposition: "Four.", supported: false }),
      cited({ proposition: "Five.", authority: "unknown", supported: false }),
      cited({ proposition: "Six.", supported: null }),
    ];
    const marks = (svg: string) => [
      ...svg
        .split("<g><title>")
        .slice(1)
        .join("")
        .matchAll(/class="(sound|abridged|invalid|invented|unjudged)"/g),
    ];
    const inLegend = marks(draw("x")).length;
    expect(
      marks(draw("x", { citations }))
        .map(([, mark]) => mark)
        .slice(0, 6),
    ).toEqual(["sound", "abridged", "invalid", "invalid", "invented", "unjudged"]);
    expect(marks(draw("x", { citations }))).toHaveLength(inLegend + 6);
  });

  test.each([...Object.entries(IDEAS), ["markup", `</text><script>alert("1")</script>&<![CDATA[`]])(
    "is well-formed with %s in it",
    (_name, text) => {
      const svg = draw(text);
      expect(svg).not.toMatch(/<script|<!\[CDATA|&(?!(?:amp|lt|gt|quot|apos);)/);
      const tags = [...svg.matchAll(/<(\/?)([a-z]+)\b[^<>]*?(\/?)>/gi)].filter(([, , , closed]) => !closed);
      const open: string[] = [];
      for (const [, end, name] of tags)
        if (end) expect(open.pop()).toBe(name);
        else open.push(name!);
      expect(open).toEqual([]);
    },
  );

  test("says when nobody decided", () => {
    const svg = draw("An offer.", { answer: null, prevailed: [], winner: null, stop_reason: "invalid" });
    expect(svg).toContain("No answer");
    expect(svg).not.toMatch(/class="carries"[^>]*\/>\n/);
  });
});
