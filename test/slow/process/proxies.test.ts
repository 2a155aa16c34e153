/** The samples in docs/operating, with the programs that this machine has; each test is skipped without its program. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../../scripts/lib/server.ts";
import { Served, until } from "../../support/served";

const SAMPLES = join(import.meta.dirname, "../../../docs/operating");
const sample = (name: string) => readFileSync(join(SAMPLES, name), "utf8");
const scratch = mkdtempSync(join(tmpdir(), "parley-proxies-"));

const has = (program: string, ...args: string[]) => {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

let served: Served;
const children: ChildProcess[] = [];
beforeAll(async () => {
  served = await Served.start({}, "node");
  await served.stop();
  await served.up(undefined, ["--behind-proxy"]);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGTERM");
  await served.close();
  rmSync(scratch, { recursive: true, force: true });
});

const request = {
  workflow: "requirements",
  input: { idea: "A library that lends tools", stakeholders: [{ name: "Anna", profile: "lends tools" }] },
  options: { qa_rounds: 1, reviews: ["requirement_draft"] },
};

/** The proxy passes on events of a run that waits for a person, so that the stream does not end, and a POST whose URLs name the client's scheme. */
async function expectProxy(url: string) {
  await until("the proxy", async () => (await fetch(`${url}/healthz`).catch(() => null))?.ok);
  const authorization = `Bearer ${served.test_key}`;
  const created = await fetch(`${url}/v1/runs`, {
    method: "POST",
    headers: { authorization, "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  expect(created.status).toBe(201);
  const { id } = (await created.json()) as { id: string };
  const stream = await fetch(`${url}/v1/runs/${id}/events`, {
    headers: { authorization, accept: "text/event-stream" },
  });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes("event: run.input_required")) text += (await reader.read()).value;
  await reader.cancel();
}

it.skipIf(!has("nginx", "-v"))("nginx passes events on as they come", async () => {
  const [port = 0] = await freePorts(1);
  const server = sample("nginx.conf")
    .replace("listen 443 ssl;", `listen 127.0.0.1:${port};`)
    .replaceAll(/^\s*ssl_certificate.*$/gm, "")
    .replace("http://127.0.0.1:8787", served.url);
  mkdirSync(join(scratch, "temp"));
  const temp = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(scratch, "temp", name)};`)
    .join("\n");
  const file = join(scratch, "nginx.conf");
  writeFileSync(
    file,
    `daemon off; pid ${join(scratch, "nginx.pid")}; error_log stderr; events {}\nhttp { access_log off; ${temp}\n${server} }`,
  );
  children.push(spawn("nginx", ["-c", file, "-e", "stderr"], { stdio: "inherit" }));
  await expectProxy(`http://127.0.0.1:${port}`);
});

it.skipIf(!has("caddy", "version"))("Caddy passes events on as they come", async () => {
  const [port = 0] = await freePorts(1);
  const file = join(scratch, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n}\n${sample("Caddyfile")}`);
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    PARLEY_DOMAIN: `http://127.0.0.1:${port}`,
    PARLEY_UPSTREAM: new URL(served.url).host,
  } as unknown as NodeJS.ProcessEnv;
  children.push(spawn("caddy", ["run", "--adapter", "caddyfile", "--config", file], { env, stdio: "ignore" }));
  await expectProxy(`http://127.0.0.1:${port}`);
});

it.skipIf(!has("systemd-analyze", "--version"))("systemd knows every setting of the unit", () => {
  const unit = join(scratch, "parley.service");
  // The program and the user are not on this machine.
  writeFileSync(
    unit,
    sample("parley.service")
      .replace("/usr/bin/node", process.execPath)
      .replace(/^User=.*$/m, ""),
  );
  const { status, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], { encoding: "utf8" });
  expect([status, stderr.split("\n").filter((line) => line.includes("parley.service"))]).toEqual([0, []]);
});

it.skipIf(!has("docker", "compose", "version"))("Docker Compose reads the sample", () => {
  const env = {
    ...process.env,
    PARLEY_DOMAIN: "parley.example.org",
    OPENAI_API_KEY: "sk-test",
    OPENAI_MODEL: "a-model",
  };
  const config = execFileSync(
    "docker",
    ["compose", "-f", join(SAMPLES, "compose.yaml"), "config", "--format", "json"],
    { env },
  );
  const { services } = JSON.parse(String(config));
  expect(services.parley.environment.PUBLIC_URL).toBe("https://parley.example.org");
  expect(services.caddy.environment.PARLEY_UPSTREAM).toBe("parley:8787");
});
