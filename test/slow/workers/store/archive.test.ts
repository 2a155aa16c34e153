/** Archived runs: their rows are in one object in R2, and the API answers as before. */
import { describe, expect, it } from "vitest";
import {
  answersAt,
  archiveNow,
  changedSince,
  EACH_WORKFLOW,
  pathsAbout,
  rowsIn,
  storedRows,
} from "../../../support/archived";
import { newDataset, questions, trialsOf } from "../../../support/experiments";
import { type Fault, withFaults } from "../../../support/faults";
import { all, bindings, call, hookUrl, makeTenant, until } from "../../../support/parley";
import { rowOf, setUpRuns } from "../../../support/runs";
import { hashInKey } from "#store/archive/format";
import { archiveRuns } from "#services/maintenance/archive-runs";
import type { Settings } from "#services/settings";
import { Store } from "#store/store";
import { StorageUnavailableError } from "#core/unavailable";

const { client, runToEnd, send, start, verb, untilCompleted, untilFailed, untilStatus, openInteraction, answer } =
  setUpRuns();
const store = new Store(bindings.DB, bindings.BUCKET);

const NO_ROWS = { artifacts: 0, events: 0, stages: 0, delivery_attempts: 0 };
/** Attempts of deliveries leave the quota of stored bytes with their rows. */
const metricsOf = async (key: string) => {
  const { taken_at: _, quotas, ...metrics } = (await call("GET", "/v1/metrics", { key })).body;
  return { ...metrics, quotas: { ...quotas, stored_bytes: null } };
};
const exported = async (key: string) =>
  ((await call("GET", "/v1/export", { key })).body as string)
    .split("\n")
    .filter((line) => !/"type":"(audit_entry|key|tenant)"/.test(line));

