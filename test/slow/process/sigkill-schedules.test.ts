/** Schedules of a server that is killed again and again: each of their times is settled once, and starts one run. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Served } from "../../support/served";
import { DATABASE } from "../../../src/node/data-folder";

const KILLS = 10;
const SCHEDULES = 4;
const MINUTE = 60_000;
/** Times that were missed when the server begins. */
const MISSED = 15;

let served: Served;
beforeAll(async () => {
  served = await Served.start({}, "node");
});
afterAll(() => served.close());

const created = async (path: string, body: object) =>
  (await served.api("POST", path, served.test_key, body)).id as string;
/** All entries of a list. */
async function all(path: string): Promise<any[]> {
  const found = [];
  for (let cursor = ""; ;) {
    const page = await served.api("GET", `${path}limit=100${cursor}`, served.test_key);
    found.push(...page.data);
    if (page.next_cursor === null) return found;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

it("through ten kills every missed time has one outcome, and every outcome its own run", async () => {
  const request = { workflow: "requirements", input: { idea: "A shelf for {{what}}." }, options: { qa_rounds: 0 } };
  const fields = { what: { type: "string", example: "books" } };
  const template_id = await created("/v1/templates", { name: "T", request, fields });
  const timing = { cron: "* * * * *", catch_up: "all", overlap: "cancel_other" };
  const ids: string[] = [];
  for (let n = 0; n < SCHEDULES; n++) {
    const body = { name: `S${n}`, template_id, fields: { what: `things ${n}` }, ...timing };
    ids.push(await created("/v1/schedules", body));
  }
  await served.kill();
  const first = Math.floor(Date.now() / MINUTE) * MINUTE - MISSED * MINUTE;
  const database = new DatabaseSync(join(served.state, DATABASE));
  database.prepare("UPDATE schedules SET next_at = ?").run(first);
  database.close();

  for (let kill = 0; kill < KILLS; kill++) {
    await served.up();
    await sleep(400 + 150 * (kill % 5));
    await served.kill();
  }
  await served.up();
  const due = Array.from({ length: MISSED + 1 }, (_, n) => new Date(first + n * MINUTE).toISOString());
  const settled = async () => Promise.all(ids.map((id) => all(`/v1/schedules/${id}/occurrences?`)));
  await expect
    .poll(async () => (await settled()).every((list) => list.length >= due.length), { timeout: 90_000, interval: 500 })
    .toBe(true);
  for (const id of ids) await served.api("PATCH", `/v1/schedules/${id}`, served.test_key, { status: "paused" });
  for (const [index, list] of (await settled()).entries()) {
    const times = list.map(({ due_at }) => due_at).toReversed();
    expect(times.slice(0, due.length)).toEqual(due);
    expect(new Set(times).size).toBe(times.length);
    expect(list.map(({ outcome }) => outcome)).toEqual(times.map(() => "started"));
    const runs = await all(`/v1/runs?metadata[schedule_id]=${ids[index]}&`);
    expect(runs.map(({ id }) => id).toSorted()).toEqual(list.map(({ run_id }) => run_id).toSorted());
  }
}, 240_000);
