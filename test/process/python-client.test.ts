/** The Python client: its own tests, its generated files, and all workflows against the served Worker. Skipped where Python lacks httpx or pytest. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { Served } from "../support/served";

const PACKAGE = join(import.meta.dirname, "../../clients/python");
const NEEDED = "import sys, httpx, pytest; assert sys.version_info >= (3, 11)";
/** The first Python that has what the tests need: Debian's own, before another one of the user. */
const python = ["/usr/bin/python3", "python3"].find((each) => spawnSync(each, ["-c", NEEDED]).status === 0);
if (!python)
  process.stderr.write("The Python client is not tested: install Python 3.11, python3-httpx and python3-pytest.\n");

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(python!, args, {
    cwd: PACKAGE,
    env: { ...process.env, PYTHONPATH: PACKAGE, PYTHONDONTWRITEBYTECODE: "1", ...env },
  });

it.skipIf(!python)("repeats requests, resumes streams and checks signatures, by its own tests", async () => {
  const { stdout } = await run(["-m", "pytest", "-q", "-p", "no:cacheprovider"]);
  expect(stdout).toMatch(/\d+ passed/);
});

it.skipIf(!python)("has the types and methods of the OpenAPI document", async () => {
  await run(["generate.py", "--check"]);
});

it.skipIf(!python)("drives all workflows, and answers a question in the middle of one", async () => {
  const served = await Served.start({}, "node");
  try {
    const wanted = { name: "python", mode: "test", scopes: ["admin"] };
    const { key } = await served.api("POST", "/v1/keys", served.live_key, wanted);
    const { stdout } = await run(["tests/drive.py"], { PARLEY_BASE_URL: served.url, PARLEY_API_KEY: key });
    const document = JSON.parse(readFileSync(join(PACKAGE, "../../openapi/openapi.json"), "utf8"));
    const workflows = Object.keys(document.components.schemas.CreateRun.discriminator.mapping);
    expect(JSON.parse(stdout)).toEqual({
      statuses: Object.fromEntries(workflows.map((workflow) => [workflow, "completed"])),
      asked: ["feedback"],
      in_order: true,
      same_text: true,
      exported: ["sum-0", "sum-1"],
      uploaded: ["completed"],
      paged: true,
      tenant_lines: true,
      refusal: { code: "validation_failed", faults: 1, request_id: true },
      async: ["completed", "completed"],
    });
  } finally {
    await served.close();
  }
});
