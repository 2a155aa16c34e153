// npm run dev [-- --json]: serves Parley on this machine until it is stopped.
import { parseOrExit } from "./lib/arguments.mjs";
import { startServer } from "./lib/server.mjs";
import { onStop } from "./lib/stopping.mjs";
import { checkVariables, workerVariables } from "./lib/variables.mjs";

const USAGE = `npm run dev [-- --json]: serves Parley on this machine until it is stopped.

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
  const server = await startServer({
    state: process.env.PARLEY_STATE || ".parley",
    port,
    env,
    quiet: false,
  });
  onStop(() => void server.stop());
  const { url, test_key, live_key } = server;
  if (values.json) process.stdout.write(`${JSON.stringify({ url, test_key, live_key })}\n`);
  else process.stdout.write(greeting(server, Date.now() - startedAt));
  await server.ended;
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
