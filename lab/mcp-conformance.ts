import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { type OutgoingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import type { Json } from "../scripts/lib/json.ts";
import { serveLocally } from "../scripts/lib/serve-locally.ts";
import { command } from "../scripts/lib/command.ts";
import { type Server, withServer } from "../scripts/lib/server.ts";

command({
  name: "mcp-conformance",
  what: `Runs the official conformance suite of the Model Context Protocol against a server of this machine, and prints each check that failed. It
downloads the suite. docs/coding-agents.md says which scenarios cannot pass, and why.`,
});

// The suite sends no key and calls tools of its own reference server, so a proxy adds the key, and calls our tools in the place of those that have
// a counterpart.
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const VERSIONS = ["2025-06-18", "2025-11-25", "2026-07-28"];
/** Scenarios of an extension, which no version of the protocol includes. */
const TASKS = [
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
];

const INPUT = { idea: "A library that lends tools" };
const WAITS = { input: INPUT, options: { reviews: ["requirement_draft"], qa_rounds: 0 } };
const ENDS = { input: INPUT, options: { qa_rounds: 0 } };

/** Our tool in the place of one of the suite, and its arguments. */
const TOOLS: Record<string, (args: Json) => [name: string, args: object]> = {
  greet: () => ["list_questions", {}],
  test_error_handling: () => ["get_run", { run_id: "run_00000000000000000000000000" }],
  slow_compute: ({ seconds }) => ["start_requirements", seconds > 10 ? WAITS : ENDS],
  failing_job: () => ["start_requirements", { ...ENDS, limits: { max_llm_calls: 1 } }],
  confirm_delete: () => ["start_requirements", WAITS],
};

/** A message of the suite as our server gets it. */
function translated(message: Json): Json {
  const { method, params = {} } = message;
  const tool = method === "tools/call" ? TOOLS[params.name] : undefined;
  if (tool) {
    const [name, args] = tool(params.arguments ?? {});
    return { ...message, params: { ...params, name, arguments: args } };
  }
  if (method === "tasks/update" && params.inputResponses) {
    const approved = Object.entries<object>(params.inputResponses).map(([id, response]) => [
      id,
      { ...response, content: { decision: "approve" } },
    ]);
    return { ...message, params: { ...params, inputResponses: Object.fromEntries(approved) } };
  }
  return message;
}

/** Forwards requests with the key. The host and the origin stay as the suite says them. */
async function startProxy({ url, test_key }: Server) {
  const { url: local, close } = await serveLocally(async (incoming, outgoing) => {
    let text = "";
    for await (const chunk of incoming) text += chunk;
    const sent = text && JSON.parse(text);
    const message = sent && translated(sent);
    const headers: OutgoingHttpHeaders = { ...incoming.headers, authorization: `Bearer ${test_key}` };
    if (message?.params?.name !== sent?.params?.name && headers["mcp-name"] === sent.params.name)
      headers["mcp-name"] = message.params.name;
    const body = message && JSON.stringify(message);
    if (body) headers["content-length"] = String(Buffer.byteLength(body));
    const out = request(new URL(incoming.url ?? "/", url).href, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    out.on("error", () => outgoing.destroy());
    out.end(body);
  });
  return { url: `${local}/mcp`, close };
}

const runConformance = (args: string[]) =>
  new Promise((resolve) => execFile("npx", ["--yes", SUITE, "server", ...args], { maxBuffer: 1 << 26 }, resolve));

/** Prints the outcome of each scenario in a folder of results. */
function report(title: string, folder: string) {
  console.log(`\n${title}`);
  for (const name of readdirSync(folder).toSorted()) {
    const checks: Json[] = JSON.parse(readFileSync(join(folder, name, "checks.json"), "utf8"));
    const failed = checks.filter(({ status }) => status === "FAILURE");
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    console.log(
      `  ${name.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, "")}: ${passed.length} passed, ${failed.length} failed`,
    );
    for (const { id, errorMessage } of failed) console.log(`    ${id}: ${errorMessage?.split("\n")[0].slice(0, 160)}`);
  }
}

await withServer({}, async (server, state) => {
  const proxy = await startProxy(server);
  const results = (name: string) => join(state, "results", name);
  for (const version of VERSIONS) {
    await runConformance([
      "--url",
      proxy.url,
      "--suite",
      "all",
      "--spec-version",
      version,
      "--output-dir",
      results(version),
    ]);
    report(version, results(version));
  }
  const folder = results("tasks");
  for (const scenario of TASKS)
    await runConformance(["--url", proxy.url, "--scenario", scenario, "--output-dir", folder]);
  report("io.modelcontextprotocol/tasks", folder);
  proxy.close();
});
