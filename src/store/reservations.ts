import { NOT_ENDED, OWNED } from "./run-state";

export interface Reservation {
  calls: number;
  tokens: number;
  cost_usd: number;
}

export interface RecordedUsage {
  llm_calls: number;
  input_tokens: number;
  cached_input_tokens: number;
  reasoning_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
}

/** The role that used a model; null: an encoder. */
export interface UsedBy {
  role: string | null;
  model: string;
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

/** Reservations and usage of a run's calls, within its limits. Each write requires that the run is at the instance's epoch and has not ended. */
export class ReservationStore {
  constructor(private readonly db: D1Database) {}

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
         FROM runs r WHERE r.id = ?1 AND r.epoch = ?2 AND r.${NOT_ENDED}`,
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
           heartbeat_at = ?11, used_role = ?12, used_model = ?13, used_priced = ?7 IS NOT NULL, reasoning_tokens = reasoning_tokens + ?14
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
        used.reasoning_tokens,
      )
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
        `UPDATE runs SET budget_warned = epoch WHERE id = (SELECT parent_id FROM runs WHERE ${OWNED}) AND ${NOT_ENDED} AND budget_warned < epoch`,
      )
      .bind(id, epoch)
      .run();
  }
}
