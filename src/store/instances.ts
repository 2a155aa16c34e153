import type { ProviderOutage } from "#core/provider-outages";
import { batch, returning } from "./batch";
import { hasWaiting } from "./queue";
import type { RepeatableCommits } from "./group-commit";
import { listeners as listenersSql, type Listener } from "./listeners";
import type { ArtifactRow, InteractionRow, RunRow } from "./rows";
import { type CanceledChild, canceledChildren, cancelChildren } from "./children";
import { NOT_ENDED, followed, OWNED, ownsKeys, RELEASE } from "./run-state";
import type { StageKey } from "./stages";

/** The run's pause and active time, which its instance reads with each write. */
export interface RunClock {
  /** Number of the current pause; 0 when the run is not paused. */
  pause: number;
  active_ms: number;
  active_since: number | null;
  /** Whether a stream of events follows the run: each commit then wakes its feed. */
  followed: 0 | 1;
  /** Whether the run's owner has brought keys for providers: each request then reads the one it uses. */
  owns_keys: 0 | 1;
}

/** The latest failed attempt of a step that is retried. */
export interface LastFailure {
  step: string;
  code: string;
  /** Milliseconds. */
  at: number;
}

/** The stored state of a stage when it is entered. */
export interface StoredStage {
  run: (RunClock & Pick<RunRow, "llm_calls" | "queued_ms" | "outages">) | null;
  artifacts: ArtifactRow[];
  interactions: InteractionRow[];
}

/** A run that its instance begins to execute. */
export interface Begun {
  row: RunRow;
  isFirst: boolean;
  followed: boolean;
  owns_keys: boolean;
  listeners: Listener[];
  /** JSON. */
  parent_limits: string | null;
}

/** SQL of a column of run ?1. */
const ofRun = (column: string) => `(SELECT ${column} FROM runs WHERE id = ?1)`;

/** Reads and writes of an instance for its run. Each write requires that the run is at the instance's epoch and has not ended. */
export class InstanceStore {
  constructor(
    private readonly db: D1Database,
    private readonly commits: RepeatableCommits,
  ) {}

  /**
   * Marks the run as started; returns it with its listeners and its parent's limits (JSON), or null when the instance is superseded. `isFirst`:
   * this call has started it. Counts the start before anything is done (`unended_starts`), unless `counts` is false. Later ones are no heartbeat: the time before them is no part of the run's timeout (`enterStage`).
   */
  async markStarted(id: string, epoch: number, counts = true): Promise<Begun | null> {
    const now = Date.now();
    const { run, listening, parent } = await batch(this.db, {
      run: returning<RunRow & Pick<RunClock, "followed" | "owns_keys">>(
        this.db
          .prepare(
            `UPDATE runs SET phase = 'running', unended_starts = unended_starts + ?4, started_at = COALESCE(started_at, ?3),
               heartbeat_at = CASE WHEN started_at IS NULL THEN ?3 ELSE heartbeat_at END
             WHERE ${OWNED} RETURNING *, ${followed("?1")} AS followed, ${ownsKeys("?1")} AS owns_keys`,
          )
          .bind(id, epoch, now, counts ? 1 : 0),
      ),
      listening: returning<Listener>(
        this.db.prepare(listenersSql({ tenant_id: ofRun("tenant_id"), mode: ofRun("mode") })).bind(id),
      ),
      parent: returning<Pick<RunRow, "limits">>(
        this.db.prepare(`SELECT limits FROM runs WHERE id = ${ofRun("parent_id")}`).bind(id),
      ),
    });
    const [found] = run.rows;
    if (!found) return null;
    const { followed: isFollowed, owns_keys, ...row } = found;
    // Endpoints of the tenant get no events of children (the trigger event_deliveries).
    const listeners = row.parent_id === null ? listening.rows : [];
    const parent_limits = parent.rows[0]?.limits ?? null;
    const known = { followed: isFollowed === 1, owns_keys: owns_keys === 1 };
    return { row, isFirst: row.started_at === now, ...known, listeners, parent_limits };
  }

