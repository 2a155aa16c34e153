/** Names of the triggers that refuse writes. */
const PREFIX = "backup_holds_";
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/**
 * Holds all writes to tables, so that a backup reads one state: triggers refuse them until a time. The Worker takes that for storage that is
 * away (src/store/availability.ts): reads are answered, writes wait or get 503, and no run fails for it. A hold that nobody ends, because the
 * command was killed, ends by itself at that time.
 * @param {import("../lib/database.mjs").Database} db
 * @param {import("./tables.mjs").Table[]} tables
 * @param {number} duration milliseconds
 * @returns {Promise<{until: number, isUnbroken: () => Promise<boolean>}>} `until`: milliseconds since the epoch, by the database's clock;
 *   `isUnbroken`: whether no write can have happened since
 */
export async function holdWrites(db, tables, duration) {
  const [clock, old = []] = await db.queryAll([`SELECT ${NOW} AS now`, HOLDING]);
  const until = clock?.[0]?.now + duration;
  const triggers = tables.flatMap(({ name }) =>
    ["INSERT", "UPDATE", "DELETE"].map(
      (verb) =>
        `CREATE TRIGGER IF NOT EXISTS ${PREFIX}${name}_${verb.toLowerCase()} BEFORE ${verb} ON ${name} WHEN ${NOW} < ${until} BEGIN SELECT RAISE(ABORT, 'writes_are_held'); END;\n`,
    ),
  );
  await db.execute(dropping(old) + triggers.join(""));
  const isUnbroken = async () => {
    const [row] = await db.query(
      `SELECT ${NOW} AS now, COUNT(*) AS triggers FROM sqlite_master WHERE ${HOLDS} AND sql LIKE '% < ${until} %'`,
    );
    return row?.now < until && row?.triggers === triggers.length;
  };
  return { until, isUnbroken };
}

const HOLDS = `type = 'trigger' AND name GLOB '${PREFIX}*'`;
const HOLDING = `SELECT name FROM sqlite_master WHERE ${HOLDS}`;
const dropping = (triggers) => triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name};\n`).join("");

/** Ends every hold. */
export async function releaseWrites(db) {
  const triggers = await db.query(HOLDING);
  if (triggers.length > 0) await db.execute(dropping(triggers));
}
