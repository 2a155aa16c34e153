import { describe, expect, it, vi } from "vitest";
import { Databases, LOCATION_MS, type NamedDatabase, placedD1, Placement } from "#store/placement";

const SUBJECT = { kind: "run", id: "run_1" } as const;

/** A database that has the subject's row, or not; `asked` counts its queries. @param tenants those that it has, beside the subject's row */
function database(name: string, row: { moving_to: string | null } | null | Error, tenants: string[] = []) {
  const asked = vi.fn();
  const statement = (sql: string) => ({
    bind: (id: string) =>
      sql.includes("FROM tenants WHERE id = ?") ? { first: async () => tenants.includes(id) || null } : statement(sql),
    async first() {
      asked(sql);
      if (row instanceof Error) throw row;
      return row;
    },
    run: async () => ({ ran: `${sql} in ${name}` }),
    all: async () => ({ ran: `${sql} in ${name}` }),
  });
  const db = { prepare: statement, batch: async (all: unknown[]) => all.map(() => name) } as unknown as D1Database;
  return { name, db, asked, becomes: (other: typeof row) => (row = other) };
}

const stays = { tenant_id: "ten_1", moving_to: null };
const leaves = { tenant_id: "ten_1", moving_to: "DB_2" };
const all = (...databases: NamedDatabase[]) => new Databases(databases as [NamedDatabase, ...NamedDatabase[]]);

describe("the database of a subject's tenant", () => {
  it.each([
    ["the one with its row", null, stays, "DB_2"],
    ["the one that the tenant is leaving, while no other has it", leaves, null, "DB"],
    ["the one that the tenant was moved to, when both have it", leaves, stays, "DB_2"],
    ["the first one, when none has it", null, null, "DB"],
    ["one that answers, although another does not", new Error("away"), stays, "DB_2"],
  ])("is %s", async (_, first, second, expected) => {
    expect((await all(database("DB", first), database("DB_2", second)).locate(SUBJECT)).name).toBe(expected);
  });

  it("is the one that the tenant was moved to, when the subject was deleted there: the old row is no longer true", async () => {
    const databases = all(database("DB", leaves), database("DB_2", null, ["ten_1"]));
    expect((await databases.locate(SUBJECT)).name).toBe("DB_2");
  });

  it.each([
    ["no other has it", null],
    ["another has the rows that its tenant leaves, which may be old", leaves],
  ])("is not known while a database does not answer that may have it, and %s", async (_, first) => {
    const databases = all(database("DB", first), database("DB_2", new Error("away")));
    await expect(databases.locate(SUBJECT)).rejects.toThrow("away");
  });

  it("is asked first the next time, and alone while it has the row", async () => {
    const [first, second] = [database("DB", null), database("DB_2", stays)];
    const databases = all(first, second);
    for (let n = 0; n < 3; n++) await databases.locate(SUBJECT);
    expect([first.asked.mock.calls.length, second.asked.mock.calls.length]).toEqual([1, 3]);
  });
});

describe("D1 of a subject", () => {
  it("is looked up once for statements that follow each other, and again later or after a failure", async () => {
    const [first, second] = [database("DB", stays), database("DB_2", null)];
    const d1 = placedD1(new Placement(all(first, second), SUBJECT));
    const ran = async () => ((await d1.prepare("SELECT ?").bind(1).run()) as unknown as { ran: string }).ran;
    expect([await ran(), await ran()]).toEqual(["SELECT ? in DB", "SELECT ? in DB"]);
    expect(first.asked).toHaveBeenCalledTimes(1);

    first.becomes(leaves);
    second.becomes(stays);
    const write = d1.prepare("INSERT");
    Object.assign(first.db, { batch: () => Promise.reject(new Error("writes_are_held")) });
    await expect(d1.batch([write])).rejects.toThrow("writes_are_held");
    expect(await d1.batch([write])).toEqual(["DB_2"]);

    second.becomes(leaves);
    first.becomes(stays);
    vi.useFakeTimers({ now: Date.now() + LOCATION_MS + 1 });
    expect(await ran()).toBe("SELECT ? in DB");
    vi.useRealTimers();
  });
});