  /** Records that a segment has ended in order, though without an artifact. */
  async markLeft(id: string, epoch: number): Promise<void> {
    await this.db.prepare(`UPDATE runs SET unended_starts = 0 WHERE ${OWNED}`).bind(id, epoch).run();
  }

  /** The run's row; null when the instance is superseded. */
  async getOwned(id: string, epoch: number): Promise<RunRow | null> {
    return this.db.prepare(`SELECT * FROM runs WHERE ${OWNED}`).bind(id, epoch).first<RunRow>();
  }

  /**
   * Writes a heartbeat and adds queueing time; returns the run's pause and clock, or null when the instance is superseded.
   * @param quiet milliseconds until the next heartbeat is expected
   * @param queued milliseconds spent waiting for permits since the last report
   */
  async heartbeat(id: string, epoch: number, quiet: number, queued: number): Promise<RunClock | null> {
    return this.db
      .prepare(
        `UPDATE runs SET heartbeat_at = ?3, stalled_at = NULL, queued_ms = queued_ms + ?4 WHERE ${OWNED}
         RETURNING paused * pauses AS pause, active_ms, active_since, ${followed("?1")} AS followed, ${ownsKeys("?1")} AS owns_keys`,
      )
      .bind(id, epoch, Date.now() + quiet, queued)
      .first<RunClock>();
  }

  /** Records the last failure of a step. Not a heartbeat: a run whose steps keep failing makes no progress. */
  async recordLastFailure(id: string, epoch: number, failure: LastFailure): Promise<void> {
    await this.db
      .prepare(`UPDATE runs SET last_failure = ?3 WHERE ${OWNED}`)
      .bind(id, epoch, JSON.stringify(failure))
      .run();
  }

  /** Records that a model fails, or (null) that it answers again; triggers write the events of an outage's beginning and end. */
  async recordOutage(id: string, epoch: number, model: string, outage: ProviderOutage | null): Promise<void> {
    await this.db
      .prepare(`UPDATE runs SET outages = json_patch(outages, ?3) WHERE ${OWNED}`)
      .bind(id, epoch, JSON.stringify({ [model]: outage }))
      .run();
  }

  /**
   * Records the exit from one stage and the entry into the next; idempotent. With `readStored`, also reads the stored state of the stage in
   * the same round trip and acknowledges its closed interactions. `run` is null when the instance is superseded.
   * @param change.idle milliseconds that the run has waited since its last stage execution; they, and the time since its last heartbeat, when
   *   nothing ran it, are no part of its timeout
   */
  async enterStage(
    { id, tenant, epoch }: { id: string; tenant: string; epoch: number },
    {
      left,
      entered,
      readStored,
      idle,
    }: { left: StageKey | null; entered: StageKey; readStored: boolean; idle: number },
  ): Promise<StoredStage> {
    const owned = returning<NonNullable<StoredStage["run"]>>(
      this.db
        .prepare(
          `SELECT llm_calls, queued_ms, outages, paused * pauses AS pause, active_ms, active_since, ${followed("?1")} AS followed,
             ${ownsKeys("?1")} AS owns_keys
           FROM runs WHERE ${OWNED}`,
        )
        .bind(id, epoch),
    );
    const stored = <Row>(table: string) =>
      returning<Row>(
        this.db
          .prepare(`SELECT * FROM ${table} WHERE run_id = ?1 AND stage = ?2 AND generation = ?3`)
          .bind(id, entered.stage, entered.generation),
      );
    // No call is in flight when a stage is entered again: remaining reservations belong to calls that a crash or cancel interrupted.
    const release = this.db.prepare(`UPDATE runs SET ${RELEASE}, awaits_children = 0 WHERE ${OWNED}`).bind(id, epoch);
    const acknowledge = this.db
      .prepare(
        `UPDATE interactions SET acknowledged = 1 WHERE run_id = ?1 AND epoch = ?2 AND status <> 'open' AND acknowledged = 0`,
      )
      .bind(id, epoch);
    const entering = [...(left ? [this.leave(id, epoch, left)] : []), this.enter(id, epoch, entered)];
    if (!readStored) {
      const committed = await this.commits.execute(tenant, { run: owned, entering });
      return { run: committed.run[0] ?? null, artifacts: [], interactions: [] };
    }
    const { run, artifacts, interactions } = await batch(this.db, {
      idle: this.discountIdleTime(id, epoch, idle),
      run: owned,
      artifacts: stored<ArtifactRow>("artifacts"),
      interactions: stored<InteractionRow>("interactions"),
      acknowledge,
      release,
      entering,
    });
    return { run: run.rows[0] ?? null, artifacts: artifacts.rows, interactions: interactions.rows };
  }

