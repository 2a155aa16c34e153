// npm run dev [-- --json]: serves Parley on this machine until it is stopped.
import { parseOrExit } from "./lib/arguments.mjs";
import { nextChange } from "./dev/changes.mjs";
import { startServer } from "./lib/server.mjs";
import { onStop } from "./lib/stopping.mjs";
import { checkVariables, workerVariables } from "./lib/variables.mjs";
import { ROOT } from "./lib/wrangler.mjs";
import { buildWorker } from "./workerd/build.mjs";

const USAGE = `npm run dev [-- --json]: serves Parley on this machine until it is stopped, and starts again when its files change.

  --json         the ready line is {"url", "test_key", "live_key"}
  PORT           the port (one that is free)
  PARLEY_STATE   the folder of all that is stored (.parley)`;

const { values } = parseOrExit(USAGE, { options: { json: { type: "boolean", default: false } } });

const say = (text) => process.stderr.write(`${text}\n`);

async function main() {
  const startedAt = Date.now();
  const port = process.env.PORT ? Number(process.env.PORT) : undefined;
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536))
    throw new Error(`PORT is ${process.env.PORT}; it must be a port number.`);
  const env = workerVariables();
  checkVariables(env);
  say("Starting Parley …");
  const start = (at) => startServer({ state: process.env.PARLEY_STATE || ".parley", port: at, env, quiet: false });
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
      say(error.message); // the server goes on as it was
      continue;
    }
    await server.stop();
    if (stopped.signal.aborted) return;
    server = await start(Number(new URL(url).port));
    if (stopped.signal.aborted) await server.stop();
  }
}

/** Waits for a change of the Worker's files: true; or for the end of the server: false. */
async function hasChanged(server) {
  const over = new AbortController();
  const ended = server.ended.then(() => false);
  try {
    return await Promise.race([nextChange(ROOT, { signal: over.signal }).then(() => true), ended]);
  } finally {
    over.abort();
  }
}

const greeting = ({ url, test_key, live_key, log }, ms) => `
Parley is ready (${(ms / 1000).toFixed(1)} s).

  Console   ${url}/console#key=${test_key}
  API       ${url}
  MCP       ${url}/mcp
  Guide     ${url}/docs/guide
  Reference ${url}/docs
  Test key  ${test_key}   (rehearsal model, free)
  Live key  ${live_key}   (your provider; every scope)
  Log       ${log}

Try it:

  curl -s ${url}/v1/runs \\
    -H 'authorization: Bearer ${test_key}' \\
    -H 'content-type: application/json' \\
    -d '{"workflow": "requirements", "input": {"idea": "A shared shopping list for a household"}}'

Ctrl-C stops it; its data stays.

`;

await main().catch((error) => {
  say(error.message);
  process.exitCode = 1;
});
