import { notHeld } from "./held-tenants";
import type { InteractionKind, InteractionStatus, OnExpiry } from "#core/vocabulary";
import { batch, returning } from "./batch";
import { ARCHIVED_TEXT_BYTES, type RunArchives } from "./archive/archives";
import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { boundedPage } from "./bounded-page";
import type { InteractionRow } from "./rows";
import { NOT_ENDED, OWNED } from "./run-state";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

export interface NewInteraction {
  id: string;
  step: string;
  generation: number;
  kind: InteractionKind;
  stage: string;
  prompt: string;
  artifacts: readonly string[];
  questions: unknown[];
  answer_schema: unknown;
  on_expiry: OnExpiry;
  expires_at: number;
}

export interface InteractionFilter {
  run_id?: string;
  status?: InteractionStatus;
  /** null: all. */
  workflows?: readonly string[] | null;
}

/** Closed interactions whose outcome later steps have used: they are found again, never asked again (law 2). */
const REUSABLE = "(status = 'answered' OR (status = 'expired' AND on_expiry = 'proceed'))";

/** A question that was withdrawn is stored as expired: the run continues as without an answer. */
const OF_STATUS: Partial<Record<InteractionStatus, string>> = {
  expired: "status = 'expired' AND withdrawn = 0",
  withdrawn: "status = 'expired' AND withdrawn = 1",
};

/** SQL: when the reminder is due of a question that has these times, a day before its deadline or with a quarter of the time left. */
const remindAt = (from: string, until: string) => `CAST(${until} - MIN(86400000, (${until} - ${from}) / 4) AS INTEGER)`;

/** Condition that interaction ?1 takes an answer at the time ?2. */
const IS_OPEN = "id = ?1 AND status = 'open' AND expires_at > ?2";

/** A change of an open interaction, and the id of the key by which it is made. */
export type InteractionChange = { by: string } & (
  | { to: "extend"; expires_at: number }
  | { to: "reassign"; name: string | null; email: string | null }
  | { to: "withdraw" }
);

/** The assignments and the condition of a change, with ?1 and ?2 as in `IS_OPEN`; then its values from ?4 on. */
function assignments(change: InteractionChange): [sql: string, ...values: unknown[]] {
  switch (change.to) {
    case "extend":
      return [
        `expires_at = ?4, remind_at = ${remindAt("?2", "?4")} WHERE ${IS_OPEN} AND expires_at < ?4`,
        change.expires_at,
      ];
    case "reassign":
      return [`assignee_name = ?4, assignee_email = ?5, link = link + 1 WHERE ${IS_OPEN}`, change.name, change.email];
    case "withdraw":
      return [`status = 'expired', withdrawn = 1, settled_at = ?2 WHERE ${IS_OPEN} AND on_expiry = 'proceed'`];
  }
}

export class InteractionStore {
  constructor(
    private readonly db: D1Database,
    private readonly archives: RunArchives,
    private readonly idempotency: IdempotencyStore,
  ) {}

  /**
   * Opens an interaction, or returns the existing one of its step; null when the instance is superseded. One that the end of an earlier epoch
   * canceled is opened again as it was asked, with its id and hence its link, unless it would have expired by now.
   */
  async open(run: string, epoch: number, it: NewInteraction): Promise<InteractionRow | null> {
    const { found } = await batch(this.db, {
      reopen: this.db
        .prepare(
          `UPDATE interactions SET status = 'open', epoch = ?2, settled_at = NULL, acknowledged = 0
           WHERE id = (SELECT id FROM interactions WHERE run_id = ?1 AND step = ?3 AND generation = ?4 AND status = 'canceled' ORDER BY epoch DESC LIMIT 1)
             AND expires_at > ?5 AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})
             AND NOT EXISTS (SELECT 1 FROM interactions WHERE run_id = ?1 AND step = ?3 AND generation = ?4 AND (${REUSABLE} OR epoch = ?2))`,
        )
        .bind(run, epoch, it.step, it.generation, Date.now()),
      insert: this.db
        .prepare(
          `INSERT INTO interactions (id, tenant_id, mode, run_id, step, generation, epoch, kind, stage, prompt, artifacts, questions, answer_schema, on_expiry, expires_at, created_at, remind_at)
           SELECT ?3, tenant_id, mode, id, ?4, ?5, ?2, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ${remindAt("?14", "?13")} FROM runs WHERE ${OWNED}
             AND NOT EXISTS (SELECT 1 FROM interactions WHERE run_id = ?1 AND step = ?4 AND generation = ?5 AND ${REUSABLE})
           ON CONFLICT DO NOTHING`,
        )
        .bind(
          run,
          epoch,
          it.id,
          it.step,
          it.generation,
          it.kind,
          it.stage,
          it.prompt,
          JSON.stringify(it.artifacts),
          JSON.stringify(it.questions),
          JSON.stringify(it.answer_schema),
          it.on_expiry,
          it.expires_at,
          Date.now(),
        ),
      found: returning<InteractionRow>(
        this.db
          .prepare(
            `SELECT * FROM interactions WHERE run_id = ?1 AND step = ?3 AND generation = ?4 AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})
           AND (${REUSABLE} OR epoch = ?2) ORDER BY ${REUSABLE} DESC LIMIT 1`,
          )
          .bind(run, epoch, it.step, it.generation),
      ),
    });
    return found.rows[0] ?? null;
  }

  /** Records that no instance waits for this interaction any more, so none is woken for it. */
  async acknowledge(id: string): Promise<void> {
    await this.db.prepare("UPDATE interactions SET acknowledged = 1 WHERE id = ? AND status <> 'open'").bind(id).run();
  }

