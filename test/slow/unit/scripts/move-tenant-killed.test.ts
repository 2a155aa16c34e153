/** A move of a tenant that is killed before or after any of its writes, and repeated: nothing is lost, doubled or left. */
import { beforeEach, describe, expect, it } from "vitest";
import { schemaOf } from "../../../../scripts/backup/tables.ts";
import type { Database } from "../../../../scripts/lib/database.ts";
import { databaseOfTenant, sourceOfMove } from "../../../../scripts/operator/databases.ts";
import { forgetSource, moveTenant } from "../../../../scripts/operator/move-tenant.ts";
import { isOf, tenantTables } from "../../../../scripts/operator/tenant-rows.ts";
import { migratedDatabase, operatorDatabase, TENANT } from "../../../support/database";

const NEIGHBOURS = ["ten_2", "ten_3"];

interface Named {
  name: string;
  db: Database;
}
let databases: [Named, Named];

beforeEach(async () => {
  databases = [open("DB"), open("DB_2")];
  const [source, target] = databases;
  await target.db.execute(`DELETE FROM tenants WHERE id = '${TENANT}'`);
  await furnish(source.db, TENANT);
  for (const [at, { db }] of databases.entries()) {
    const neighbour = NEIGHBOURS[at]!;
    await db.execute(`INSERT INTO tenants (id, name, created_at) VALUES ('${neighbour}', 'neighbour', 1)`);
    await furnish(db, neighbour);
    await db.execute(
      "INSERT INTO resealing (id, keys, position, unreadable, completed_at) VALUES (1, '[]', NULL, '{}', 1)",
    );
  }
});

const open = (name: string): Named => ({ name, db: operatorDatabase(migratedDatabase()) });

const template = (tenant: string, id: string, text: string) =>
  `INSERT INTO templates (id, tenant_id, mode, name, description, version, workflow, request, fields, created_at, updated_at)
   VALUES ('${id}', '${tenant}', 'live', '${id}', '${text}', 1, 'debate', '{}', '{}', 1, 1);\n`;

/** Rows of each kind that a move treats in a way of its own: in parts, with numbers, in the index, by their texts. */
async function furnish(db: Database, tenant: string): Promise<void> {
  const of = (name: string) => `${name}_${tenant}`;
  await db.execute(
    `${template(tenant, of("long"), "long ".repeat(40_000))}
     INSERT INTO corpora (id, tenant_id, mode, name, description, metadata, created_at, updated_at)
       VALUES ('${of("corpus")}', '${tenant}', 'live', 'Statutes', '', '{}', 1, 1);
     INSERT INTO pools (id, tenant_id) VALUES ('${of("gone")}', '${tenant}'), ('${of("corpus")}', '${tenant}');
     DELETE FROM pools WHERE id = '${of("gone")}';
     INSERT INTO documents (id, pool, digest, source, metadata, content, size, sha256, status, created_at)
       SELECT '${of("document")}', number, 'd', 'Statute', '{}', 'A lent tool is returned.', 24, 's', 'ready', 1 FROM pools WHERE tenant_id = '${tenant}';
     INSERT INTO passages (pool, document_id, ordinal, begins, ends, heading, text, terms)
       SELECT pool, id, 1, 0, 24, '', content, 4 FROM documents WHERE id = '${of("document")}';
     INSERT INTO passages_index (rowid, head, body) SELECT id, '', 'tool' FROM passages WHERE document_id = '${of("document")}';
     INSERT INTO idempotency_keys (scope, path, key, fingerprint, owner, claimed_at, expires_at)
       VALUES ('${tenant}/live', '/v1/runs', 'k', 'f', 'o', 1, 2);
     INSERT INTO orphans (key, due_at) VALUES ('${tenant}/run_1/art_1', 5);`,
  );
}

/** Numbers are a database's own. */
const NUMBERED = { pools: ["number"], documents: ["pool"], passages: ["id", "pool"] } as Record<string, string[]>;

/** The tenant's rows, by their table. */
async function rowsIn(db: Database, tenant: string): Promise<Record<string, object[]>> {
  const all: Record<string, object[]> = {};
  for (const { name } of tenantTables((await schemaOf(db)).tables)) {
    const rows = await db.query(`SELECT * FROM ${name} WHERE ${isOf(name, tenant)} ORDER BY 1`);
    for (const row of rows)
      for (const column of [...(NUMBERED[name] ?? []), "moving_to", "held_until", "moved_from"]) delete row[column];
    if (rows.length > 0) all[name] = rows;
  }
  return all;
}

