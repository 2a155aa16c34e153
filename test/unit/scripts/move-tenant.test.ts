/** A move of a tenant beside other commands: one that was killed, another move of the same tenant, a backup. */
import { DatabaseSync } from "node:sqlite";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { holdWrites } from "../../../scripts/backup/hold.ts";
import { withoutMoves } from "../../../scripts/backup/without-moves.ts";
import type { Database } from "../../../scripts/lib/database.ts";
import { sqliteDatabase } from "../../../scripts/lib/sqlite-database.ts";
import { databaseFile, prepareState } from "../../../scripts/lib/state.ts";
import { databaseOfTenant, sourceOfMove } from "../../../scripts/operator/databases.ts";
import { Store } from "#store/store";
import { openD1 } from "../../../src/node/d1";
import { directHost } from "../../../src/node/host";
import { cancelMove, moveTenant } from "../../../scripts/operator/move-tenant.ts";

const TENANT = "ten_moved";
const NAMES = ["DB", "DB_2", "DB_3"];

let state: string;
let databases: { name: string; db: Database }[];
beforeEach(async () => {
  state = mkdtempSync(join(tmpdir(), "parley-move-"));
  prepareState(state, "", NAMES);
  databases = NAMES.map((name) => ({ name, db: sqliteDatabase(databaseFile(state, name)) }));
  for (const { db } of databases)
    await db.execute(
      "INSERT INTO resealing (id, keys, position, unreadable, completed_at) VALUES (1, '[]', NULL, '{}', 1);",
    );
  await databases[0]!.db.execute(`INSERT INTO tenants (id, name, created_at) VALUES ('${TENANT}', 'moved', 1);`);
  await addTemplate("tpl_before");
});
afterEach(() => {
  for (const { db } of databases) db.release();
  rmSync(state, { recursive: true });
});

const addTemplate = (id: string, { db } = databases[0]!) =>
  db.execute(
    `INSERT INTO templates (id, tenant_id, mode, name, description, version, workflow, request, fields, created_at, updated_at)
     VALUES ('${id}', '${TENANT}', 'live', '${id}', '', 1, 'debate', '{}', '{}', 1, 1);`,
  );

/** Ids of the tenant's templates where it is served. */
async function templates(): Promise<string[]> {
  const place = (await databaseOfTenant(databases, TENANT))!;
  const rows = await place.db.query(`SELECT id FROM templates WHERE tenant_id = '${TENANT}' ORDER BY id`);
  return rows.map(({ id }) => id);
}

type Moving = Parameters<typeof moveTenant>[0];
const moving = (to: string, changed: Partial<Moving> = {}): Moving => ({
  source: databases[0]!,
  target: databases.find(({ name }) => name === to)!,
  tenant: TENANT,
  hold_ms: 60_000,
  linger_ms: 0,
  say: () => {},
  ...changed,
});

/** A database that does something before the first script with these words. */
function before(words: string, { name, db }: (typeof databases)[0], step: () => Promise<void>) {
  let isFirst = true;
  const execute = async (sql: string) => {
    if (isFirst && sql.includes(words)) {
      isFirst = false;
      await step();
    }
    return db.execute(sql);
  };
  return { name, db: { ...db, execute } };
}

const SWITCH = "PRAGMA defer_foreign_keys";

