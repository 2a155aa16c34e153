import { programs } from "./bench/programs.ts";
import { withBarePipeline } from "./bench/bare-pipeline.ts";
import { benchRetrieval } from "./bench/retrieval.ts";
import { command, refuse, work } from "../scripts/lib/command.ts";
import {
  allAtOnce,
  type Bench,
  clientsOf,
  measured,
  oneAtATime,
  plan,
  prepare,
  reportCalls,
  withEndpoint,
} from "./lib/measure.ts";
import { type Client, clientOf } from "./lib/client.ts";
import { withServer } from "../scripts/lib/server.ts";
import { markdownTable, say } from "../scripts/lib/terminal.ts";
import { providerVariables } from "../scripts/lib/variables.ts";

/** Evidence of which the debaters are shown the best few, so that they ask for other pieces. */
const TERMS = ["offer", "acceptance", "consideration", "revocation", "reliance", "lapse", "notice", "merchant"];
const EVIDENCE = Array.from({ length: 24 }, (_, index) => ({
  source: `Restatement, section ${index + 1}`,
  jurisdiction: "US",
  text: `Section ${index + 1}. The ${TERMS[index % 8]} of a merchant's offer follows the rule of ${TERMS[(index + 3) % 8]}, and binds the buyer who had notice of it.`,
}));

/** Requests of the runs, by workflow. */
const REQUESTS: Record<string, object> = {
  requirements: { input: { idea: "A tool library for a neighbourhood, run by volunteers." } },
  debate: {
    input: {
      question:
        "A merchant promises in writing to hold an offer open, and withdraws it. The buyer accepts. Who is right?",
      jurisdiction: "US",
      language: "en",
      evidence: EVIDENCE,
    },
    options: { debaters: 4, rounds: 3, profile: "paper" },
  },
};
const SUBJECTS = [...Object.keys(REQUESTS), "programs", "retrieval"];

const { values, positionals } = command({
  name: "bench",
  takes: `[${SUBJECTS.join(" | ")}]`,
  what: `Prints figures; it has no pass or fail.

  requirements, debate  the time that the engine adds to the model calls of a run of this workflow, alone and beside others,
                        beside a bare pipeline on Workflows and D1 (requirements is the default)
  programs              the time of a generated program besides its agent calls
  retrieval             quality and speed of searches in corpora`,
  options: {
    quick: { type: "boolean", help: "fewer repetitions" },
    host: { type: "string", value: "HOST", help: "workerd, or node: the host of `npm run serve`" },
  },
  example: "debate --quick",
});
const [subject = "requirements"] = positionals;
if (!SUBJECTS.includes(subject))
  refuse("bench", `There is no benchmark "${subject}"; choose one of ${SUBJECTS.join(", ")}`);
const { quick, host } = values;
const REPEATS = quick ? 2 : 5;
const AT_ONCE = quick ? 10 : 50;
/** Of the model's calls. Milliseconds. */
const LATENCIES = [5, 50, 200];

type Start = (latency: number) => () => Promise<{ id: string }>;

/** Measures runs alone, at two latencies, and many at once. @param path how many calls of a run come one after the other */
async function measureRuns(server: { pid: number }, api: Client, start: Start, path: number) {
  await oneAtATime(api, REPEATS, start(5), 5 * path); // warms the server up
  const cases = [
    { name: `1 (median of ${REPEATS})`, latency: 50, count: REPEATS, play: oneAtATime },
    { name: `1 (median of ${REPEATS})`, latency: 200, count: REPEATS, play: oneAtATime },
    { name: `${AT_ONCE} at once`, latency: 200, count: AT_ONCE, play: allAtOnce },
  ];
  const measurements = [];
  for (const { name, latency, count, play } of cases) {
    const ideal = latency * path;
    const measurement = await measured(server, count, () => play(api, count, start(latency), ideal));
    measurements.push({ name, latency, ratio: (measurement.wall / ideal).toFixed(3), ...measurement });
  }
  return measurements;
}

/** Measures runs of a workflow beside a pipeline without an engine, so that the ratio means something on any machine. */
async function engine(bench: Bench, workflow: string) {
  const { server, endpoint, live } = bench;
  const request = { workflow, ...REQUESTS[workflow] };
  const { start, calls, path } = await prepare(bench, request, LATENCIES);
  const parley = await measureRuns(server, live, start, path);
  const text = "A short answer. ".repeat(60);
  for (const latency of LATENCIES)
    await plan(endpoint, `bare-${latency}ms`, [["*", { content: text, delay_ms: latency }]]);
  const bare = await withBarePipeline(endpoint, ({ url, pid }) => {
    const api = clientOf(url, "none");
    const begin: Start = (latency) => () => api.post("/v1/runs", { body: { model: `bare-${latency}ms`, calls: path } });
    return measureRuns({ pid }, api, begin, path);
  });
  const heads = [
    "runs",
    "latency",
    "wall",
    "wall / path",
    "CPU ms a run",
    "memory MiB",
    "bare: wall / path",
    "bare: CPU ms",
  ];
  const rows = parley.map(({ name, latency, wall, ratio, cpu, rss }, at) => [
    name,
    `${latency} ms`,
    `${wall.toFixed(0)} ms`,
    ratio,
    cpu,
    rss,
    bare[at]!.ratio,
    bare[at]!.cpu,
  ]);
  say(`\n${markdownTable(heads, rows)}`);
  say(`\nPath: ${path} calls one after the other, of ${calls} a run. Bare: a Workflow with a step and a row in D1`);
  say("for each call of the path, which has no artifacts, events, usage, budgets, questions or keys.");
  await reportCalls(
    endpoint,
    parley.flatMap(({ ids }) => ids),
    calls,
  );
}

await work("bench", () => {
  if (subject === "retrieval")
    return withServer({ host, env: providerVariables() }, (server) => benchRetrieval(clientsOf(server), quick));
  return withEndpoint({ host }, (bench) =>
    subject === "programs" ? programs(bench, REPEATS) : engine(bench, subject),
  );
});
