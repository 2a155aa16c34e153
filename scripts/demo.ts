import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSecret } from "#services/webhooks/delivery/sign";
import type { Demo, Question } from "./demo/demo.ts";
import { type Receiver, startReceiver } from "./demo/receiver.ts";
import type { Json } from "./lib/json.ts";
import { command, refuse } from "./lib/command.ts";
import { liveModel } from "./lib/live-model.ts";
import { type Artifact, type Parley, parleyAt } from "./lib/sdk.ts";
import { type Server, startServer, untilEnd } from "./lib/server.ts";
import { onStop } from "./lib/stopping.ts";
import { ask, bold, dim, green, indent, interactive, red, say, seconds, table, yellow } from "./lib/terminal.ts";
import { providerVariables } from "./lib/variables.ts";
import { ROOT } from "./lib/wrangler.ts";

const fileOf = (name: string) => join(import.meta.dirname, "demo", `${name}.ts`);
const demos = readdirSync(join(ROOT, "workflows")).filter((name) => existsSync(fileOf(name)));
const { values, positionals } = command({
  name: "demo",
  takes: `[${demos.join(" | ")}]`,
  what: "Executes one run from idea to result, on a server of its own. Without a name: requirements.",
  options: {
    idea: { type: "string", help: "another idea, request, question or topic" },
    keep: { type: "boolean", help: "keeps the server running, and prints its keys and the address of each artifact" },
  },
  example: "waterfall --keep",
});
const [workflow = "requirements"] = positionals;
if (!demos.includes(workflow)) refuse("demo", `There is no demo of ${workflow}; there are ${demos.join(", ")}`);
const demo: Demo = await import(fileOf(workflow));

const stopping = new AbortController();
const { signal } = stopping;
onStop(() => stopping.abort());

async function main(state: string, startedAt: number) {
  const model = await liveModel(signal);
  const env = { ...providerVariables(), ...(model && { OPENAI_MODEL: model }) };
  say(`\n${bold(`Parley: ${demo.title}`)}\n`);
  say(dim("Starting a server on workerd, with its own D1, R2 and Workflows …"));
  const server = await startServer({ state, env });
  const secret = makeSecret();
  const receiver = await startReceiver(secret);
  try {
    await untilEnd(server.ended, signal, runDemo({ server, receiver, secret, model, startedAt }));
  } finally {
    receiver.close();
    await server.stop();
  }
}

interface Started {
  server: Server;
  receiver: Receiver;
  secret: string;
  model: string | null;
  startedAt: number;
}

async function runDemo({ server, receiver, secret, model, startedAt }: Started) {
  const parley = parleyAt(server.url, model ? server.live_key : server.test_key, signal);
  const request = demo.request(values.idea);
  const webhook = { url: receiver.url, secret, events: ["run.input_required" as const] };
  const run = await parley.runs.create({ ...request, webhook });
  say(`
  Server    ${server.url} ${dim(`(up after ${seconds(Date.now() - startedAt)})`)}
  Model     ${model ? `${model} ${dim(`at ${process.env.OPENAI_BASE_URL || "OpenAI"}`)}` : `mock ${dim("(deterministic and free; set OPENAI_API_KEY for a real one)")}`}
  Webhooks  ${receiver.url}
  Run       ${run.id}
  ${(demo.subjectName ?? "Idea").padEnd(9)} ${Object.values(request.input)[0]}
`);
  await follow(parley, receiver, run.id);
  await report(server, parley, run.id);
  if (values.keep) await keepServing(server);
}

/** Prints the run's progress from its event stream, and answers its interactions. */
async function follow(parley: Parley, receiver: Receiver, id: string) {
  let stageStart = Date.now();
  let feedbacks = 0;
  for await (const { id: event, type, data } of parley.runs.events(id, { signal })) {
    if (type === "run.stage_started") {
      stageStart = Date.now();
      say(bold(`  ${data.stage}`) + (data.iteration > 1 ? dim(` (iteration ${data.iteration})`) : ""));
    } else if (type === "run.artifact_created") {
      say(`    ${green("+")} ${`${data.kind} v${data.version}`.padEnd(28)} ${dim(`${data.role}, ${data.action}`)}`);
    } else if (type === "run.input_required") {
      const { interaction } = (await receiver.webhookOf(event, { signal })).data;
      say(`    ${yellow("?")} ${interaction.kind} ${dim("came as a signed webhook; signature verified")}`);
      await answer(parley, interaction, interaction.kind === "clarification" ? 0 : ++feedbacks);
    } else if (type === "run.stage_completed") {
      say(dim(`    done in ${seconds(Date.now() - stageStart)}`));
    } else if (["run.provider_failing", "run.provider_recovered"].includes(type)) {
      say(`    ${yellow("!")} ${type}: ${(data as Json).model}`);
    } else if (["run.stalled", "run.input_expired", "run.budget_warning"].includes(type)) {
      say(`    ${yellow("!")} ${type}`);
    }
  }
  say();
}

