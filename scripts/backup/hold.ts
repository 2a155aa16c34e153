// SQL and not src/store: it makes triggers, and works on a database of any version.
import type { Database, Row } from "../lib/database.ts";

/** Begins the names of the triggers of a backup. */
const BACKUP = "backup_holds_";
const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/**
 * Holds writes to tables, so that a backup or a move reads one state: triggers refuse them until a time. The Worker takes that for storage that
 * is away (src/store/availability.ts): reads are answered, writes wait or get 503, and no run fails for it. A hold that nobody ends, because the
 * command was killed, ends by itself at that time.
 * @param duration milliseconds; Infinity: until it is released
 * @returns `until`: milliseconds since the epoch, by the database's clock;
 * `isUnbroken`: whether no write can have happened since
 */
export async function holdWrites(
  db: Database,
  tables: { name: string }[],
  duration: number,
  {
    prefix = BACKUP,
    conditionOf = () => "TRUE",
    markOf = () => "",
  }: {
    /** of the names of the triggers */
    prefix?: string;
    /** which rows are held; all by default */
    conditionOf?: (table: string, row: "NEW" | "OLD") => string;
    /** SQL that is executed in the same transaction, between the holds of before and the new ones */
    markOf?: (until: number) => string;
  } = {},
): Promise<{ until: number; isUnbroken: () => Promise<boolean> }> {
  const [clock, old = []] = await db.queryAll([`SELECT ${NOW} AS now`, holding(prefix)]);
  const until = Math.min(clock?.[0]?.now + duration, Number.MAX_SAFE_INTEGER);
  const triggers = tables.flatMap(({ name }) =>
    Object.entries(VERBS).map(([verb, rows]) => {
      const isHeld = rows.map((row) => `(${conditionOf(name, row)})`).join(" OR ");
      return `CREATE TRIGGER IF NOT EXISTS ${prefix}${name}_${verb.toLowerCase()} BEFORE ${verb} ON ${name} WHEN ${NOW} < ${until} AND (${isHeld}) BEGIN SELECT RAISE(ABORT, 'writes_are_held'); END;\n`;
    }),
  );
  await db.execute(dropping(old) + markOf(until) + triggers.join(""));
  const isUnbroken = async () => {
    const [row] = await db.query(
      `SELECT ${NOW} AS now, COUNT(*) AS triggers FROM sqlite_master WHERE ${holds(prefix)} AND sql LIKE '% < ${until} %'`,
    );
    return row?.now < until && row?.triggers === triggers.length;
  };
  return { until, isUnbroken };
}

/** Statements, and the rows of their triggers. */
const VERBS: Record<string, ("NEW" | "OLD")[]> = { INSERT: ["NEW"], UPDATE: ["OLD", "NEW"], DELETE: ["OLD"] };

const holds = (prefix: string) => `type = 'trigger' AND name GLOB '${prefix}*'`;
const holding = (prefix: string) => `SELECT name FROM sqlite_master WHERE ${holds(prefix)}`;
const dropping = (triggers: Row[]) => triggers.map(({ name }) => `DROP TRIGGER IF EXISTS ${name};\n`).join("");

/**
 * Ends every hold with this prefix.
 * @param mark SQL that is executed in the same transaction, after that
 */
export async function releaseWrites(db: Database, prefix = BACKUP, mark = "") {
  const sql = dropping(await db.query(holding(prefix))) + mark;
  if (sql) await db.execute(sql);
}
