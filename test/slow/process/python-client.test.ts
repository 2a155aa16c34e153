/** The Python client: its own tests, and all workflows in test mode against the served Worker. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, it } from "vitest";
import { Served } from "../../support/served";

const ROOT = join(import.meta.dirname, "../../..");
const PACKAGE = join(ROOT, "clients/python");

/** Debian's packages are seen by its own Python only. */
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import sys, httpx; assert sys.version_info >= (3, 11)"]).status === 0,
);
const MISSING = "Python 3.11 with httpx is missing: `apt-get install python3-httpx`.";

let served: Served | undefined;
afterAll(() => served?.close());

/** Runs test files of the client to their end. */
async function unittest(args: string[], env: Record<string, string> = {}) {
  const child = spawn(python!, ["-W", "error::ResourceWarning", "-m", "unittest", ...args], {
    cwd: PACKAGE,
    env: { ...process.env, PYTHONPATH: join(PACKAGE, "src"), PYTHONDONTWRITEBYTECODE: "1", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [output, code] = await Promise.all([text(child.stderr), ended]);
  return { output, code };
}

it("is generated from the document, and keeps its promises without a server", async ({ skip }) => {
  execFileSync(process.execPath, [join(ROOT, "scripts/python-client.ts"), "--check"]);
  if (!python) return skip(MISSING);
  const { output, code } = await unittest(["discover", "-s", "tests", "-p", "test_*.py"]);
  expect(output).toMatch(/Ran 35 tests/);
  expect({ code, output }).toMatchObject({ code: 0 });
});

it("runs every workflow in test mode, with a question in the middle", async ({ skip }) => {
  if (!python) return skip(MISSING);
  served = await Served.start({}, "node");
  const wanted = { name: "python", mode: "test", scopes: ["admin"] };
  const { key } = await served.api("POST", "/v1/keys", served.live_key, wanted);
  const settings = { PARLEY_BASE_URL: served.url, PARLEY_API_KEY: key };
  const { output, code } = await unittest(["discover", "-s", "tests", "-p", "live_*.py"], settings);
  expect(output).toMatch(/Ran 7 tests/);
  expect({ code, output }).toMatchObject({ code: 0 });
}, 300_000);
