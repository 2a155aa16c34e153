import { batch, type Returning, returning } from "../batch";
import { sha256Of } from "../contents";
import type { InteractionRow, RunRow } from "../rows";
import { type ArchivedRows, type ArchivedTable, decodeArchive, hashInKey } from "./format";

/** Objects that are read at once for one answer. They are unpacked one after another: each may hold 16 MB of rows. */
const CONCURRENCY = 4;
/** An archive of at most this many bytes is kept for the next read; a larger one until memory is collected. */
const KEPT_BYTES = 512 * 1024;

/** `questions` of an interaction whose texts are archived begins with this; their size in bytes follows. */
const ARCHIVED_TEXTS = "archived:";

/** SQL: the texts of an interaction are archived. */
export const LACKS_TEXTS = `questions GLOB '${ARCHIVED_TEXTS}*'`;

/** SQL: bytes of the archived texts of an interaction. */
export const ARCHIVED_TEXT_BYTES = `iif(${LACKS_TEXTS}, CAST(substr(questions, ${ARCHIVED_TEXTS.length + 1}) AS INTEGER), 0)`;

/** SQL that takes an interaction's texts out of D1. */
export const WITHOUT_TEXTS = `prompt = '', artifacts = '', answer_schema = '', answer = NULL, questions = '${ARCHIVED_TEXTS}' || (
  length(CAST(prompt AS BLOB)) + length(CAST(artifacts AS BLOB)) + length(CAST(questions AS BLOB)) + length(CAST(answer_schema AS BLOB))
  + COALESCE(length(CAST(answer AS BLOB)), 0))`;

const lacksTexts = (row: InteractionRow) => row.questions.startsWith(ARCHIVED_TEXTS);

/** Reads rows of runs wherever they are: in D1, or in the archive of their run. */
export class RunArchives {
  /** The archive read last: one answer may read several tables of a run, and the next page of a list reads it again. */
  private latest: { key: string; rows: WeakRef<ArchivedRows>; kept: ArchivedRows | null } | null = null;

  constructor(
    private readonly db: D1Database,
    private readonly bucket: R2Bucket,
  ) {}

  /**
   * The rows of an archive. Its object outlives the archive by an hour, so that a reader need not fear a restore meanwhile.
   * @throws Error when the object is missing, or is not the one that was written
   */
  async read({ id, archive_key: key }: { id: string; archive_key: string }): Promise<ArchivedRows> {
    return this.latestOf(key) ?? this.decode(id, key, await this.bytes(key));
  }

  private latestOf(key: string): ArchivedRows | undefined {
    return this.latest?.key === key ? this.latest.rows.deref() : undefined;
  }

  private async decode(id: string, key: string, bytes: Uint8Array<ArrayBuffer>): Promise<ArchivedRows> {
    const rows = await decodeArchive(id, bytes);
    this.latest = { key, rows: new WeakRef(rows), kept: bytes.length <= KEPT_BYTES ? rows : null };
    return rows;
  }

  /** The object of an archive. @throws Error when it is missing, or is not the one that was written */
  async bytes(key: string): Promise<Uint8Array<ArrayBuffer>> {
    const object = await this.bucket.get(key);
    if (!object) throw new Error(`The archive ${key} is missing.`);
    const bytes = new Uint8Array(await object.arrayBuffer());
    if ((await sha256Of(bytes)) !== hashInKey(key)) throw new Error(`The archive ${key} was altered.`);
    return bytes;
  }

  /** The texts of a run's own row. */
  async ownTexts({ id, archive_key }: Pick<RunRow, "id" | "archive_key">): Promise<ArchivedRows["run"][number]> {
    if (archive_key === null) throw new Error(`The run ${id} has no input.`);
    return (await this.read({ id, archive_key })).run[0]!;
  }

  /**
   * Rows of one run.
   * @param stored finds them in D1
   * @param choose finds the same among all rows of the run, when it is archived
   */
  async rows<T extends ArchivedTable, Row>(
    run: string,
    table: T,
    stored: Returning<Row>,
    choose: (rows: ArchivedRows[T]) => Row[],
  ): Promise<Row[]> {
    // One transaction: a run is archived or restored before it or after it.
    const done = await batch(this.db, { stored, archived: this.archivedStatement([run]) });
    const [archive] = done.archived.rows;
    if (!archive) return done.stored.rows;
    return choose((await this.read(archive))[table]);
  }

  /** Finds which of these runs are archived. */
  archivedStatement(runs: readonly string[]): Returning<{ id: string; archive_key: string }> {
    return this.db
      .prepare(
        "SELECT id, archive_key FROM runs WHERE archive_key IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
      )
      .bind(JSON.stringify([...new Set(runs)]));
  }

  /** Rows of several archives. */
  async ofAll<Row>(
    archives: readonly { id: string; archive_key: string }[],
    choose: (rows: ArchivedRows, run: string) => Row[],
  ): Promise<Row[]> {
    const found: Row[] = [];
    for (let at = 0; at < archives.length; at += CONCURRENCY) {
      const page = archives.slice(at, at + CONCURRENCY);
      const objects = await Promise.all(
        page.map(({ archive_key: key }) => (this.latestOf(key) ? null : this.bytes(key))),
      );
      for (const [index, one] of page.entries()) {
        const bytes = objects[index];
        const rows = bytes ? await this.decode(one.id, one.archive_key, bytes) : await this.read(one);
        found.push(...choose(rows, one.id));
      }
    }
    return found;
  }

  /** Interactions by their ids. */
  async interactions(ids: readonly string[]): Promise<InteractionRow[]> {
    if (ids.length === 0) return [];
    const { results } = await this.db
      .prepare("SELECT * FROM interactions WHERE id IN (SELECT value FROM json_each(?))")
      .bind(JSON.stringify(ids))
      .all<InteractionRow>();
    return this.withTexts(results);
  }

  /** Interactions with their texts. Those whose run was removed meanwhile are left out. */
  async withTexts(rows: readonly InteractionRow[]): Promise<InteractionRow[]> {
    const lacking = rows.filter(lacksTexts);
    if (lacking.length === 0) return [...rows];
    const { archives, stored } = await batch(this.db, {
      archives: this.archivedStatement(lacking.map(({ run_id }) => run_id)),
      // Those of a run that was restored meanwhile.
      stored: returning<InteractionRow>(
        this.db
          .prepare("SELECT * FROM interactions WHERE id IN (SELECT value FROM json_each(?))")
          .bind(JSON.stringify(lacking.map(({ id }) => id))),
      ),
    });
    const archived = await this.ofAll(archives.rows, ({ interactions }) => interactions);
    const whole = stored.rows.filter((row) => !lacksTexts(row));
    const byId = new Map([...archived, ...whole].map((row) => [row.id, row]));
    return rows.flatMap((row) => (lacksTexts(row) ? (byId.get(row.id) ?? []) : row));
  }
}
