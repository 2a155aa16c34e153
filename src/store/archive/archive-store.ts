import { chunksOf } from "#core/chunks";
import { batch, returning } from "../batch";
import { sha256Of } from "../contents";
import type { ArtifactRow, AttemptRow, EventRow, InteractionRow, RunRow, StageRow } from "../rows";
import { ENDED, NOW } from "../run-state";
import type { StageStore } from "../stages";
import { notHeld } from "../held-tenants";
import { LACKS_TEXTS, type RunArchives, WITHOUT_TEXTS } from "./archives";
import { type ArchivedRows, archiveKey, encodeArchive } from "./format";
import { insertRows } from "./insert-rows";

/** A run with more bytes of rows stays in D1: an isolate holds them all at once. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Rows of a run that are read at once; an artifact has up to 64 KiB. */
const ARTIFACT_PAGE = 100;
const EVENT_PAGE = 2000;
/** How long an object without its row is kept: a reader may still be reading it. Milliseconds. */
const ORPHAN_AFTER = 60 * 60_000;

/** SQL: runs whose restore began earlier and has not ended. */
export const halfRestored = (before: string): string =>
  `runs WHERE archive_key IS NOT NULL AND archive_base IS NOT NULL AND archive_base < ${before}`;

/** SQL: nothing about the run r will change any more, unless a request changes it. */
const COMPLETE = `r.${ENDED} AND r.archive_key IS NULL
  AND NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run_id = r.id)
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.run_id = r.id AND d.status = 'pending')
  AND NOT EXISTS (SELECT 1 FROM interactions i WHERE i.run_id = r.id AND i.acknowledged = 0)`;

/** SQL: runs r without a parent whose turn to be archived has come. */
export const archivable = (before: string): string =>
  `runs r WHERE COALESCE(archive_base, finished_at) < ${before} AND r.parent_id IS NULL AND ${COMPLETE}`;

/** SQL: the maintenance worker has not begun to remove the object ?2, which has no row until ?6; it postpones what it removes. */
const OBJECT_STAYS = `EXISTS (SELECT 1 FROM orphans WHERE key = ?2 AND due_at = ?6 AND due_at > ${NOW})`;

/** SQL: children c that were postponed or restored, whose parent p may be archived already: no parent leads to them any more. */
export const POSTPONED_CHILDREN = `runs c INDEXED BY runs_archived_late JOIN runs p ON p.id = c.parent_id
  WHERE c.archive_base IS NOT NULL AND c.parent_id IS NOT NULL AND c.archive_key IS NULL AND p.archive_key IS NOT NULL
    AND c.${ENDED} AND (c.phase = 'completed' OR p.phase = 'completed')`;

/** SQL that tells whether rows were added to a run r. */
const EXTENT = `(SELECT COALESCE(MAX(seq), 0) FROM events WHERE run_id = r.id) || '/'
  || (SELECT COUNT(*) || '/' || COALESCE(SUM(attempts), 0) FROM deliveries WHERE run_id = r.id)`;

/** SQL: the child c of the run p may be archived when it has waited since before ?1. One that a retry of its parent would queue again stays. */
const CHILD_TO_ARCHIVE = `c.parent_id = p.id AND c.archive_key IS NULL AND COALESCE(c.archive_base, c.finished_at) < ?1 AND c.${ENDED}
  AND (c.phase = 'completed' OR p.phase = 'completed')`;

/** How an attempt to archive a run ended. `too_large`: it stays in D1; `changed`: its turn has not come. */
export type Archived = "archived" | "too_large" | "changed";

/** Moves runs that ended long ago out of D1, each into one object in R2, and back. */
export class ArchiveStore {
  constructor(
    private readonly db: D1Database,
    private readonly bucket: R2Bucket,
    private readonly archives: RunArchives,
    private readonly stages: StageStore,
  ) {}

  /**
   * Runs whose turn to be archived has come, longest first; children of such a run come before it.
   * @param before milliseconds since the epoch: those that ended earlier
   */
  async due(before: number, limit: number): Promise<RunRow[]> {
    const { results: roots } = await this.db
      .prepare(
        `SELECT * FROM ${archivable("?1")} AND ${notHeld()} ORDER BY COALESCE(archive_base, finished_at) LIMIT ?2`,
      )
      .bind(before, limit)
      .all<RunRow>();
    const { results: children } = await this.db
      .prepare(
        `SELECT c.* FROM json_each(?2) roots JOIN runs p ON p.id = roots.value JOIN runs c ON ${CHILD_TO_ARCHIVE}
         WHERE EXISTS (SELECT 1 FROM run_trees t WHERE t.run_id = p.id) LIMIT ?3`,
      )
      .bind(before, JSON.stringify(roots.map(({ id }) => id)), limit)
      .all<RunRow>();
    const { results: late } = await this.db
      .prepare(
        `SELECT c.* FROM ${POSTPONED_CHILDREN} AND c.archive_base < ?1 AND ${notHeld("c.tenant_id")} ORDER BY c.archive_base LIMIT ?2`,
      )
      .bind(before, limit)
      .all<RunRow>();
    const unfinished = new Set(children.map(({ parent_id }) => parent_id));
    // When there are more children than the limit, their parents wait for the next pass.
    const whole = children.length < limit ? roots : roots.filter(({ id }) => !unfinished.has(id));
    return [...late, ...children, ...whole].slice(0, limit);
  }