describe("a move that was killed after its switch", () => {
  beforeEach(async () => {
    const killed = (text: string) => {
      if (text.startsWith("Waiting")) throw new Error("killed");
    };
    await expect(moveTenant(moving("DB_2", { say: killed }))).rejects.toThrow("killed");
  });

  it.each(["DB", "DB_3"])("is finished before the tenant is moved to %s: its rows there are old", async (to) => {
    const target = databases.find(({ name }) => name === to)!;
    await expect(sourceOfMove(databases, TENANT, target)).rejects.toThrow(
      `${TENANT} is being moved from DB to DB_2: finish that with`,
    );
  });

  it("is finished by the same command", async () => {
    const source = await sourceOfMove(databases, TENANT, databases[1]!);
    expect(source?.name).toBe("DB");
    await moveTenant(moving("DB_2"));
    expect(await sourceOfMove(databases, TENANT, databases[1]!)).toBeNull();
    expect(await templates()).toEqual(["tpl_before"]);
  });

  it("keeps a tenant that is removed meanwhile until it is finished: without its row the old ones would count again", async () => {
    const { db } = databases[1]!;
    await db.execute(`UPDATE tenants SET removed_at = 5 WHERE id = '${TENANT}';`);
    const file = new DatabaseSync(databaseFile(state, "DB_2"));
    const removed = () => new Store(openD1(file, directHost), {} as R2Bucket).tenants.removed(5);
    expect(await removed()).toEqual([]);
    await moveTenant(moving("DB_2"));
    expect((await removed()).map(({ id }) => id)).toEqual([TENANT]);
    file.close();
  });

  it("is finished while secrets are sealed again: the rows that it left cannot be", async () => {
    await databases[0]!.db.execute('UPDATE resealing SET keys = \'[{"id":"new"}]\';');
    await moveTenant(moving("DB_2"));
    expect(await templates()).toEqual(["tpl_before"]);
  });

  it("is no reason to take the rows that it left for the tenant's", async () => {
    const [old, current] = databases;
    await expect(moveTenant(moving("DB", { source: current!, target: old! }))).rejects.toThrow();
    expect(await templates()).toEqual(["tpl_before"]);
  });
});

it("a second move that begins while the first switches loses no write that was accepted", async () => {
  const accepted = ["tpl_before"];
  const write = async (id: string, database = databases[0]!) => {
    const isAccepted = await addTemplate(id, database).then(
      () => true,
      () => false, // held
    );
    if (isAccepted) accepted.push(id);
  };
  let second: Promise<void> | null = null;
  const [first, target] = databases;
  const held = Promise.withResolvers<void>();
  const secondSource = before("CREATE TRIGGER", first!, async () => {
    await write("tpl_between");
    held.resolve();
  });
  const racing = before(SWITCH, target!, async () => {
    second = moveTenant(moving("DB_2", { source: secondSource })).catch(() => {});
    await held.promise;
    await write("tpl_held");
  });
  await moveTenant(moving("DB_2", { target: racing })).catch(() => {});
  await write("tpl_while_one_is_left");
  await second;
  const place = await databaseOfTenant(databases, TENANT);
  await write(
    "tpl_last",
    databases.find(({ name }) => name === place!.name),
  );
  expect(accepted).toContain("tpl_last");
  expect(await templates()).toEqual(accepted.toSorted());
});

it("a move that is canceled while it switches, switches and stays, or does neither", async () => {
  const [source, target] = databases;
  const racing = before(SWITCH, target!, async () => {
    await cancelMove({ source: source!, target: target!, tenant: TENANT });
    await addTemplate("tpl_after");
  });
  await expect(moveTenant(moving("DB_2", { target: racing }))).rejects.toThrow();
  expect((await databaseOfTenant(databases, TENANT))?.name).toBe("DB");
  expect(await templates()).toEqual(["tpl_after", "tpl_before"]);
  await moveTenant(moving("DB_2"));
  expect(await templates()).toEqual(["tpl_after", "tpl_before"]);
});

