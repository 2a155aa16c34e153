/** The guide, as its reader follows it: the server of its first snippet, the client installed into an empty folder, and every snippet run. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../../scripts/lib/server.ts";
import { until } from "../../support/served";

const ROOT = join(import.meta.dirname, "../../..");
const BIN = join(ROOT, "node_modules/.bin");
const PAGES = ["quick-start", "webhooks", "questions", "faults", "ci"];

const folder = mkdtempSync(join(tmpdir(), "parley-guide-"));
const app = join(folder, "app");
const env: NodeJS.ProcessEnv = { ...process.env, PATH: `${BIN}:${process.env.PATH}` };
let server: ChildProcess;

interface Snippet {
  language: string;
  /** Of a file; or `server`, `reader`, `install`. */
  name: string | undefined;
  code: string;
}

const snippetsOf = (page: string): Snippet[] =>
  [...readFileSync(join(ROOT, `docs/guide/${page}.md`), "utf8").matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(
    ([, language, name, code]) => ({ language: language!, name, code: code! }),
  );
const named = (name: string) => snippetsOf("quick-start").find((one) => one.name === name)!.code;

/** Runs a script as a reader's shell would, and stops at the first command that fails. */
async function shell(script: string, cwd: string): Promise<string> {
  const child = spawn("bash", ["-euo", "pipefail", "-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, `${script}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

/** What a page says is printed, as a pattern: `…` stands for anything, on a line of its own for any lines. */
function patternOf(printed: string): RegExp {
  const lines = printed.trimEnd().split("\n");
  const parts = lines.map((line) =>
    line === "…" ? "(?:.*\n)*?" : `${line.split("…").map(RegExp.escape).join(".*")}\n`,
  );
  return new RegExp(`^${parts.join("")}$`);
}

beforeAll(async () => {
  const [port] = await freePorts(1);
  const [command, ...args] = named("server").trim().split(" ");
  server = spawn(command!, args, {
    cwd: ROOT,
    env: { ...env, PORT: String(port), PARLEY_STATE: join(folder, "state") },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true, // a group of its own, which ends as a whole
  });
  let greeting = "";
  server.stdout!.setEncoding("utf8").on("data", (chunk) => (greeting += chunk));
  const printed = (label: string) => RegExp(`${label} +(\\S+)`).exec(greeting)?.[1];
  env.PARLEY_API_KEY = await until("the server has printed its test key", async () => printed("Test key") ?? false);
  env.PARLEY_BASE_URL = printed("API")!;
  env.PARLEY_CLONE = ROOT;
  expect(Object.keys(env)).toEqual(
    expect.arrayContaining([...named("reader").matchAll(/(\w+)=/g)].map(([, name]) => name)),
  );
  execFileSync("mkdir", [app]);
  await shell(named("install"), app);
}, 180_000);
afterAll(() => {
  process.kill(-server.pid!, "SIGTERM");
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
});

it.each(PAGES)("every snippet of %s runs, and prints what the page says", async (page) => {
  const [port] = await freePorts(1);
  env.PORT = String(port);
  // The scripts of a page share a shell: later ones use what earlier ones set.
  let before = "";
  let printed = "";
  let runs = 0;
  for (const { language, name, code } of snippetsOf(page)) {
    if (name !== undefined && !name.includes(".")) continue; // beforeAll has run it
    if (language === "js") writeFileSync(join(app, name!), code);
    else if (language === "sh") {
      const kept = code.match(/^export .*$/gm)?.join("\n") ?? "";
      printed = await shell(`${before}\n${code}`, app);
      before += `\n${kept}`;
      runs++;
    } else {
      expect(language).toBe("text");
      expect(printed).toMatch(patternOf(code));
    }
  }
  expect(runs).toBeGreaterThan(0);
});
