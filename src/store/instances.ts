import type { ProviderOutage } from "#core/provider-outages";
import { hasWaiting } from "./queue";
import type { RepeatableCommits } from "./group-commit";
import { listeners as listenersSql, type Listener } from "./listeners";
import type { ArtifactRow, InteractionRow, LastFailure, RunRow } from "./rows";
import { type CanceledChild, canceledChildren, cancelChildren } from "./children";
import { ALIVE, followed, OWNED, ownsKeys, RELEASE } from "./run-state";
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

/** The role that used a model; null: an encoder. */
export interface UsedBy {
  role: string | null;
  model: string;
}

/** The stored state of a stage when it is entered. */
export interface StoredStage {
  run: (RunClock & Pick<RunRow, "llm_calls" | "queued_ms" | "outages">) | null;
  artifacts: ArtifactRow[];
  interactions: InteractionRow[];
}

/** A run that its instance begins to play. */
export interface Begun {
  row: RunRow;
  isFirst: boolean;
  followed: boolean;
  owns_keys: boolean;
  listeners: Listener[];
  /** JSON. */
  parent_limits: string | null;
}

export interface Reserved {
  share: number;
  parent_share: number;
}

/**
 * Why a reservation does not fit: within the run's limits, or within its parent's. `parent_is_busy`: it would fit once other calls have
 * given back what they reserved.
 */
export type Refusal = "exceeded" | "exceeded_by_parent" | "parent_is_busy" | "gone";

/** Each limit with the columns that count towards it. */
const USED = {
  max_llm_calls: ["llm_calls"],
  max_tokens: ["input_tokens", "output_tokens"],
  max_cost_usd: ["cost_usd"],
};
const USED_AND_RESERVED = {
  max_llm_calls: [...USED.max_llm_calls, "reserved_calls"],
  max_tokens: [...USED.max_tokens, "reserved_tokens"],
  max_cost_usd: [...USED.max_cost_usd, "reserved_cost_usd"],
};
/** The parameters of a statement that hold the calls, tokens and cost of a request. */
const WANTED = { max_llm_calls: "?3", max_tokens: "?4", max_cost_usd: "?5" };

type Limit = keyof typeof USED;
const LIMITS = Object.keys(USED) as Limit[];

/** SQL of what a run and its children have in columns, added up. */
const inTree = (run: string, columns: readonly string[]) => {
  const sum = columns.map((column) => `COALESCE(${column}, 0)`).join(" + ");
  const own = columns.map((column) => `COALESCE(${run}.${column}, 0)`).join(" + ");
  return `${own} + COALESCE((SELECT ${sum} FROM run_trees t WHERE t.run_id = ${run}.id), 0)`;
};

const limitOf = (run: string, limit: Limit) => `(${run}.limits ->> '$.${limit}')`;

/** SQL: the request fits into a run's limits. */
const fits = (run: string, counted: Record<Limit, readonly string[]>) =>
  `(${LIMITS.map(
    (limit) =>
      `(${limitOf(run, limit)} IS NULL OR ${inTree(run, counted[limit])} + ${WANTED[limit]} <= ${limitOf(run, limit)})`,
  ).join(" AND ")})`;