describe("an archived run", () => {
  it.each(Object.entries(EACH_WORKFLOW))(
    "of %s is answered as before, byte by byte, on every route",
    async (_name, body) => {
      const other = await makeTenant();
      const key = other.test;
      const webhook = {
        url: hookUrl("archived"),
        events: ["run.stage_started", "run.input_required", "run.completed"],
      };
      await call("POST", "/v1/webhook-endpoints", { key, body: webhook });
      const created = await call("POST", "/v1/runs", {
        key,
        body: { workflow: "requirements", input: { idea: "A library" }, webhook, metadata: { project: "x" }, ...body },
      });
      expect(created.status).toBe(201);
      const { id } = created.body;
      await until("the end", async () => (await rowOf(id)).phase === "completed", 60_000);
      await until("its deliveries", async () => {
        const pending = "SELECT COUNT(*) AS n FROM deliveries WHERE run_id = ? AND status = 'pending'";
        return (await bindings.DB.prepare(pending).bind(id).first<number>("n")) === 0;
      });
      const paths = await pathsAbout(key, [id]);
      const before = await answersAt(key, paths);
      const lines = await exported(key);
      const metrics = await metricsOf(key);
      const rows = await storedRows(id);
      expect(await archiveNow(store, id)).toBe("archived");
      expect(await rowsIn(id)).toEqual(NO_ROWS);
      expect(await changedSince(before, key)).toEqual([]);
      expect(await exported(key)).toEqual(lines);
      expect(await metricsOf(key)).toEqual(metrics);
      // Neither another tenant nor a key of the other mode finds it.
      const own = paths.filter(
        (path) => path.startsWith(`/v1/runs/${id}`) || /^\/v1\/(interactions|deliveries)\/\w/.test(path),
      );
      for (const path of own)
        for (const stranger of [client.test, other.live])
          expect((await call("GET", path, { key: stranger })).status, path).toBe(404);
      await store.archive.restore(await rowOf(id));
      expect(await storedRows(id)).toEqual(rows);
    },
    120_000,
  );

  it("is continued by retry from its last finished step, and archived again after its next end", async () => {
    const fieldError = { faults: { llm: ["refusal", "refusal", "refusal", "refusal"] } };
    const id = await start({
      test: fieldError,
      options: { qa_rounds: 0 },
      webhook: { url: hookUrl("again"), events: ["run.failed"] },
    });
    await untilFailed(id);
    await archiveNow(store, id);
    const { archive_key } = await rowOf(id);
    expect((await verb(id, "retry")).status).toBe(200);
    // Its next turn to be archived is counted from its next end.
    expect(await rowOf(id)).toMatchObject({ archive_key: null, archive_base: null });
    await untilStatus(id, "completed", "failed");
    const events = await all(client.test, `/v1/runs/${id}/events`);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
    expect(events.map(({ type }) => type)).toContain("run.retried");
    const before = await answersAt(client.test, await pathsAbout(client.test, [id]));
    await archiveNow(store, id);
    expect((await rowOf(id)).archive_key).not.toBe(archive_key);
    expect(await store.events.newest(id)).toBe(events.length);
    expect(await changedSince(before, client.test)).toEqual([]);
  });

  it("sends a delivery again with the body of before", async () => {
    const { body: endpoint } = await send("POST", "/v1/webhook-endpoints", {
      url: hookUrl("redelivered"),
      events: ["run.completed"],
    });
    const { id } = await runToEnd({ options: { strategy: "single_model" } });
    const path = `/v1/webhook-endpoints/${endpoint.id}/deliveries?run_id=${id}`;
    const delivered = () =>
      until("the delivery", async () => {
        const [delivery] = (await send("GET", path)).body.data;
        return delivery?.status === "delivered" && delivery;
      });
    const first = await delivered();
    await archiveNow(store, id);
    expect((await send("POST", `/v1/deliveries/${first.id}/redeliver`)).status).toBeLessThan(300);
    const again = await delivered();
    expect(again.body).toBe(first.body);
    expect(again.attempts).toHaveLength(2);
    expect(again.attempts[0]).toEqual(first.attempts[0]);
    await send("DELETE", `/v1/webhook-endpoints/${endpoint.id}`);
  });

  it("shows the page of an answered question, and takes the same answer again", async () => {
    const id = await start({ options: { reviews: ["requirement_draft"], qa_rounds: 0 } });
    const asked = await openInteraction(id);
    await answer(asked, { decision: "approve" });
    await untilCompleted(id);
    const before = await answersAt(client.test, await pathsAbout(client.test, [id]));
    await archiveNow(store, id);
    expect(await changedSince(before, client.test)).toEqual([]);
    expect((await answer(asked, { decision: "approve" })).status).toBe(200);
    expect((await answer(asked, { decision: "reject", feedback: "No." })).body.code).toBe("already_answered");
  });

  it("goes with its object when it is deleted", async () => {
    const { id } = await runToEnd({ options: { strategy: "single_model" } });
    await archiveNow(store, id);
    const prefix = `${client.tenant}/${id}/`;
    expect((await bindings.BUCKET.list({ prefix })).objects).toHaveLength(1);
    expect((await send("DELETE", `/v1/runs/${id}`)).status).toBe(204);
    expect((await bindings.BUCKET.list({ prefix })).objects).toEqual([]);
    expect((await send("GET", `/v1/runs/${id}/events`)).status).toBe(404);
  });

  it("is not served from an object that was altered", async () => {
    const { id } = await runToEnd({ options: { strategy: "single_model" } });
    await archiveNow(store, id);
    const { archive_key } = await rowOf(id);
    const bytes = new Uint8Array(await (await bindings.BUCKET.get(archive_key!))!.arrayBuffer());
    bytes[bytes.length - 1]! ^= 1;
    await bindings.BUCKET.put(archive_key!, bytes);
    const fresh = new Store(bindings.DB, bindings.BUCKET);
    await expect(fresh.events.after(id, 0, 10)).rejects.toThrow("was altered");
  });
});

