import { command, work } from "./lib/command.ts";
import { nextChange } from "./dev/changes.ts";
import { type Server, startServer } from "./lib/server.ts";
import { onStop } from "./lib/stopping.ts";
import { checkVariables, workerVariables } from "./lib/variables.ts";
import { ROOT } from "./lib/wrangler.ts";
import { buildWorker } from "./workerd/build.ts";

const { values } = command({
  name: "dev",
  what: "Serves Parley on this machine until it is stopped, and starts again when its files change.",
  options: { json: { type: "boolean", help: 'the ready line is {"url", "test_key", "live_key"}' } },
  more: `  PORT           the port (one that is free)
  PARLEY_STATE   the folder of all that is stored (.parley)`,
});

const say = (text: string) => process.stderr.write(`${text}\n`);

async function main() {
  const startedAt = Date.now();
  const port = process.env.PORT ? Number(process.env.PORT) : undefined;
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error(`PORT is ${process.env.PORT}; it must be a port number.`);
  const env = workerVariables();
  checkVariables(env);
  say("Starting Parley …");
  const start = (at?: number) =>
    startServer({ state: process.env.PARLEY_STATE || ".parley", port: at, env, quiet: false });
  let server = await start(port);
  const stopped = new AbortController();
  onStop(() => {
    stopped.abort();
    void server.stop();
  });
  const { url, test_key, live_key } = server;
  if (values.json) process.stdout.write(`${JSON.stringify({ url, test_key, live_key })}\n`);
  else process.stdout.write(greeting(server, Date.now() - startedAt));
  while (await hasChanged(server)) {
    say("Files have changed: starting again …");
    try {
      await buildWorker();
    } catch (error) {
      say((error as Error).message); // the server continues as it was
      continue;
    }
    await server.stop();
    if (stopped.signal.aborted) return;
    server = await start(Number(new URL(url).port));
    if (stopped.signal.aborted) await server.stop();
  }
}

/** Waits for a change of the Worker's files: true; or for the end of the server: false. */
async function hasChanged(server: Server) {
  const over = new AbortController();
  const ended = server.ended.then(() => false);
  try {
    return await Promise.race([nextChange(ROOT, { signal: over.signal }).then(() => true), ended]);
  } finally {
    over.abort();
  }
}

const greeting = ({ url, test_key, live_key, log }: Server, ms: number) => `
Parley is ready (${(ms / 1000).toFixed(1)} s).

  Console   ${url}/console#key=${test_key}
  API       ${url}
  MCP       ${url}/mcp
  Guide     ${url}/docs/guide
  Reference ${url}/docs
  Test key  ${test_key}   (mock model, free)
  Live key  ${live_key}   (your provider; every scope)
  Log       ${log}

Try it:

  curl -s ${url}/v1/runs \\
    -H 'authorization: Bearer ${test_key}' \\
    -H 'content-type: application/json' \\
    -d '{"workflow": "requirements", "input": {"idea": "A shared shopping list for a household"}}'

Ctrl-C stops it; its data stays.

`;

await work("dev", main);
