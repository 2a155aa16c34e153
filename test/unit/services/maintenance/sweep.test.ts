/** A maintenance pass costs what it has to do. */
import { beforeEach, expect, it } from "vitest";
import { Secrets } from "#core/secrets";
import { sweep } from "#services/maintenance/sweep";
import { Store } from "#store/store";
import { openD1 } from "../../../../src/node/d1";
import { directHost } from "../../../../src/node/host";
import { migratedDatabase, TENANT } from "../../../support/database";

const HOUR = 60 * 60_000;
const settings = {
  nudge_after_ms: HOUR,
  stalled_after_ms: HOUR,
  audit_retention_ms: HOUR,
  archive_after_ms: HOUR,
  retention_ms: HOUR,
};

const database = migratedDatabase();
let trips: string[] = [];
const counting = {
  ...directHost,
  call: ((call, perform) => {
    trips.push(call.what);
    return directHost.call(call, perform);
  }) as typeof directHost.call,
};
const round = () =>
  sweep(
    {
      store: new Store(openD1(database, counting), {} as R2Bucket),
      settings,
      secrets: new Secrets([{ secret: "a secret for tests only, long enough", until: null }]),
      vectors: null,
      platform: {},
    } as unknown as Parameters<typeof sweep>[0],
    { nudgeAll: false },
  );
beforeEach(() => {
  trips = [];
});

it("with nothing to do takes one round trip", async () => {
  await round(); // the first pass over the sealed texts
  await round();
  await round();
  trips = [];
  expect(await round()).toEqual({ remaining: [], failed: [], nudged: true });
  expect(trips).toHaveLength(1);
});

it("does the parts that have anything to do, and asks what is left after them", async () => {
  database.prepare("INSERT INTO removed_parents (id, tenant_id) VALUES ('run_gone', ?)").run(TENANT);
  database
    .prepare(
      "INSERT INTO audit_log (tenant_id, seq, id, created_at, mode, actor, action, outcome) VALUES (?, 1, 'aud_1', 1, 'live', 'operator', '', 'done')",
    )
    .run(TENANT);
  expect(await round()).toEqual({ remaining: [], failed: [], nudged: true });
  expect(
    trips.slice(1).map((sql) => /^(DELETE FROM|SELECT (?:\* FROM)?) ?(\w+)/.exec(sql)?.slice(1, 3).join(" ")),
  ).toEqual(["SELECT * FROM runs", "DELETE FROM removed_parents", "DELETE FROM audit_log", "SELECT  EXISTS"]);
});