describe("archiving", () => {
  /** A completed run, with what the API answers about it. */
  async function completed() {
    const { id } = await runToEnd(EACH_WORKFLOW.plain!);
    return { id, before: await answersAt(client.test, await pathsAbout(client.test, [id])) };
  }

  it("and restoring leave a run whole, whichever call fails or loses its answer", async () => {
    const { id, before } = await completed();
    await archiveNow(store, id);
    await store.archive.restore(await rowOf(id));
    for (const work of ["archive", "restore"] as const)
      for (const fieldError of ["before", "after"] as const)
        for (let at = 0, made = Infinity; at < made; at++) {
          if (work === "restore") await archiveNow(store, id);
          let calls = 0;
          const env = withFaults(bindings, () => (calls++ === at ? fieldError : "ok"));
          const invalid = new Store(env.DB, env.BUCKET);
          const run = await rowOf(id);
          const done = work === "archive" ? invalid.archive.archive(run) : invalid.archive.restore(run);
          const failed = await done.then(
            () => null,
            (error: unknown) => error,
          );
          made = failed ? Infinity : calls;
          if (failed) expect(failed).toBeInstanceOf(StorageUnavailableError);
          const { archive_key } = await rowOf(id);
          if (archive_key === null) expect((await rowsIn(id)).artifacts).toBeGreaterThan(0);
          else {
            expect(await rowsIn(id)).toEqual(NO_ROWS);
            const bytes = await (await bindings.BUCKET.get(archive_key))!.arrayBuffer();
            const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
            expect(Buffer.from(digest).toString("hex")).toBe(hashInKey(archive_key));
          }
          expect(await changedSince(before, client.test), `${work}: call ${at} ${fieldError}`).toEqual([]);
          await store.archive.restore(await rowOf(id));
        }
  }, 120_000);

  it("leaves a run that was retried while its rows were read", async () => {
    const id = await start({ options: { qa_rounds: 0 } });
    await verb(id, "cancel");
    await until("it is settled", async () => {
      const due = await store.archive.due(Date.now() + 60_000, 1000);
      return due.some((run) => run.id === id);
    });
    const row = await rowOf(id);
    let retried = false;
    const env = withFaults(bindings, async ({ binding, operation }): Promise<Fault> => {
      if (binding === "BUCKET" && operation === "get" && !retried) {
        retried = true;
        expect((await verb(id, "retry")).status).toBe(200);
      }
      return "ok";
    });
    expect(await new Store(env.DB, env.BUCKET).archive.archive(row)).toBe("changed");
    await untilCompleted(id);
    expect((await rowOf(id)).archive_key).toBeNull();
  });

  it("leaves a run whose object the maintenance worker may be removing, because archiving took too long", async () => {
    const { id, before } = await completed();
    await archiveNow(store, id);
    await store.archive.restore(await rowOf(id));
    // It is due; then the maintenance worker postpones it, and removes it.
    for (const due_in of [-1, 10 * 60_000]) {
      const env = withFaults(bindings, async ({ binding, operation }): Promise<Fault> => {
        if (binding === "BUCKET" && operation === "get")
          await bindings.DB.prepare("UPDATE orphans SET due_at = ?2 WHERE key GLOB ?1")
            .bind(`*/${id}/archive-*`, Date.now() + due_in)
            .run();
        return "ok";
      });
      expect(await new Store(env.DB, env.BUCKET).archive.archive(await rowOf(id))).toBe("changed");
    }
    expect((await rowOf(id)).archive_key).toBeNull();
    expect(await changedSince(before, client.test)).toEqual([]);
  });

  it("leaves no object behind that no run refers to", async () => {
    const { id } = await completed();
    await archiveNow(store, id);
    await store.archive.restore(await rowOf(id));
    await archiveNow(store, id);
    const { archive_key } = await rowOf(id);
    const orphans = await store.contents.orphans(Date.now() + 2 * 60 * 60_000, 1000);
    const of = orphans.map((orphan) => orphan.id).filter((key) => key.includes(id));
    expect(of).toHaveLength(1);
    expect(of).not.toContain(archive_key);
  });

  it("takes the children of an experiment with it, and a later experiment uses them again", async () => {
    const body = async () => ({
      workflow: "experiment",
      input: {
        title: "Two forms",
        dataset_id: await newDataset(client.test, questions(3)),
        variants: [
          { name: "one-call", workflow: "plain" },
          { name: "open", workflow: "plain", options: { form: "text" } },
        ],
      },
      options: { repetitions: 1, reuse: true },
    });
    const { id } = await runToEnd(await body());
    const trials = (await trialsOf(client.test, id)).map((run) => run.id as string);
    const before = await answersAt(client.test, await pathsAbout(client.test, [id, ...trials]));
    for (const run of [...trials, id]) expect(await archiveNow(store, run)).toBe("archived");
    expect(await changedSince(before, client.test)).toEqual([]);
    const later = await runToEnd(await body());
    expect(later.output.trials).toMatchObject({ planned: 6, reused: 6 });
    expect(later.output.results).toEqual(JSON.parse(before.get(`/v1/runs/${id}`)!.replace(/^\S+ /, "")).output.results);
  });
});

