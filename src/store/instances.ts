import type { ProviderOutage } from "#core/provider-outages";
import { listeners, type Listener } from "./listeners";
import type { ArtifactRow, InteractionRow, LastFailure, RunRow } from "./rows";
import { OWNED, RELEASE } from "./run-state";
import type { StageKey } from "./stages";

/** The run's pause and active time, which its instance reads with each write. */
export interface RunClock {
  /** Number of the current pause; 0 when the run is not paused. */
  pause: number;
  active_ms: number;
  active_since: number | null;
}

export interface Reservation {
  calls: number;
  tokens: number;
  cost_usd: number;
}

export interface RecordedUsage {
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
}

/** The stored state of a stage when it is entered. */
export interface StoredStage {
  run: (RunClock & Pick<RunRow, "llm_calls" | "queued_ms" | "outages">) | null;
  artifacts: ArtifactRow[];
  interactions: InteractionRow[];
}

/** SQL of a column of run ?1. */
const ofRun = (column: string) => `(SELECT ${column} FROM runs WHERE id = ?1)`;

/** Reads and writes of an instance for its run. Each write requires that the run is at the instance's epoch and has not ended. */
export class InstanceStore {
  constructor(private readonly db: D1Database) {}

  /** Marks the run as started; returns it with its listeners, or null when the instance is superseded. */
  async markStarted(id: string, epoch: number): Promise<{ row: RunRow; listeners: Listener[] } | null> {
    const [runs, listening] = await this.db.batch<any>([
      this.db
        .prepare(
          `UPDATE runs SET phase = 'running', started_at = COALESCE(started_at, ?3), heartbeat_at = ?3 WHERE ${OWNED} RETURNING *`,
        )
        .bind(id, epoch, Date.now()),
      this.db.prepare(listeners({ tenant_id: ofRun("tenant_id"), mode: ofRun("mode") })).bind(id),
    ]);
    const row = runs!.results[0] as RunRow | undefined;
    return row ? { row, listeners: listening!.results } : null;
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
         RETURNING paused * pauses AS pause, active_ms, active_since`,
      )
      .bind(id, epoch, Date.now() + quiet, queued)
      .first<RunClock>();
  }

  /** Reserves calls, tokens and cost if the run's limits allow it. `share` is the used part of the tightest limit afterwards, 0 to 1. */
  async reserve(id: string, epoch: number, want: Reservation): Promise<{ share: number } | "exceeded" | "gone"> {
    const row = await this.db
      .prepare(
        `UPDATE runs SET reserved_calls = reserved_calls + ?3, reserved_tokens = reserved_tokens + ?4, reserved_cost_usd = reserved_cost_usd + ?5
         WHERE ${OWNED}
           AND (limits ->> '$.max_llm_calls' IS NULL OR llm_calls + reserved_calls + ?3 <= limits ->> '$.max_llm_calls')
           AND (limits ->> '$.max_tokens' IS NULL OR input_tokens + output_tokens + reserved_tokens + ?4 <= limits ->> '$.max_tokens')
           AND (limits ->> '$.max_cost_usd' IS NULL OR COALESCE(cost_usd, 0) + reserved_cost_usd + ?5 <= limits ->> '$.max_cost_usd')
         RETURNING MAX(
           COALESCE(1.0 * (llm_calls + reserved_calls) / (limits ->> '$.max_llm_calls'), 0),
           COALESCE(1.0 * (input_tokens + output_tokens + reserved_tokens) / (limits ->> '$.max_tokens'), 0),
           COALESCE((COALESCE(cost_usd, 0) + reserved_cost_usd) / (limits ->> '$.max_cost_usd'), 0)) AS share`,
      )
      .bind(id, epoch, want.calls, want.tokens, want.cost_usd)
      .first<{ share: number }>();
    if (row) return row;
    return (await this.getOwned(id, epoch)) ? "exceeded" : "gone";
  }

  /**
   * Releases reservations of calls that ended without an artifact, and adds their usage.
   * @param quiet milliseconds until the next heartbeat is expected
   */
  async recordUsage(
    id: string,
    epoch: number,
    { used, released, quiet }: { used: RecordedUsage; released: Reservation; quiet: number },
  ): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET llm_calls = llm_calls + ?3, input_tokens = input_tokens + ?4, cached_input_tokens = cached_input_tokens + ?5,
           output_tokens = output_tokens + ?6, cost_usd = CASE WHEN ?7 IS NULL THEN cost_usd ELSE COALESCE(cost_usd, 0) + ?7 END,
           reserved_calls = reserved_calls - ?8, reserved_tokens = reserved_tokens - ?9, reserved_cost_usd = reserved_cost_usd - ?10,
           heartbeat_at = ?11
         WHERE ${OWNED}`,
      )
      .bind(
        id,
        epoch,
        used.llm_calls,
        used.input_tokens,
        used.cached_input_tokens,
        used.output_tokens,
        used.cost_usd,
        released.calls,
        released.tokens,
        released.cost_usd,
        Date.now() + quiet,
      )
      .run();
  }

  /** Records the last failure of an act. Not a heartbeat: a run whose acts keep failing makes no progress. */
  async recordLastFailure(id: string, epoch: number, failure: LastFailure): Promise<void> {
    await this.db.prepare(`UPDATE runs SET trouble = ?3 WHERE ${OWNED}`).bind(id, epoch, JSON.stringify(failure)).run();
  }

  /** Records that a model fails, or (null) that it answers again; triggers write the events of an outage's beginning and end. */
  async recordOutage(id: string, epoch: number, model: string, outage: ProviderOutage | null): Promise<void> {
    await this.db
      .prepare(`UPDATE runs SET outages = json_patch(outages, ?3) WHERE ${OWNED}`)
      .bind(id, epoch, JSON.stringify({ [model]: outage }))
      .run();
  }

  /** Records that a limit is nearly reached; a trigger writes the event, at most once per epoch. */
  async warnOfBudget(id: string, epoch: number): Promise<void> {
    await this.db
      .prepare(`UPDATE runs SET budget_warned = epoch WHERE ${OWNED} AND budget_warned < epoch`)
      .bind(id, epoch)
      .run();
  }

  /**
   * Records the exit from one stage and the entry into the next; idempotent. With `readStored`, also reads the stored state of the stage in
   * the same round trip and acknowledges its settled interactions. `run` is null when the instance is superseded.
   * @param change.idle milliseconds that the run has waited since its last visit; they, and the time since its last sign of life, when
   *   nothing played it, are no part of its timeout
   */
  async enterStage(
    id: string,
    epoch: number,
    {
      left,
      entered,
      readStored,
      idle,
    }: { left: StageKey | null; entered: StageKey; readStored: boolean; idle: number },
  ): Promise<StoredStage> {
    const owned = this.db
      .prepare(
        `SELECT llm_calls, queued_ms, outages, paused * pauses AS pause, active_ms, active_since FROM runs WHERE ${OWNED}`,
      )
      .bind(id, epoch);
    const stored = (table: string) =>
      this.db
        .prepare(`SELECT * FROM ${table} WHERE run_id = ?1 AND stage = ?2 AND generation = ?3`)
        .bind(id, entered.stage, entered.generation);
    // No call is in flight when a stage is entered again: remaining reservations belong to calls that a crash or cancel interrupted.
    const release = this.db.prepare(`UPDATE runs SET ${RELEASE} WHERE ${OWNED}`).bind(id, epoch);
    const acknowledge = this.db
      .prepare(
        `UPDATE interactions SET acknowledged = 1 WHERE run_id = ?1 AND epoch = ?2 AND status <> 'open' AND acknowledged = 0`,
      )
      .bind(id, epoch);
    const entering = [...(left ? [this.leave(id, epoch, left)] : []), this.enter(id, epoch, entered)];
    if (!readStored) {
      const [runs] = await this.db.batch<any>([owned, ...entering]);
      return { run: (runs!.results[0] as StoredStage["run"] | undefined) ?? null, artifacts: [], interactions: [] };
    }
    const [, runs, artifacts, interactions] = await this.db.batch<any>([
      this.discountIdleTime(id, epoch, idle),
      owned,
      stored("artifacts"),
      stored("interactions"),
      acknowledge,
      release,
      ...entering,
    ]);
    return {
      run: (runs!.results[0] as StoredStage["run"] | undefined) ?? null,
      artifacts: artifacts!.results as ArtifactRow[],
      interactions: interactions!.results as InteractionRow[],
    };
  }

  /** Adds to the time that the run's timeout does not count: `idle`, and the time from its last expected sign of life until now. */
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

  /** Ends the run together with its last stage and its open interactions. */
  async writeEnd(
    id: string,
    epoch: number,
    end: { phase: "completed"; output: unknown } | { phase: "failed"; error: unknown },
    left: StageKey | null,
  ): Promise<void> {
    const now = Date.now();
    await this.db.batch([
      ...(left && end.phase === "completed" ? [this.leave(id, epoch, left)] : []),
      this.db
        .prepare(
          `UPDATE interactions SET status = 'canceled', settled_at = ?3 WHERE run_id = ?1 AND status = 'open' AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})`,
        )
        .bind(id, epoch, now),
      this.db
        .prepare(`UPDATE runs SET phase = ?3, output = ?4, error = ?5, finished_at = ?6 WHERE ${OWNED}`)
        .bind(
          id,
          epoch,
          end.phase,
          end.phase === "completed" ? JSON.stringify(end.output) : null,
          end.phase === "failed" ? JSON.stringify(end.error) : null,
          now,
        ),
    ]);
  }
}