/** SQL: the used part of a run's tightest limit. @param requests how many requests are not counted yet, 0 or 1 */
const share = (run: string, requests: 0 | 1) =>
  `MAX(${LIMITS.map(
    (limit) =>
      `COALESCE(1.0 * (${inTree(run, USED_AND_RESERVED[limit])}${requests ? ` + ${WANTED[limit]}` : ""}) / ${limitOf(run, limit)}, 0)`,
  ).join(", ")})`;

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
   * this call has started it. Later ones are no sign of life: the time before them is no part of the run's timeout (`enterStage`).
   */
  async markStarted(id: string, epoch: number): Promise<Begun | null> {
    const now = Date.now();
    const [runs, listening, parents] = await this.db.batch<any>([
      this.db
        .prepare(
          `UPDATE runs SET phase = 'running', started_at = COALESCE(started_at, ?3),
             heartbeat_at = CASE WHEN started_at IS NULL THEN ?3 ELSE heartbeat_at END
           WHERE ${OWNED} RETURNING *, ${followed("?1")} AS followed, ${ownsKeys("?1")} AS owns_keys`,
        )
        .bind(id, epoch, now),
      this.db.prepare(listenersSql({ tenant_id: ofRun("tenant_id"), mode: ofRun("mode") })).bind(id),
      this.db.prepare(`SELECT limits FROM runs WHERE id = ${ofRun("parent_id")}`).bind(id),
    ]);
    const found = runs!.results[0] as (RunRow & Pick<RunClock, "followed" | "owns_keys">) | undefined;
    if (!found) return null;
    const { followed: isFollowed, owns_keys, ...row } = found;
    // Endpoints of the tenant get no events of children (migration 0022).
    const listeners = row.parent_id === null ? listening!.results : [];
    const parent_limits = parents!.results[0]?.limits ?? null;
    const known = { followed: isFollowed === 1, owns_keys: owns_keys === 1 };
    return { row, isFirst: row.started_at === now, ...known, listeners, parent_limits };
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

  /**
   * Reserves calls, tokens and cost if the limits of the run and of its parent allow it; what children use and reserve counts. `share` is
   * the used part of the tightest limit afterwards, 0 to 1; `parent_share` the parent's.
   */
  async reserve(id: string, epoch: number, want: Reservation): Promise<Reserved | Refusal> {
    const values = [id, epoch, want.calls, want.tokens, want.cost_usd];
    const row = await this.db
      .prepare(
        `UPDATE runs SET reserved_calls = reserved_calls + ?3, reserved_tokens = reserved_tokens + ?4, reserved_cost_usd = reserved_cost_usd + ?5
         WHERE ${OWNED} AND ${fits("runs", USED_AND_RESERVED)}
           AND (parent_id IS NULL OR EXISTS (SELECT 1 FROM runs p WHERE p.id = runs.parent_id AND ${fits("p", USED_AND_RESERVED)}))
         RETURNING ${share("runs", 0)} AS share,
           COALESCE((SELECT ${share("p", 1)} FROM runs p WHERE p.id = runs.parent_id), 0) AS parent_share`,
      )
      .bind(...values)
      .first<Reserved>();
    return row ?? this.refusal(values);
  }

  /** Why a reservation was refused. */
  private async refusal(values: readonly unknown[]): Promise<Refusal> {
    const row = await this.db
      .prepare(
        `SELECT ${fits("r", USED_AND_RESERVED)} AS own, COALESCE((SELECT ${fits("p", USED)} FROM runs p WHERE p.id = r.parent_id), 1) AS parent
         FROM runs r WHERE r.id = ?1 AND r.epoch = ?2 AND r.${ALIVE}`,
      )
      .bind(...values)
      .first<{ own: 0 | 1; parent: 0 | 1 }>();
    if (!row) return "gone";
    if (!row.own) return "exceeded";
    return row.parent ? "parent_is_busy" : "exceeded_by_parent";
  }

  /**
   * Releases reservations of calls that ended without an artifact, and adds their usage.
   * @param by null: nothing was used
   * @param quiet milliseconds until the next heartbeat is expected
   */
  async recordUsage(
    id: string,
    epoch: number,
    { used, by, released, quiet }: { used: RecordedUsage; by: UsedBy | null; released: Reservation; quiet: number },
  ): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET llm_calls = llm_calls + ?3, input_tokens = input_tokens + ?4, cached_input_tokens = cached_input_tokens + ?5,
           output_tokens = output_tokens + ?6, cost_usd = CASE WHEN ?7 IS NULL THEN cost_usd ELSE COALESCE(cost_usd, 0) + ?7 END,
           reserved_calls = reserved_calls - ?8, reserved_tokens = reserved_tokens - ?9, reserved_cost_usd = reserved_cost_usd - ?10,
           heartbeat_at = ?11, used_role = ?12, used_model = ?13, used_priced = ?7 IS NOT NULL
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
        by && by.role,
        by && by.model,
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

  /** The same for a limit of the run's parent. */
  async warnParentOfBudget(id: string, epoch: number): Promise<void> {
    await this.db
      .prepare(
        `UPDATE runs SET budget_warned = epoch WHERE id = (SELECT parent_id FROM runs WHERE ${OWNED}) AND ${ALIVE} AND budget_warned < epoch`,
      )
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
    { id, tenant, epoch }: { id: string; tenant: string; epoch: number },
    {
      left,
      entered,
      readStored,
      idle,
    }: { left: StageKey | null; entered: StageKey; readStored: boolean; idle: number },
  ): Promise<StoredStage> {
    const owned = this.db
      .prepare(
        `SELECT llm_calls, queued_ms, outages, paused * pauses AS pause, active_ms, active_since, ${followed("?1")} AS followed,
           ${ownsKeys("?1")} AS owns_keys
         FROM runs WHERE ${OWNED}`,
      )
      .bind(id, epoch);
    const stored = (table: string) =>
      this.db
        .prepare(`SELECT * FROM ${table} WHERE run_id = ?1 AND stage = ?2 AND generation = ?3`)
        .bind(id, entered.stage, entered.generation);
    // No call is in flight when a stage is entered again: remaining reservations belong to calls that a crash or cancel interrupted.
    const release = this.db.prepare(`UPDATE runs SET ${RELEASE}, awaits_children = 0 WHERE ${OWNED}`).bind(id, epoch);
    const acknowledge = this.db
      .prepare(
        `UPDATE interactions SET acknowledged = 1 WHERE run_id = ?1 AND epoch = ?2 AND status <> 'open' AND acknowledged = 0`,
      )
      .bind(id, epoch);
    const entering = [...(left ? [this.leave(id, epoch, left)] : []), this.enter(id, epoch, entered)];
    if (!readStored) {
      const [runs] = await this.commits.execute<NonNullable<StoredStage["run"]>>(tenant, [owned, ...entering]);
      return { run: runs![0] ?? null, artifacts: [], interactions: [] };
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
    const results = await this.db.batch<any>([
      ...cancelChildren(this.db, {
        parent: id,
        condition: `EXISTS (SELECT 1 FROM runs WHERE id = ?1 AND epoch = ?3 AND ${ALIVE})`,
        values: [epoch],
        now,
      }),
      ...(left && end.phase === "completed" ? [this.leave(id, epoch, left)] : []),
      this.db
        .prepare(
          `UPDATE interactions SET status = 'canceled', settled_at = ?3 WHERE run_id = ?1 AND status = 'open' AND EXISTS (SELECT 1 FROM runs WHERE ${OWNED})`,
        )
        .bind(id, epoch, now),
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
    ]);
    const ended = results.at(-1)!.results[0];
    return {
      canceled: canceledChildren(results),
      followed: ended?.followed === 1,
      next_waits: ended?.next_waits !== 0,
    };
  }
}
