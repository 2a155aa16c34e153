// Does what a coding agent does with .mcp.json: starts a run, is asked, asks its user, and reads the result. Its conversation goes to stdout as Markdown;
// `node examples/coding-agent/agent.mjs > examples/coding-agent/transcript.md` made the transcript. Needs PARLEY_BASE_URL and PARLEY_API_KEY.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** What the user says to the agent, and answers when asked. */
const WISH = "Write requirements for a library that lends tools to neighbours, and show me the draft first.";
const ANSWERS = [
  { decision: "revise", comment: "Say what happens when a tool comes back broken." },
  { decision: "approve", comment: "" },
];

const say = (text) => process.stdout.write(`${text}\n`);
const quoted = (text) => text.replace(/^/gm, "> ");
const json = (value) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** The server that the configuration names, with variables of the environment filled in. */
function configured() {
  const text = readFileSync(join(import.meta.dirname, ".mcp.json"), "utf8");
  const filled = text.replace(/\$\{(\w+)\}/g, (_, name) => {
    if (!process.env[name]) throw new Error(`Set ${name}.`);
    return process.env[name];
  });
  return JSON.parse(filled).mcpServers.parley;
}

async function connect() {
  const { url, headers } = configured();
  const client = new Client(
    { name: "coding-agent", version: "1.0.0" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    const content = ANSWERS.shift();
    say(`**Parley asks**\n\n${quoted(params.message)}\n\n**User**\n\n${json(content)}\n`);
    return { action: "accept", content };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

const client = await connect();
const { tools } = await client.listTools();

/** Calls a tool, and shows the call. @returns its structured result */
async function call(name, args, { quiet = false } = {}) {
  if (!quiet) say(`**Agent** calls \`${name}\`\n\n${json(args)}\n`);
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(result.content[0].text);
  return result.structuredContent;
}

/** Reads a run until it waits for a person or has ended. */
async function settled(run_id) {
  for (;;) {
    const run = await call("get_run", { run_id }, { quiet: true });
    if (!["queued", "running"].includes(run.status)) return run;
    await sleep(500);
  }
}

say(`# A coding agent uses Parley\n\n${tools.length} tools: ${tools.map(({ name }) => `\`${name}\``).join(", ")}.\n`);
say(`**User**\n\n${quoted(WISH)}\n`);
const { id } = await call("start_requirements", {
  input: { idea: "A library that lends tools to neighbours" },
  options: { reviews: ["requirement_draft"] },
});
say(`The run is \`${id}\`. The agent may do other work, or end, meanwhile.\n`);

let run = await settled(id);
while (run.status === "input_required") {
  const { questions } = await call("list_questions", { run_id: id });
  // Without an answer the server asks the user through the agent.
  await call("answer_question", { interaction_id: questions[0].id });
  run = await settled(id);
}

const { contents } = await client.readResource({ uri: `parley://runs/${id}` });
const { status, usage, output } = JSON.parse(contents[0].text);
say(`**Agent** reads \`parley://runs/${id}\`: ${status} after ${usage.llm_calls} calls.\n`);
say(`Its document begins:\n\n${quoted(output.document.text.split("\n").slice(0, 12).join("\n"))}`);
await client.close();
