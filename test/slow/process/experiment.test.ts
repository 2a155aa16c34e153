/** The command that compares a method with its baselines, as a person starts it. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { chosenItems } from "#workflows/experiment/inputs/runs";
import { startModel } from "../../support/model";

const folder = mkdtempSync(join(tmpdir(), "parley-experiment-test-"));
afterAll(() => rmSync(folder, { recursive: true }));
/** Each case starts the server once or twice, and runs up to twelve trials. Milliseconds. */
vi.setConfig({ testTimeout: 300_000 });

/** Runs the command; `stopAt` sends SIGINT once when the output holds it: a second one would end the command at once. */
function experiment(args: string[], { stopAt, env = {} }: { stopAt?: RegExp; env?: Record<string, string> } = {}) {
  const child = spawn(process.execPath, ["scripts/experiment.ts", ...args], {
    env: {
      ...process.env,
      PARLEY_STATE: join(folder, "state"),
      NO_COLOR: "1",
      OPENAI_API_KEY: "",
      PROVIDERS: "",
      ...env,
    },
  });
  let output = "";
  let isStopped = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
      if (isStopped || !stopAt?.test(output)) return;
      isStopped = true;
      child.kill("SIGINT");
    });
  return new Promise<{ code: number | null; output: string }>((done) =>
    child.once("close", (code) => done({ code, output })),
  );
}

test("a mock run of three items writes report, tables and plots, and says that it measured nothing", async () => {
  const out = join(folder, "out");
  const { code, output } = await experiment(["mgsm", "--items", "3", "--out", out]);
  expect(output).toMatch(/our own sample, 20 items/);
  expect(output).toMatch(/12 of 12 trials completed, 0 failed/);
  expect(output).toMatch(/waagents +plain +number_match +3 .* inconclusive/);
  expect(output).toMatch(/This used the mock model/);
  expect(code).toBe(0);
  const report = readFileSync(join(out, "report.md"), "utf8");
  expect(report).toMatch(/number_match/);
  expect(readFileSync(join(out, "trials.ndjson"), "utf8").trim().split("\n")).toHaveLength(12);
  expect(readFileSync(join(out, "trials.csv"), "utf8").trim().split("\n").length).toBeGreaterThan(12);
  const plots = [...report.matchAll(/\]\(([\w-]+\.svg)\)/g)].map(([, name]) => name!);
  expect(plots.length).toBeGreaterThan(0);
  for (const name of plots) expect(readFileSync(join(out, name), "utf8")).toMatch(/^<svg/);
});

test("stopped with Ctrl-C it says how to continue, and continues without a second experiment", async () => {
  // Enough trials that the signal comes before their end.
  const args = ["mgsm", "--items", "10", "--variants", "waagents,plain"];
  const stopped = await experiment(args, { stopAt: /Run +run_\w+/ });
  expect(stopped.code).toBe(130);
  const [, run] = /npm run experiment -- --run (run_\w+)/.exec(stopped.output)!;
  expect(stopped.output).not.toMatch(/Uploading/); // the first test has uploaded the same items
  const out = join(folder, "again");
  const { code, output } = await experiment(["--run", run!, "--out", out]);
  expect(output).toMatch(/20 of 20 trials completed/);
  expect(code).toBe(0);
  expect(existsSync(join(out, "report.md"))).toBe(true);
});

test("--live without a provider, or without a confirmation, pays nothing", async () => {
  const { code, output } = await experiment(["mgsm", "--live"]);
  expect(output).toMatch(/--live needs a provider: set OPENAI_API_KEY/);
  expect(code).toBe(2);
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "any" };
  const unconfirmed = await experiment(["mgsm", "--live", "--items", "1"], { env });
  expect(unconfirmed.output).toMatch(/Nothing was paid: without a terminal nobody can confirm\. Add --yes to pay\./);
  expect(unconfirmed.output).not.toMatch(/Run +run_/);
  expect(unconfirmed.code).toBe(3);
});

test("--live --yes asks the provider of the environment, and the report is not of the mock model", async () => {
  const model = await startModel();
  const items = readFileSync("datasets/mgsm.ndjson", "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [drawn] = chosenItems({ sample: { size: 1, seed: 1 } }, { items });
  const content = `I count step by step.\nAnswer: ${drawn!.gold!.number}`;
  await fetch(`${model.url}/plan/any`, { method: "PUT", body: JSON.stringify({ "*": [{ content }] }) });
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_MODEL: "any" };
  const out = join(folder, "live");
  const args = ["mgsm", "--live", "--yes", "--items", "1", "--variants", "plain", "--out", out];
  const { code, output } = await experiment(args, { env });
  await model.close();
  expect(output).toMatch(/plain +1 \[0\.207, 1\]/);
  expect(output).toMatch(/1 of 1 trials completed, 0 failed. Model calls: 1; tokens: \d+ in/);
  expect(output).not.toMatch(/test mode|mock/i);
  expect(readFileSync(join(out, "report.md"), "utf8")).not.toMatch(/test mode|mock/i);
  expect(code).toBe(0);
});