  /** Adds to the time that the run's timeout does not count: `idle`, and the time from its last expected heartbeat until now. */
  private discountIdleTime(id: string, epoch: number, idle: number): D1PreparedStatement {
    const silence = "MAX(0, ?3 - MAX(heartbeat_at, active_since))";
    return this.db
      .prepare(
        `UPDATE runs SET queued_ms = queued_ms + ${silence} + ?4, heartbeat_at = MAX(heartbeat_at, ?3)
         WHERE ${OWNED} AND active_since IS NOT NULL`,
      )
      .bind(id, epoch, Date.now(), idle);
  }

  private enter(id: string, epoch: number, { stage, iteration, generation }: StageKey) {
    return this.db
      .prepare(
        `INSERT INTO stages (run_id, stage, iteration, generation, started_at)
         SELECT id, ?3, ?4, ?5, ?6 FROM runs WHERE ${OWNED} ON CONFLICT DO NOTHING`,
      )
      .bind(id, epoch, stage, iteration, generation, Date.now());
  }

  private leave(id: string, epoch: number, { stage, iteration, generation }: StageKey) {
    return this.db
      .prepare(
        `UPDATE stages SET completed_at = ?6 WHERE run_id = ?1 AND stage = ?3 AND iteration = ?4 AND generation = ?5 AND completed_at IS NULL
         AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})`,
      )
      .bind(id, epoch, stage, iteration, generation, Date.now());
  }

  /**
   * Ends the run together with its last stage, its open interactions and its children that have not ended.
   * @returns these children, whether a stream follows the run, and whether a run of the tenant may wait for the slot
   */
  async writeEnd(
    id: string,
    epoch: number,
    end: { phase: "completed"; output: unknown } | { phase: "failed"; error: unknown },
    left: StageKey | null,
  ): Promise<{ canceled: CanceledChild[]; followed: boolean; next_waits: boolean }> {
    const now = Date.now();
    const done = await batch(this.db, {
      ...cancelChildren(this.db, {
        parent: id,
        condition: `EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND epoch = ?3 AND ${NOT_ENDED})`,
        values: [epoch],
        now,
      }),
      stage: left && end.phase === "completed" ? [this.leave(id, epoch, left)] : [],
      questions: this.db
        .prepare(
          `UPDATE interactions SET status = 'canceled', settled_at = ?3 WHERE run_id = ?1 AND status = 'open' AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})`,
        )
        .bind(id, epoch, now),
      run: returning<{ followed: 0 | 1; next_waits: 0 | 1 }>(
        this.db
          .prepare(
            `UPDATE runs SET phase = ?3, output = ?4, error = ?5, finished_at = ?6 WHERE ${OWNED}
           RETURNING ${followed("?1")} AS followed, ${hasWaiting("runs.tenant_id")} AS next_waits`,
          )
          .bind(
            id,
            epoch,
            end.phase,
            end.phase === "completed" ? JSON.stringify(end.output) : null,
            end.phase === "failed" ? JSON.stringify(end.error) : null,
            now,
          ),
      ),
    });
    const [ended] = done.run.rows;
    return {
      canceled: canceledChildren(done),
      followed: ended?.followed === 1,
      next_waits: ended?.next_waits !== 0,
    };
  }
}
