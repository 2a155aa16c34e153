/** The clock of the machine is set forward by a day while runs are under way, on the Node host. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served, until } from "../../support/served";

const DAY = 86_400_000;
const scratch = mkdtempSync(join(tmpdir(), "parley-clock-"));
let served: Served;
beforeAll(async () => {
  const preload = join(scratch, "clock.mjs");
  writeFileSync(
    preload,
    `let ahead = 0; const Real = Date; const now = () => Real.now() + ahead;
    globalThis.Date = new Proxy(Real, {
      construct: (target, args, made) => Reflect.construct(target, args.length ? args : [now()], made),
      get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
    });
    process.on("SIGUSR2", () => { ahead += ${DAY}; });`,
  );
  served = await Served.start({ NODE_OPTIONS: `--import=${preload}` }, "node");
});
afterAll(async () => {
  await served.close();
  rmSync(scratch, { recursive: true });
});

it("a run with a timeout of two hours survives a clock that is set forward by a day", async () => {
  const request = {
    workflow: "requirements",
    input: { idea: "A library that lends tools", stakeholders: [{ name: "Anna", profile: "lends tools" }] },
    options: { qa_rounds: 1 },
    limits: { timeout: "2h" },
  };
  await served.plan(await served.planFromMock(request, 300));
  const { id } = await served.api("POST", "/v1/runs", served.live_key, request);
  const calls = async () => (await served.callsOf(id)).length;
  await until("a call", async () => (await calls()) > 0);
  process.kill(Number(readFileSync(join(served.state, "server.pid"), "utf8")), "SIGUSR2");
  const before = await calls();
  await until("two further calls", async () => (await calls()) > before + 1);
  expect((await served.status(id, "completed")).error).toBe(null);
});