  async get(id: string): Promise<InteractionRow | null> {
    const row = await this.db.prepare("SELECT * FROM interactions WHERE id = ?").bind(id).first<InteractionRow>();
    return row && ((await this.archives.withTexts([row]))[0] ?? null);
  }

  async ofRun(run: string, status: InteractionStatus): Promise<InteractionRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM interactions WHERE run_id = ? AND status = ? ORDER BY id")
      .bind(run, status)
      .all<InteractionRow>();
    return results;
  }

  /** Newest first; `after` is the last id of the previous page. */
  async list(
    { tenant_id, mode }: Owner,
    filter: InteractionFilter,
    limit: number,
    after: string | null,
  ): Promise<Page<InteractionRow>> {
    const { run_id, status, workflows } = filter;
    // The sign keeps SQLite from reading all interactions of the owner in place of those of the run.
    const sign = run_id === undefined ? "" : "+";
    const where = [`${sign}tenant_id = ?`, `${sign}mode = ?`];
    const values: unknown[] = [tenant_id, mode];
    const add = (condition: string, ...given: unknown[]) => (where.push(condition), values.push(...given));
    if (run_id !== undefined)
      add("run_id IN (SELECT ? UNION ALL SELECT id FROM runs WHERE parent_id = ?)", run_id, run_id);
    const ofStatus = status && OF_STATUS[status];
    if (ofStatus) add(ofStatus);
    else if (status !== undefined) add("status = ?", status);
    if (after !== null) add("id < ?", after);
    if (workflows)
      add(
        "(SELECT workflow FROM runs WHERE runs.id = run_id) IN (SELECT value FROM json_each(?))",
        JSON.stringify(workflows),
      );
    const long = ["prompt", "artifacts", "questions", "answer_schema", "answer"];
    const listing = { table: "interactions", long, size: ARCHIVED_TEXT_BYTES, where: where.join(" AND "), values };
    const page = await boundedPage<InteractionRow>(this.db, listing, limit);
    return { ...page, rows: await this.archives.withTexts(page.rows) };
  }

  /**
   * Compare and set: records the first answer before the expiry; null for any other.
   * @param link by which it is given; null: by a key
   */
  async answer(
    id: string,
    { answer, answered_by, link = null }: { answer: unknown; answered_by: string | null; link?: number | null },
    completion?: RequestCompletion,
  ): Promise<InteractionRow | null> {
    const update = this.db
      .prepare(
        `UPDATE interactions SET status = 'answered', answer = ?2, answered_by = ?3, settled_at = ?4
         WHERE id = ?1 AND status = 'open' AND expires_at > ?4 AND (?5 IS NULL OR link = ?5) RETURNING *`,
      )
      .bind(id, JSON.stringify(answer), answered_by, Date.now(), link);
    return (await this.idempotency.write<InteractionRow>(update, completion)).rows[0] ?? null;
  }

  /**
   * Changes an open interaction; triggers write the event. Only a later deadline extends it, and one whose run needs the answer is not withdrawn.
   * @returns null when nothing was changed
   */
  async change(id: string, change: InteractionChange, completion?: RequestCompletion): Promise<InteractionRow | null> {
    const [set, ...values] = assignments(change);
    const update = this.db
      .prepare(`UPDATE interactions SET changed_by = ?3, ${set} RETURNING *`)
      .bind(id, Date.now(), change.by, ...values);
    return (await this.idempotency.write<InteractionRow>(update, completion)).rows[0] ?? null;
  }

  // For the maintenance worker

  /** Takes the reminders that are due, each once; triggers write their events. @returns the runs that ask */
  async remindDue(now: number, limit: number): Promise<{ id: string }[]> {
    const { results } = await this.db
      .prepare(
        `UPDATE interactions SET remind_at = NULL WHERE status = 'open' AND remind_at IS NOT NULL AND id IN (
           SELECT id FROM interactions WHERE status = 'open' AND remind_at <= ?1 AND ${notHeld()} ORDER BY remind_at LIMIT ?2) RETURNING run_id AS id`,
      )
      .bind(now, limit)
      .all<{ id: string }>();
    return results;
  }

  /**
   * Expires due interactions by the same compare and set, and acknowledges those of runs that have ended or moved on to another epoch.
   * @returns the expired interactions, and those closed before `before` that their instance has not acknowledged, earliest closed first
   */
  async expireDue(
    now: number,
    before: number,
    limit: number,
  ): Promise<{ expired: InteractionRow[]; unacknowledged: InteractionRow[] }> {
    const { expired, unacknowledged } = await batch(this.db, {
      expired: returning<InteractionRow>(
        this.db
          .prepare(
            `UPDATE interactions SET status = 'expired', settled_at = ?1 WHERE status = 'open' AND id IN (
             SELECT id FROM interactions WHERE status = 'open' AND expires_at <= ?1 AND ${notHeld()} ORDER BY expires_at LIMIT ?2) RETURNING *`,
          )
          .bind(now, limit),
      ),
      acknowledge: this.db.prepare(
        `UPDATE interactions SET acknowledged = 1 WHERE acknowledged = 0 AND status IN ('answered', 'expired') AND ${notHeld()}
         AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = run_id AND r.epoch = interactions.epoch AND r.${NOT_ENDED})`,
      ),
      unacknowledged: returning<InteractionRow>(
        this.db
          .prepare(
            `SELECT * FROM interactions WHERE acknowledged = 0 AND status <> 'open' AND settled_at < ? AND ${notHeld()} ORDER BY settled_at LIMIT ?`,
          )
          .bind(before, limit),
      ),
    });
    return { expired: expired.rows, unacknowledged: unacknowledged.rows };
  }
}