it("numbers that are taken in the target meanwhile are not those of the moved rows", async () => {
  const [source, target] = databases as [(typeof databases)[0], (typeof databases)[0]];
  const pool = (id: string, tenant: string) => `INSERT INTO pools (id, tenant_id) VALUES ('${id}', '${tenant}');`;
  await source.db.execute(pool("a", TENANT) + pool("b", TENANT));
  await target.db.execute("INSERT INTO tenants (id, name, created_at) VALUES ('ten_other', 'other', 1);");
  let others = 0;
  const busy = <T>(call: (sql: string) => Promise<T>) => {
    return async (sql: string) => {
      const result = await call(sql);
      if (sql.includes("sqlite_sequence")) await target.db.execute(pool(`other_${++others}`, "ten_other"));
      return result;
    };
  };
  const { query, execute } = target.db;
  await moveTenant(
    moving("DB_2", { target: { name: "DB_2", db: { ...target.db, query: busy(query), execute: busy(execute) } } }),
  );
  const ids = (await target.db.query("SELECT id FROM pools")).map(({ id }) => id);
  expect(ids.toSorted()).toEqual(["a", "b", ...Array.from({ length: others }, (_, n) => `other_${n + 1}`)].toSorted());
});

describe("two tenants that are moved at once", () => {
  const OTHER = "ten_other";
  beforeEach(async () => {
    const [{ db }] = databases as [(typeof databases)[0]];
    await db.execute(`INSERT INTO tenants (id, name, created_at) VALUES ('${OTHER}', 'other', 1);`);
    for (const tenant of [TENANT, OTHER])
      await db.execute(
        `INSERT INTO templates (id, tenant_id, mode, name, description, version, workflow, request, fields, created_at, updated_at)
         VALUES ('long_${tenant}', '${tenant}', 'live', 'long', '${tenant.repeat(10_000)}', 1, 'debate', '{}', '{}', 1, 1);`,
      );
  });
  const other = () => moveTenant(moving("DB_2", { tenant: OTHER }));

  it.each(["sqlite_sequence", "INSERT INTO moved_", SWITCH])(
    "to the same database do not touch what the other copies, the second before the first's %s",
    async (words) => {
      const target = before(words, databases[1]!, other);
      await moveTenant(moving("DB_2", { target }));
      const rows = await databases[1]!.db.query("SELECT tenant_id, description FROM templates WHERE name = 'long'");
      expect(Object.fromEntries(rows.map((row) => [row.tenant_id, row.description]))).toEqual({
        [TENANT]: TENANT.repeat(10_000),
        [OTHER]: OTHER.repeat(10_000),
      });
    },
  );

  it.each([
    ["the target", 1, SWITCH],
    ["the source", 0, "DELETE FROM templates"],
  ])("leave the other's hold in %s as it is", async (_, at, words) => {
    const { db } = databases[at]!;
    const hold = async (duration: number) => {
      const options = { prefix: `move_holds_${OTHER}_`, conditionOf: () => "FALSE" };
      return holdWrites(db, [{ name: "templates" }], duration, options);
    };
    await hold(60_000);
    const lasting: Awaited<ReturnType<typeof hold>>[] = [];
    const racing = before(words, databases[at]!, async () => void lasting.push(await hold(Infinity)));
    await moveTenant(moving("DB_2", at === 0 ? { source: racing } : { target: racing }));
    expect(await lasting[0]!.isUnbroken()).toBe(true);
  });
});

describe("a backup of several databases", () => {
  const [read, names]: [(database: { name: string }) => Promise<void>, string[]] = [
    async ({ name }) => void names.push(name),
    [],
  ];
  beforeEach(() => names.splice(0));

  it("reads each of them", async () => {
    await withoutMoves(databases, read);
    expect(names).toEqual(NAMES);
  });

  it("is refused while a tenant is being moved", async () => {
    const [, target] = databases;
    const racing = before(SWITCH, target!, () => withoutMoves(databases, read));
    await expect(moveTenant(moving("DB_2", { target: racing }))).rejects.toThrow(/is being moved from DB to DB_2/);
    expect(names).toEqual([]);
  });

  it("fails when a tenant was moved meanwhile: it would hold it twice, or not at all", async () => {
    const reading = withoutMoves(databases, async ({ name }) => {
      if (name === "DB") await moveTenant(moving("DB_2"));
    });
    await expect(reading).rejects.toThrow(`${TENANT} was moved from DB to DB_2 during the backup`);
  });
});