  /** When the next run may be archived, if `after` is the time from its end until then; null: none has ended. */
  async nextDue(after: number): Promise<number | null> {
    const first = await this.db
      .prepare(
        `SELECT MIN(at) AS at FROM (
           SELECT MIN(COALESCE(archive_base, finished_at)) AS at FROM runs WHERE archive_key IS NULL AND parent_id IS NULL AND ${ENDED}
           UNION ALL SELECT MIN(c.archive_base) FROM ${POSTPONED_CHILDREN})`,
      )
      .first<number>("at");
    return first === null ? null : first + after;
  }

  /** Lets a run wait as if it had ended at `base`. */
  async postpone({ id }: Pick<RunRow, "id">, base: number): Promise<void> {
    await this.db
      .prepare("UPDATE runs SET archive_base = ?2 WHERE id = ?1 AND archive_key IS NULL")
      .bind(id, base)
      .run();
  }

  /**
   * Archives a run: writes its object, reads it again, and only then removes its rows, in one transaction. A crash leaves the run in D1, or in
   * its archive; an object without its row is removed by the maintenance worker.
   */
  async archive(run: RunRow): Promise<Archived> {
    const extent = await this.extentOf(run);
    if (extent === null) return "changed";
    const rows = await this.rowsOf(run);
    if (rows === null) return "too_large";
    const object = await encodeArchive(run.id, rows);
    const now = Date.now();
    const key = archiveKey(run, now, await sha256Of(object));
    const due_at = now + ORPHAN_AFTER;
    await this.db.prepare("INSERT OR REPLACE INTO orphans (key, due_at) VALUES (?, ?)").bind(key, due_at).run();
    await this.bucket.put(key, object);
    await this.archives.bytes(key); // reads it again, and compares its hash
    return (await this.removeRows(run, { key, due_at, extent })) ? "archived" : "changed";
  }

  /** The run's rows; null when it may not be archived. */
  private async extentOf({ id, epoch }: RunRow): Promise<string | null> {
    return this.db
      .prepare(`SELECT ${EXTENT} AS extent FROM runs r WHERE r.id = ? AND r.epoch = ? AND ${COMPLETE}`)
      .bind(id, epoch)
      .first<string>("extent");
  }

  /** The rows that an archive holds; null when they are too large. */
  private async rowsOf({ id, input, options, options_key }: RunRow): Promise<ArchivedRows | null> {
    const { stages, interactions, attempts } = await batch(this.db, {
      stages: returning<StageRow>(this.db.prepare("SELECT * FROM stages WHERE run_id = ?").bind(id)),
      interactions: returning<InteractionRow>(
        this.db.prepare("SELECT * FROM interactions WHERE run_id = ? ORDER BY id").bind(id),
      ),
      attempts: returning<AttemptRow>(
        this.db
          .prepare("SELECT a.* FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id WHERE d.run_id = ?")
          .bind(id),
      ),
    });
    const own = { input, options: options_key === null ? options : null };
    const rows: ArchivedRows = {
      run: [own],
      stages: stages.rows,
      artifacts: [],
      events: [],
      interactions: interactions.rows,
      delivery_attempts: attempts.rows,
    };
    let bytes = JSON.stringify(rows).length;
    const grow = (page: readonly object[]) => (bytes += JSON.stringify(page).length) <= MAX_BYTES;
    for (let after = "", more = true; more;) {
      const { results } = await this.db
        .prepare("SELECT * FROM artifacts WHERE run_id = ? AND id > ? ORDER BY id LIMIT ?")
        .bind(id, after, ARTIFACT_PAGE)
        .all<ArtifactRow>();
      if (!grow(results)) return null;
      rows.artifacts.push(...results);
      more = results.length === ARTIFACT_PAGE;
      after = results.at(-1)?.id ?? "";
    }
    for (let after = 0, more = true; more;) {
      const { results } = await this.db
        .prepare("SELECT * FROM events WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?")
        .bind(id, after, EVENT_PAGE)
        .all<EventRow>();
      if (!grow(results)) return null;
      rows.events.push(...results);
      more = results.length === EVENT_PAGE;
      after = results.at(-1)?.seq ?? 0;
    }
    return rows;
  }