/** What a database is made of, and what of it has no owner. */
async function remains(db: Database): Promise<unknown> {
  const made = await db.query("SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' ORDER BY name");
  const strays = await db.queryAll([
    "SELECT rowid FROM passages_index EXCEPT SELECT id FROM passages",
    "SELECT id FROM passages EXCEPT SELECT rowid FROM passages_index",
    "SELECT id FROM passages EXCEPT SELECT p.id FROM passages p JOIN documents d ON d.id = p.document_id AND d.pool = p.pool",
    "SELECT id FROM documents WHERE pool NOT IN (SELECT number FROM pools)",
    "SELECT id FROM pools WHERE passages <> (SELECT COUNT(*) FROM passages WHERE pool = pools.number)",
    "SELECT id FROM stray_vectors",
    "SELECT id FROM tenants WHERE COALESCE(moving_to, held_until, moved_from) IS NOT NULL",
  ]);
  return { made, strays };
}

/** What kills the process at its nth write. `wasDone`: the write was done, only its answer did not come. */
class Kill {
  writes = 0;
  private isDead = false;

  constructor(
    private readonly nth: number,
    private readonly wasDone: boolean,
  ) {}

  in({ name, db }: Named): Named {
    const alive = <T extends unknown[], R>(call: (...values: T) => Promise<R>) => {
      return async (...values: T): Promise<R> => {
        if (this.isDead) throw new Error("killed");
        return call(...values);
      };
    };
    const execute = alive(async (sql: string) => {
      const isLast = ++this.writes === this.nth;
      this.isDead = isLast;
      if (!isLast || this.wasDone) await db.execute(sql);
      if (isLast) throw new Error("killed");
    });
    return { name, db: { ...db, query: alive(db.query), queryAll: alive(db.queryAll), execute } };
  }
}

const move = (source: Named, target: Named) =>
  moveTenant({ source, target, tenant: TENANT, hold_ms: 60_000, linger_ms: 0, say: () => {} });

const killedMove = (kill: Kill) => move(kill.in(databases[0]), kill.in(databases[1]));

it("is one that writes often, so that the cases below are many", async () => {
  const kill = new Kill(Infinity, false);
  await killedMove(kill);
  expect(kill.writes).toBeGreaterThan(15);
});

describe.each([
  ["before", false],
  ["after", true],
])("a move that is killed %s its nth write", (_, wasDone) => {
  it("serves the tenant's rows from one database, and ends when it is repeated", async () => {
    for (let nth = 1, isKilled = true; isKilled; nth++) {
      const made = [await remains(databases[0].db), await remains(databases[1].db)];
      const before = await rowsIn(databases[0].db, TENANT);
      isKilled = await killedMove(new Kill(nth, wasDone)).then(
        () => false,
        () => true,
      );
      const place = await databaseOfTenant(databases, TENANT);
      expect(await rowsIn(place!.db, TENANT)).toEqual(before);

      const isWritten = await place!.db.execute(template(TENANT, `tpl_${nth}`, "")).then(
        () => true,
        (error) => {
          expect(String(error)).toContain("writes_are_held");
          return false;
        },
      );
      const expected = await rowsIn(place!.db, TENANT);
      if (isWritten) expect(expected.templates).toHaveLength(before.templates!.length + 1);
      const source = await sourceOfMove(databases, TENANT, databases[1]);
      if (source) await move(source, databases[1]);
      else await forgetSource({ target: databases[1], tenant: TENANT }); // as the command does
      expect(await rowsIn(databases[1].db, TENANT)).toEqual(expected);
      expect(await rowsIn(databases[0].db, TENANT)).toEqual({});

      await move(databases[1], databases[0]); // back, for the next case
      expect(await rowsIn(databases[0].db, TENANT)).toEqual(expected);
      expect([await remains(databases[0].db), await remains(databases[1].db)]).toEqual(made);
      for (const [at, { db }] of databases.entries())
        expect(Object.keys(await rowsIn(db, NEIGHBOURS[at]!))).toEqual(
          expect.arrayContaining(["tenants", "templates", "passages", "idempotency_keys", "orphans"]),
        );
    }
  });
});