/**
 * Answers through the callback URL, which needs no API key.
 * @param feedback which feedback of the run this is, from 1; 0 for a clarification
 */
async function answer(parley: Parley, summary: Json, feedback: number) {
  const interaction = { ...summary, ...(summary.questions ? {} : await parley.interactions.get(summary.id)) };
  say(indent(interaction.prompt ?? "", 6));
  const body = feedback
    ? await decide(parley, interaction, feedback)
    : { answers: await answerAll(interaction.questions) };
  const response = await fetch(interaction.callback_url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...body, answered_by: interactive ? "you" : "npm run demo" }),
    signal,
  });
  if (!response.ok) throw new Error(`The answer was refused with ${response.status}: ${await response.text()}`);
  say(dim("      answered through its callback_url"));
}

async function answerAll(questions: Question[]) {
  const answers: Record<string, unknown> = {};
  for (const question of questions) {
    say(indent(`${question.text}${question.choices ? ` (${question.choices.join(", ")})` : ""}`, 6));
    answers[question.id] = await answerTo(question);
  }
  return answers;
}

const BY_TYPE: Record<string, (question: Question) => string | number | boolean | undefined> = {
  choice: ({ choices }) => choices?.[0],
  boolean: () => true,
  number: () => 10,
};

async function answerTo(question: Question) {
  const suggested =
    question.default ?? BY_TYPE[question.type]?.(question) ?? demo.answer?.(question) ?? "As you think best.";
  const text = await offer("Your answer", String(suggested));
  if (text === String(suggested)) return suggested;
  if (question.type === "number") return Number(text);
  return question.type === "boolean" ? /^(y|yes|true|1)$/i.test(text) : text;
}

async function decide(parley: Parley, { run_id, artifacts }: Json, feedback: number) {
  const suggested = demo.feedback?.(feedback) ?? "";
  if (interactive) for (const id of artifacts) say(dim(indent(await parley.artifacts.text(run_id, id), 6)));
  const comment = await offer('What should change? "-" or nothing approves', suggested);
  return comment && comment !== "-" ? { decision: "revise", comment } : { decision: "approve" };
}

/** Asks the person at the terminal; without a terminal it prints and returns the suggestion. */
async function offer(prompt: string, suggested: string) {
  if (!interactive) {
    say(`      ${green(">")} ${suggested || "(approved)"} ${dim("(no terminal: answered by the demo)")}`);
    return suggested;
  }
  if (suggested) say(dim(`      Enter takes: ${suggested}`));
  return (await ask(`      ${prompt} > `, signal)) || suggested;
}

async function report(server: Server, parley: Parley, id: string) {
  const [run, artifacts] = await Promise.all([parley.runs.get(id), parley.artifacts.list(id).all()]);
  if (run.status !== "completed")
    throw new Error(`The run is ${run.status}. ${run.error ? `${run.error.code}: ${run.error.detail}` : ""}`);
  const output = run.output as Json;
  for (const text of demo.documents(output)) if (text) say(`${text.trim()}\n`);
  if (values.keep) {
    const row = ({ id: artifact, kind, version }: Artifact) => [
      kind,
      String(version),
      `${server.url}/v1/runs/${id}/artifacts/${artifact}/content`,
    ];
    say(bold("Artifacts"));
    say(table(["kind", "version", "URL (with the API key)"], artifacts.map(row)));
  }
  const { llm_calls, input_tokens, output_tokens } = run.usage;
  const wall = Date.parse(run.finished_at ?? "") - Date.parse(run.created_at);
  say(
    `\n${green("Done.")} ${output.stop_reason}; ${artifacts.length} artifacts, ${llm_calls} model calls, ${input_tokens} tokens in, ${output_tokens} out, ${seconds(wall)} wall time.`,
  );
}

async function keepServing(server: Server) {
  say(
    `\nThe server runs until Ctrl-C: ${server.url}/docs\n  test key  ${server.test_key}\n  live key  ${server.live_key}`,
  );
  await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
}

const state = mkdtempSync(join(tmpdir(), "parley-demo-"));
const log = join(state, "server.log");
try {
  await main(state, Date.now());
  rmSync(state, { recursive: true, force: true });
  if (!values.keep)
    say(
      dim(
        "The demo's server is stopped, and its data removed. `-- --keep` keeps the server running and prints the address of each artifact; `npm run dev` starts a server that keeps its data.",
      ),
    );
} catch (error) {
  if (signal.aborted) {
    rmSync(state, { recursive: true, force: true });
    process.stderr.write("\nStopped.\n");
    process.exitCode = values.keep ? 0 : 130;
  } else {
    process.stderr.write(
      `\n${red("The demo failed.")} ${(error as Error).message}\n${existsSync(log) ? `Log of the server: ${log}\n` : ""}`,
    );
    process.exitCode = 1;
  }
}
