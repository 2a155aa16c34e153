import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { VARIABLES } from "#services/configuration";

const ROOT = join(import.meta.dirname, "../../..");

test("`npm run dev` names every variable at fault, one line for each, and starts nothing", async () => {
  const env = {
    PATH: process.env.PATH,
    RETENTION_DAYS: "soon",
    PROVIDERS: "{bad",
    LOG_LEVEL: "verbose",
    TOOL_TIMEOUT_MS: "0",
  };
  const run = promisify(execFile)(process.execPath, [join(ROOT, "scripts/dev.ts")], { env: env as any });
  const { code, stdout, stderr } = await run.then(
    () => expect.unreachable("it started"),
    (error) => error,
  );
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  const lines = (stderr as string).trim().split("\n");
  expect(lines.map((line) => /^Configuration: (\w+) /.exec(line)?.[1]).sort()).toEqual([
    "LOG_LEVEL",
    "PROVIDERS",
    "RETENTION_DAYS",
    "TOOL_TIMEOUT_MS",
  ]);
  expect(stderr).not.toContain("verbose");
});

test("the documents describe every variable that the Worker reads", () => {
  const documents = ["README.md", "workflows/ideation/README.md"]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const undocumented = VARIABLES.filter((name) => name !== "VERSION" && !documents.includes(`\`${name}\``));
  expect(undocumented).toEqual([]);
});
