import type { Returning } from "./batch";
import type { RunArchives } from "./archive/archives";
import type { ContentStore, StoredContent } from "./contents";
import type { RepeatableCommits } from "./group-commit";
import type { RunClock } from "./instances";
import type { RecordedUsage, Reservation } from "./reservations";
import { toPage } from "./page";
import type { ArtifactRow } from "./rows";
import { followed, OWNED, ownsKeys } from "./run-state";
import type { Page } from "#core/page";

export interface NewArtifact {
  id: string;
  step: string;
  generation: number;
  kind: string;
  subject: string;
  iteration: number;
  stage: string;
  action: string;
  role: string;
  sent_from: string;
  send_to: readonly string[];
  inputs: readonly string[];
  media_type: string;
  content: string;
  model: string | null;
  output_mode: string | null;
  /** Those that were sent. */
  parameters: unknown;
  dropped_parameters: unknown;
  response_model: string | null;
  prompt_hash: string | null;
  repairs: number;
  tries: number;
  usage: RecordedUsage;
  released: Reservation;
  duration_ms: number;
  /** Of an agent's result in a generated program: the step of the execution that called it, and whether the agent succeeded. */
  outcome: { execution: string; ok: boolean } | null;
}

/** The run's pause and clock after a commit, and the sequence number of an agent's result. */
export type Commitment = RunClock & { completed_seq: number | null };

/** Everything but the content. */
export type ArtifactMetadata = Omit<ArtifactRow, "content" | "content_key">;

const METADATA = `id, run_id, step, generation, epoch, kind, subject, version, iteration, stage, action, role, sent_from, send_to, inputs, media_type,
  size, sha256, model, output_mode, parameters, dropped_parameters, response_model, prompt_hash, repairs, tries, llm_calls, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens, cost_usd, duration_ms, created_at,
  execution, completed_seq, ok, code_version`;

