import { type Bench, finished, median, plan, runMock } from "../lib/measure.ts";
import { markdownTable, say } from "../../scripts/lib/terminal.ts";
import type { Client } from "../lib/client.ts";
import type { Json } from "../../scripts/lib/json.ts";

/** Two generated programs: one calls agents in sequence, the other calls them in parallel. */
const AGENT_CALLS = 10;
const PROGRAMS: Record<string, (agent: string) => string> = {
  "one after the other": (agent) => `export default async function main(agents) {
  let last = null;
  for (let n = 1; n <= ${AGENT_CALLS}; n++) last = await agents.call(${JSON.stringify(agent)}, "step " + n, last);
  return last;
}`,
  "all at once": (agent) => `export default async function main(agents) {
  const steps = Array.from({ length: ${AGENT_CALLS} }, (_, n) => agents.call(${JSON.stringify(agent)}, "step " + n, null));
  return (await Promise.all(steps)).join(" ");
}`,
};
const REQUEST = {
  workflow: "waterfall",
  input: { requirement: "Count to ten." },
  options: { clarification: "skip", skip_stages: ["design"] },
};

/** Measures the time of a program's execution outside its agent calls; a call lasts from its start to its commit. */
export async function programs({ endpoint, test, live }: Bench, repeats: number) {
  const contents = await runMock(test, REQUEST);
  const agent = (await test.get("/v1/agents?limit=1")).data[0].name;
  const rows: string[][] = [];
  for (const [name, source] of Object.entries(PROGRAMS)) {
    await plan(endpoint, "program", [
      ...contents
        .filter(([step]) => !step.includes("/execution#"))
        .map(([step, content]): [string, object] => [step, { content }]),
      ["implementation/generate_code#1", { content: source(agent) }],
      ["*", { content: "done", delay_ms: 50 }],
    ]);
    const logs: Json[] = [];
    // The first execution of an isolate loads QuickJS, so it has its own column.
    for (let count = 0; count <= 2 * repeats; count++) logs.push(await logOfProgram(live));
    const besides = logs.map(({ duration_ms, calls_ms }) => duration_ms - calls_ms);
    const wall = median(logs.map(({ duration_ms }) => duration_ms));
    rows.push([name, `${wall} ms`, `${besides[0]} ms`, `${median(besides.slice(1))} ms`]);
  }
  const head = [`program with ${AGENT_CALLS} agent calls`, "execution", "besides (first)", "besides (median)"];
  say(`\n${markdownTable(head, rows)}`);
}

async function logOfProgram(api: Client) {
  const { id } = await api.post("/v1/runs", { body: { ...REQUEST, models: { default: "openai/program" } } });
  await finished(api, id);
  const { id: log } = (await api.all(`/v1/runs/${id}/artifacts`)).find(({ kind }) => kind === "execution_log");
  const { content } = await api.get(`/v1/runs/${id}/artifacts/${log}`);
  if (content.calls !== AGENT_CALLS) throw new Error(`The program made ${content.calls} calls, not ${AGENT_CALLS}.`);
  return content;
}