  /** Removes the rows of a run that has changed in nothing since they were read; false when it has, or when its object may go. */
  private async removeRows(
    run: RunRow,
    { key, due_at, extent }: { key: string; due_at: number; extent: string },
  ): Promise<boolean> {
    const stages = (await this.stages.newestOfRuns([run.id])).map(({ stage, generation, completed }) => [
      stage,
      generation,
      completed,
    ]);
    const isArchived = "EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND archive_key = ?2)";
    const { marked } = await batch(this.db, {
      marked: this.db
        .prepare(
          `UPDATE runs AS r SET archive_key = ?2, archive_stages = ?5, archive_base = NULL, input = NULL, options = ''
           WHERE r.id = ?1 AND r.epoch = ?3 AND ${EXTENT} = ?4 AND ${COMPLETE} AND ${OBJECT_STAYS}`,
        )
        .bind(run.id, key, run.epoch, extent, JSON.stringify(stages), due_at),
      rows: [
        `UPDATE interactions SET ${WITHOUT_TEXTS} WHERE run_id = ?1 AND NOT (${LACKS_TEXTS})`,
        "DELETE FROM delivery_attempts WHERE delivery_id IN (SELECT id FROM deliveries WHERE run_id = ?1)",
        "DELETE FROM artifacts WHERE run_id = ?1",
        "DELETE FROM events WHERE run_id = ?1",
        "DELETE FROM stages WHERE run_id = ?1",
        "DELETE FROM orphans WHERE key = ?2",
      ].map((statement) => this.db.prepare(`${statement} AND ${isArchived}`).bind(run.id, key)),
    });
    return marked.changes > 0;
  }

  /**
   * Writes the rows of an archived run back; its turn to be archived comes anew. Without effect on any other run. Readers see the archive until the
   * last transaction. A run of several pages is marked first (`archive_base`): pages that a crash leaves are used by the next restore, or removed
   * by `removeHalfRestored`.
   */
  async restore({ id, archive_key: key }: Pick<RunRow, "id" | "archive_key">): Promise<void> {
    if (key === null) return;
    const rows = await this.archives.read({ id, archive_key: key });
    const own = rows.run[0]!;
    const now = Date.now();
    const artifacts = chunksOf(rows.artifacts, ARTIFACT_PAGE);
    const events = chunksOf(rows.events, EVENT_PAGE);
    const isLong = artifacts.length > 1 || events.length > 1;
    const mark = isLong ? await this.markRestored(id, key, now) : null;
    const isArchived = {
      condition: "EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND archive_key = ?2 AND (?3 IS NULL OR archive_base = ?3))",
      values: [id, key, mark],
    };
    const pages = [
      ...artifacts.map((page) => insertRows(this.db, "artifacts", page, isArchived)),
      ...events.map((page) => insertRows(this.db, "events", page, isArchived)),
    ];
    if (isLong) for (const page of pages) await batch(this.db, { page });
    const texts = rows.interactions.map(
      ({ id: interaction, prompt, artifacts: about, questions, answer_schema, answer }) =>
        this.db
          .prepare(
            `UPDATE interactions SET prompt = ?5, artifacts = ?6, questions = ?7, answer_schema = ?8, answer = ?9
           WHERE id = ?4 AND ${isArchived.condition}`,
          )
          .bind(...isArchived.values, interaction, prompt, about, questions, answer_schema, answer),
    );
    await batch(this.db, {
      pages: isLong ? [] : pages.flat(),
      stages: insertRows(this.db, "stages", rows.stages, isArchived),
      // Of deliveries that were removed for their age meanwhile, or with their endpoint, the attempts stay away.
      attempts: insertRows(this.db, "delivery_attempts", rows.delivery_attempts, {
        ...isArchived,
        condition: `${isArchived.condition} AND EXISTS (SELECT 1 FROM deliveries WHERE id = delivery_id)`,
      }),
      texts,
      orphan: this.db
        .prepare(`INSERT OR REPLACE INTO orphans (key, due_at) SELECT ?2, ?4 WHERE ${isArchived.condition}`)
        .bind(...isArchived.values, now + ORPHAN_AFTER),
      run: this.db
        .prepare(
          `UPDATE runs SET input = ?4, options = COALESCE(?5, options), archive_key = NULL, archive_stages = NULL, archive_base = ?6
           WHERE id = ?1 AND ${isArchived.condition}`,
        )
        .bind(...isArchived.values, own.input, own.options, now),
    });
  }

  /** Marks an archived run as being restored. @returns the mark, which is that of a restore under way if there is one; null: no longer archived */
  private async markRestored(id: string, key: string, now: number): Promise<number | null> {
    return this.db
      .prepare(
        "UPDATE runs SET archive_base = COALESCE(archive_base, ?3) WHERE id = ?1 AND archive_key = ?2 RETURNING archive_base",
      )
      .bind(id, key, now)
      .first<number>("archive_base");
  }

  /** Removes the rows of restores that began before `before` and were cut off. @param before milliseconds since the epoch */
  async removeHalfRestored(before: number, limit: number): Promise<void> {
    const { results } = await this.db
      .prepare(`SELECT id, archive_base FROM ${halfRestored("?")} AND ${notHeld()} LIMIT ?`)
      .bind(before, limit)
      .all<{ id: string; archive_base: number }>();
    for (const { id, archive_base } of results) {
      const isMarked = "EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND archive_key IS NOT NULL AND archive_base = ?2)";
      const statement = (sql: string) => this.db.prepare(`${sql} AND ${isMarked}`).bind(id, archive_base);
      await batch(this.db, {
        artifacts: statement("DELETE FROM artifacts WHERE run_id = ?1"),
        events: statement("DELETE FROM events WHERE run_id = ?1"),
        run: statement("UPDATE runs SET archive_base = NULL WHERE id = ?1"),
      });
    }
  }
}
