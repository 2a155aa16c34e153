/** The server was away for a day, and is killed ten times while it catches up: each time of a schedule has started exactly one run. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { localDatabase } from "../../scripts/lib/database.mjs";
import { Served, until } from "../support/served";

const HOUR = 60 * 60_000;
const KILLS = 10;

let served: Served;
beforeAll(async () => {
  served = await Served.start();
});
afterAll(() => served.close());

const test = (method: string, path: string, body?: object) => served.api(method, path, served.test_key, body);

it("through ten kills after a day of outage", async () => {
  const template = await test("POST", "/v1/templates", {
    name: "Hourly check",
    request: { workflow: "requirements", input: { idea: "{{idea}}" }, options: { qa_rounds: 0 } },
    fields: { idea: { type: "string", default: "A shelf for books." } },
  });
  const schedule = { name: "Hourly", template_id: template.id, cron: "0 * * * *", catch_up: "all", overlap: "queue" };
  const { id } = await test("POST", "/v1/schedules", schedule);
  await served.kill();
  // As if the server had not run since the first of these times, or the clock had jumped.
  const last = Math.floor(Date.now() / HOUR) * HOUR;
  const times = Array.from({ length: 24 }, (_, n) => last - (23 - n) * HOUR);
  const db = localDatabase(served.state);
  await db.execute(`UPDATE schedules SET next_at = ${times[0]} WHERE id = '${id}'`);
  db.release();

  const occurrences = async (): Promise<any[]> => (await test("GET", `/v1/schedules/${id}/occurrences?limit=100`)).data;
  for (let kill = 0; kill < KILLS; kill++) {
    await served.up();
    const before = (await occurrences()).length;
    if (before < times.length) await until("another start", async () => (await occurrences()).length > before);
    await sleep(kill * 90); // at another place each time
    await served.kill();
  }
  await served.up();
  const found = await until("every time", async () => {
    const all = await occurrences();
    return all.length >= times.length && all;
  });
  const due = found.map(({ due_at }) => Date.parse(due_at)).toSorted((a, b) => a - b);
  expect(due.slice(0, times.length)).toEqual(times); // an hour may have begun meanwhile
  expect(new Set(found.map(({ outcome }) => outcome))).toEqual(new Set(["started"]));
  const { data: runs } = await test("GET", `/v1/runs?limit=100&metadata[schedule_id]=${id}`);
  expect(runs.map((run: { id: string }) => run.id).toSorted()).toEqual(found.map(({ run_id }) => run_id).toSorted());
}, 300_000);
