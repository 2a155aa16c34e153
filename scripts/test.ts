// npm test [-- <arguments of vitest>]: without arguments every test outside test/slow. `npm run test:all` (--slow) runs those inside it. Tests that
// serve the Worker as a process mostly wait, so a second vitest runs them beside the others.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ROOT } from "./lib/wrangler.ts";
import { buildWorker } from "./workerd/build.ts";

const VITEST = join(ROOT, "node_modules/vitest/vitest.mjs");

/** Arguments of each vitest. Those of both commands together name every project of vitest.config.ts, new ones included. */
const ALWAYS = [["--project=!slow/*", "--project=!process"], ["--project=process"]];
const SLOW = [["--project=slow/*", "--project=!slow/process"], ["--project=slow/process"]];

/** Where vitest begins to tell what failed. */
const FAILURES = /^.*(Failed (Tests|Suites)|Unhandled Errors?)/m;

/** Runs vitest and prints what it prints. */
async function vitest(args: string[]): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [VITEST, "run", ...args], { cwd: ROOT, stdio: ["inherit", "pipe", "pipe"] });
  let text = "";
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (chunk) => {
      text += chunk;
      process[name].write(chunk);
    });
  const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
  return { code: code ?? 1, text: stripVTControlCharacters(text) };
}

const [all, given] = process.argv[2] === "--slow" ? [SLOW, process.argv.slice(3)] : [ALWAYS, process.argv.slice(2)];
// Once, for all servers of the tests.
if (given.length === 0) await buildWorker();
const ended = await Promise.all((given.length > 0 ? [given] : all).map(vitest));
// The failures of the one that ended first are in the middle of the other's output.
if (ended.length > 1)
  for (const { code, text } of ended)
    if (code !== 0) process.stdout.write(`\n${text.slice(Math.max(0, text.search(FAILURES)))}`);
process.exitCode = Math.max(...ended.map(({ code }) => code));