describe("the maintenance worker", () => {
  const DAY = 24 * 60 * 60_000;
  const settings = { archive_after_ms: 10 * DAY } as Settings;
  const age = (id: string, days: number) =>
    bindings.DB.prepare("UPDATE runs SET finished_at = ?2 WHERE id = ?1")
      .bind(id, Date.now() - days * DAY)
      .run();
  const isArchived = async (id: string) => (await rowOf(id)).archive_key !== null;
  /** Two completed runs, of which one ended 11 days ago. */
  async function oldAndYoung() {
    const [old, young] = [await runToEnd(EACH_WORKFLOW.plain!), await runToEnd(EACH_WORKFLOW.plain!)];
    await age(old.id, 11);
    await age(young.id, 9);
    await until("it is settled", async () =>
      (await store.archive.due(Date.now() - 10 * DAY, 100)).some(({ id }) => id === old.id),
    );
    return { old: old.id as string, young: young.id as string };
  }

  it("archives runs that ended longer than ARCHIVE_AFTER ago, and no others; never, if so configured", async () => {
    const { old, young } = await oldAndYoung();
    await archiveRuns({ store, settings: { ...settings, archive_after_ms: null } }, Date.now());
    expect(await isArchived(old)).toBe(false);
    await archiveRuns({ store, settings }, Date.now());
    expect([await isArchived(old), await isArchived(young)]).toEqual([true, false]);
    expect(await store.archive.nextDue(10 * DAY)).toBeGreaterThan(Date.now());
  });

  it("gives a restored run as much time again", async () => {
    const { old } = await oldAndYoung();
    await archiveRuns({ store, settings }, Date.now());
    await store.archive.restore(await rowOf(old));
    await archiveRuns({ store, settings }, Date.now());
    expect(await isArchived(old)).toBe(false);
    // A round has room for a hundred runs, and by then every run of this file is due.
    await until("it is archived again", async () => {
      await archiveRuns({ store, settings }, Date.now() + 11 * DAY);
      return isArchived(old);
    });
  });

  it("tries a run that could not be archived later, and holds up no other", async () => {
    const first = await oldAndYoung();
    const second = await oldAndYoung();
    const env = withFaults(bindings, ({ binding, operation }) =>
      binding === "BUCKET" && operation === "put" && fails-- > 0 ? "before" : "ok",
    );
    let fails = 1;
    await archiveRuns({ store: new Store(env.DB, env.BUCKET), settings }, Date.now());
    const archived = [await isArchived(first.old), await isArchived(second.old)];
    expect(archived.filter(Boolean)).toHaveLength(1);
    await archiveRuns({ store, settings }, Date.now() + 2 * 60 * 60_000);
    expect([await isArchived(first.old), await isArchived(second.old)]).toEqual([true, true]);
  });

  it("archives an experiment's trials and then the experiment, except those that a retry would run again", async () => {
    const { id } = await runToEnd({
      workflow: "experiment",
      input: {
        title: "One",
        dataset_id: await newDataset(client.test, questions(2)),
        variants: [
          { name: "one-call", workflow: "plain" },
          { name: "open", workflow: "plain", options: { form: "text" } },
        ],
      },
      options: { repetitions: 1 },
    });
    const trials = (await trialsOf(client.test, id)).map((run) => run.id as string);
    for (const run of [id, ...trials]) await age(run, 11);
    await bindings.DB.batch([
      bindings.DB.prepare("UPDATE runs SET phase = 'failed', error = '{}' WHERE id IN (?, ?)").bind(id, trials[0]!),
    ]);
    await until("it is archived", async () => {
      await archiveRuns({ store, settings }, Date.now());
      return isArchived(id);
    });
    expect(await Promise.all(trials.map(isArchived))).toEqual(trials.map((trial) => trial !== trials[0]));
  });
});
