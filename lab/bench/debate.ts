// Measures the time that the workflow adds to its calls: four debaters over three rounds, with snippet requests.
import type { Api, Json } from "../../scripts/lib/api.ts";
import { longestChain } from "../lib/chains.ts";
import { callsOf, type EndpointCall, finished, median, plan, runMock, reportCalls } from "../lib/measure.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";

const LATENCY = 200;
const GREATEST_RATIO = 1.15;
/** Calls in sequence: positions, openings, a snippet request and a brief in each further round, and the judge. */
const CHAIN = 7;
const PIECES = 24;
const TERMS = ["offer", "acceptance", "consideration", "revocation", "reliance", "lapse", "notice", "merchant"];

const REQUEST = {
  workflow: "debate",
  input: {
    question:
      "A merchant promises in writing to hold an offer open, and withdraws it. The buyer accepts. Is there a contract?",
    choices: [
      { label: "A", text: "Yes, the written offer of a merchant stays open for the time it states." },
      { label: "B", text: "No, the promise lacks consideration, and revocation is free." },
      { label: "C", text: "Yes, the buyer acted in reliance on the promise." },
      { label: "D", text: "No, the lapse of a reasonable time ended the offer." },
    ],
    jurisdiction: "US",
    language: "en",
    evidence: Array.from({ length: PIECES }, (_, index) => ({
      source: `Restatement, section ${index + 1}`,
      jurisdiction: "US",
      text: `Section ${index + 1}. The ${TERMS[index % 8]} of a merchant's offer follows the rule of ${TERMS[(index + 3) % 8]}, and binds the buyer who had notice of it.`,
    })),
  },
  // The profile of the paper shows the best few pieces, so that debaters have others to ask for.
  options: { debaters: 4, rounds: 3, profile: "paper" },
};

/** Gaps between the calls of the longest chain, from the start of the run to its end, in milliseconds. */
function gaps(run: Json, calls: EndpointCall[]) {
  const parts: { between: string; took: number }[] = [];
  let free = Date.parse(run.started_at);
  let last = "start";
  for (const step of [...calls].sort((a, b) => a.ended_at - b.ended_at)) {
    if (last !== "start" && step.started_at < free) continue;
    parts.push({ between: `${nameOf(last)} → ${nameOf(step.step)}`, took: step.started_at - free });
    free = step.ended_at;
    last = step.step;
  }
  parts.push({ between: `${nameOf(last)} → end`, took: Date.parse(run.finished_at) - free });
  return parts;
}

const nameOf = (step: string) => step.replace(/^.*\//, "").replace(/\.debater_\d+$/, "");

export async function benchDebate(
  apis: { test: Api; live: Api },
  { quick, endpoint }: { quick: boolean; endpoint: string },
) {
  const contents = await runMock(apis.test, REQUEST);
  await plan(endpoint, contents, LATENCY);
  const rows: string[][] = [];
  const all: { id: string; calls: number; chain: number; wall: number; gaps: ReturnType<typeof gaps> }[] = [];
  for (let count = 0; count <= (quick ? 2 : 9); count++) {
    const { id } = await apis.live.post("/v1/runs", { ...REQUEST, models: { default: `openai/${LATENCY}ms` } });
    const run = await finished(apis.live, id, LATENCY * CHAIN);
    const calls = await callsOf(endpoint, id);
    const wall = Date.parse(run.finished_at) - Date.parse(run.started_at);
    // The first run warms the server up.
    if (count > 0) all.push({ id, calls: calls.length, chain: longestChain(calls), wall, gaps: gaps(run, calls) });
  }
  const ratio = ({ wall, chain }: { wall: number; chain: number }) => wall / (chain * LATENCY);
  const middle = all.toSorted((one, other) => ratio(one) - ratio(other))[Math.floor((all.length - 1) / 2)]!;
  for (const { calls, chain, wall } of all)
    rows.push([String(calls), String(chain), `${wall} ms`, ratio({ wall, chain }).toFixed(3)]);
  say(`Four debaters, three rounds, snippets asked for, ${PIECES} pieces of evidence, calls of ${LATENCY} ms:\n`);
  say(markdownTable(["calls", "longest chain", "wall", "wall / chain"], rows));
  say(`\nMedian ${median(all.map(ratio)).toFixed(3)}; the bound is ${GREATEST_RATIO}.\n`);
  say(
    markdownTable(
      ["between the calls of the chain (median run)", "ms"],
      middle.gaps.map(({ between, took }) => [between, String(Math.round(took))]),
    ),
  );
  say();
  await reportCalls(
    endpoint,
    all.map(({ id }) => id),
    all[0]!.calls,
  );
}