export class ArtifactStore {
  /** By the names of the columns: the text is long, and is made once. */
  private readonly statements = new Map<string, string>();

  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
    private readonly archives: RunArchives,
    private readonly commits: RepeatableCommits,
  ) {}

  /**
   * Commits artifacts in one transaction. The statement of an artifact also writes its event, the heartbeat and the usage (triggers); executed
   * again, it meets its own row and writes nothing.
   * @returns null in the place of a refused artifact: the run is not the instance's any more, the step has an artifact already, or an
   *   input is not stored
   */
  async commit(
    run: { id: string; tenant: string; epoch: number; code_version: string },
    artifacts: readonly NewArtifact[],
  ): Promise<(Commitment | null)[]> {
    const contents = await Promise.all(
      artifacts.map(({ id, content }) => this.contents.put(`${run.tenant}/${run.id}/${id}`, content)),
    );
    const inserts = artifacts.map((artifact, at) => this.insert(run, artifact, contents[at]!));
    const committed = await this.commits.execute(run.tenant, { inserts });
    return committed.inserts.map(([row]) => row ?? null);
  }

  private insert(
    run: { id: string; epoch: number; code_version: string },
    artifact: NewArtifact,
    stored: StoredContent,
  ): Returning<Commitment> {
    const {
      send_to,
      inputs,
      parameters,
      dropped_parameters,
      content: _,
      usage,
      released,
      outcome,
      ...plain
    } = artifact;
    const columns = {
      run_id: run.id, // ?1
      epoch: run.epoch, // ?2
      ...plain,
      ...stored,
      ...usage,
      send_to: JSON.stringify(send_to),
      inputs: JSON.stringify(inputs),
      parameters: parameters === null ? null : JSON.stringify(parameters),
      dropped_parameters: dropped_parameters === null ? null : JSON.stringify(dropped_parameters),
      released_calls: released.calls,
      released_tokens: released.tokens,
      released_cost_usd: released.cost_usd,
      execution: outcome?.execution ?? null,
      ok: outcome ? (outcome.ok ? 1 : 0) : null,
      code_version: run.code_version,
      created_at: Date.now(),
    } satisfies Omit<ArtifactRow, "version" | "completed_seq"> & Record<`released_${keyof Reservation}`, number>;
    return this.db.prepare(this.insertSql(Object.keys(columns))).bind(...Object.values(columns));
  }

  /** The statement that inserts these columns, whose values are its parameters. */
  private insertSql(names: readonly string[]): string {
    const key = names.join();
    const known = this.statements.get(key);
    if (known !== undefined) return known;
    const at = (name: keyof NewArtifact | "execution") => `?${names.indexOf(name) + 1}`;
    const sql = `INSERT INTO artifacts (${names.join(", ")}, version, completed_seq)
         SELECT ${names.map((_name, index) => `?${index + 1}`).join(", ")},
           (SELECT COALESCE(MAX(version), 0) + 1 FROM artifacts WHERE run_id = ?1 AND kind = ${at("kind")} AND subject = ${at("subject")}),
           CASE WHEN ${at("execution")} IS NOT NULL THEN (SELECT COALESCE(MAX(completed_seq), 0) + 1 FROM artifacts
             WHERE run_id = ?1 AND generation = ${at("generation")} AND execution = ${at("execution")}) END
         FROM runs WHERE ${OWNED} AND NOT EXISTS (
           SELECT 1 FROM json_each(${at("inputs")}) AS input WHERE NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.id = input.value))
         ON CONFLICT DO NOTHING
         RETURNING completed_seq, (SELECT paused * pauses FROM runs WHERE id = ?1) AS pause,
           (SELECT active_ms FROM runs WHERE id = ?1) AS active_ms, (SELECT active_since FROM runs WHERE id = ?1) AS active_since,
           ${followed("?1")} AS followed, ${ownsKeys("?1")} AS owns_keys`;
    this.statements.set(key, sql);
    return sql;
  }

  async ofStep(run: string, step: string, generation: number): Promise<ArtifactRow | null> {
    return this.db
      .prepare("SELECT * FROM artifacts WHERE run_id = ? AND step = ? AND generation = ?")
      .bind(run, step, generation)
      .first<ArtifactRow>();
  }

  content(row: Pick<ArtifactRow, "content" | "content_key">): Promise<string> {
    return this.contents.get(row);
  }

  /** Oldest first. @param after id of the last artifact of the page before */
  async list(
    run: string,
    filter: { kind?: string; stage?: string; role?: string },
    limit: number,
    after: string | null,
  ): Promise<Page<ArtifactMetadata>> {
    const { kind, stage, role } = filter;
    const stored = this.db
      .prepare(
        `SELECT ${METADATA} FROM artifacts WHERE run_id = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR stage = ?3)
         AND (?4 IS NULL OR role = ?4) AND (?5 IS NULL OR id > ?5) ORDER BY id LIMIT ?6`,
      )
      .bind(run, kind ?? null, stage ?? null, role ?? null, after, limit + 1);
    const rows = await this.archives.rows<"artifacts", ArtifactMetadata>(run, "artifacts", stored, (artifacts) =>
      artifacts
        .filter(
          (row) =>
            (kind ?? row.kind) === row.kind &&
            (stage ?? row.stage) === row.stage &&
            (role ?? row.role) === row.role &&
            row.id > (after ?? ""),
        )
        .slice(0, limit + 1),
    );
    return toPage(rows, limit, (row) => row.id);
  }

  async get(run: string, id: string): Promise<ArtifactRow | null> {
    return (await this.getMany(run, [id]))[0] ?? null;
  }

  async getMany(run: string, ids: readonly string[]): Promise<ArtifactRow[]> {
    const stored = this.db
      .prepare("SELECT * FROM artifacts WHERE run_id = ? AND id IN (SELECT value FROM json_each(?))")
      .bind(run, JSON.stringify(ids));
    return this.archives.rows(run, "artifacts", stored, (artifacts) => artifacts.filter(({ id }) => ids.includes(id)));
  }

  /** The newest artifacts of some kinds that were made before another artifact of the run, oldest first. */
  async earlier(run: string, before: string, kinds: readonly string[], limit: number): Promise<ArtifactRow[]> {
    const stored = this.db
      .prepare(
        `SELECT * FROM artifacts WHERE run_id = ?1 AND id < ?2 AND kind IN (SELECT value FROM json_each(?3)) ORDER BY id DESC LIMIT ?4`,
      )
      .bind(run, before, JSON.stringify(kinds), limit);
    const newestFirst = await this.archives.rows(run, "artifacts", stored, (artifacts) =>
      artifacts
        .filter(({ id, kind }) => id < before && kinds.includes(kind))
        .toReversed()
        .slice(0, limit),
    );
    return newestFirst.toReversed();
  }

  /** All artifacts of a run for its manifest, oldest first. */
  async provenance(run: string): Promise<ArtifactMetadata[]> {
    const stored = this.db.prepare(`SELECT ${METADATA} FROM artifacts WHERE run_id = ? ORDER BY id`).bind(run);
    return this.archives.rows<"artifacts", ArtifactMetadata>(run, "artifacts", stored, (artifacts) => artifacts);
  }
}
