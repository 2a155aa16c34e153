import type { ContentStore, StoredContent } from "./contents";
import type { Reservation, RunClock, SpentUsage } from "./instances";
import { type ArtifactRow, toPage } from "./rows";
import { MINE } from "./run-state";
import type { Page } from "#core/page";

export interface NewArtifact {
  id: string;
  act: string;
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
  rung: string | null;
  parameters: unknown;
  prompt_hash: string | null;
  repairs: number;
  usage: SpentUsage;
  released: Reservation;
  duration_ms: number;
  /** Of an agent's outcome in a generated program: which execution called it, and whether it gave a result. */
  outcome: { execution: string; ok: boolean } | null;
}

/** What a commit says of the run, and of the row that it wrote. */
export type Commitment = RunClock & { completed_seq: number | null };

/** What the list shows: everything but the content. */
export type ArtifactMetadata = Omit<ArtifactRow, "content" | "content_key">;

const METADATA = `id, run_id, act, generation, epoch, kind, subject, version, iteration, stage, action, role, sent_from, send_to, inputs, media_type,
  size, sha256, model, rung, parameters, prompt_hash, repairs, llm_calls, input_tokens, cached_input_tokens, output_tokens, cost_usd, duration_ms, created_at,
  execution, completed_seq, ok, code_version`;

export class ArtifactStore {
  constructor(
    private readonly db: D1Database,
    private readonly contents: ContentStore,
  ) {}

  /**
   * Commits artifacts in one transaction, each with its event, heartbeat and usage in one statement. Null: it was not written, because
   * the run is not the instance's any more, because the act has its artifact already, or because one that it was made from is not there.
   */
  async commit(
    run: { id: string; tenant: string; epoch: number; code_version: string },
    artifacts: readonly NewArtifact[],
  ): Promise<(Commitment | null)[]> {
    const contents = await Promise.all(
      artifacts.map(({ id, content }) => this.contents.put(`${run.tenant}/${run.id}/${id}`, content)),
    );
    const inserts = artifacts.map((artifact, at) => this.insert(run, artifact, contents[at]!));
    return (await this.db.batch<Commitment>(inserts)).map(({ results }) => results[0] ?? null);
  }

  private insert(
    run: { id: string; epoch: number; code_version: string },
    artifact: NewArtifact,
    stored: StoredContent,
  ): D1PreparedStatement {
    const { usage, released } = artifact;
    return this.db
      .prepare(
        `INSERT INTO artifacts (run_id, epoch, id, act, generation, kind, subject, version, iteration, stage, action, role, sent_from, send_to, inputs,
           media_type, content, content_key, size, sha256, model, rung, parameters, prompt_hash, repairs, llm_calls, input_tokens,
           cached_input_tokens, output_tokens, cost_usd, released_calls, released_tokens, released_cost_usd, duration_ms, created_at,
           execution, ok, completed_seq, code_version)
         SELECT id, ?2, ?3, ?4, ?5, ?6, ?7,
           (SELECT COALESCE(MAX(version), 0) + 1 FROM artifacts WHERE run_id = ?1 AND kind = ?6 AND subject = ?7),
           ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34,
           ?35, ?36, CASE WHEN ?35 IS NOT NULL
             THEN (SELECT COALESCE(MAX(completed_seq), 0) + 1 FROM artifacts WHERE run_id = ?1 AND generation = ?5 AND execution = ?35) END, ?37
         FROM runs WHERE ${MINE} AND NOT EXISTS (
           SELECT 1 FROM json_each(?14) AS input WHERE NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.id = input.value))
         ON CONFLICT DO NOTHING
         RETURNING completed_seq, (SELECT paused * pauses FROM runs WHERE id = ?1) AS pause,
           (SELECT active_ms FROM runs WHERE id = ?1) AS active_ms, (SELECT active_since FROM runs WHERE id = ?1) AS active_since`,
      )
      .bind(
        run.id,
        run.epoch,
        artifact.id,
        artifact.act,
        artifact.generation,
        artifact.kind,
        artifact.subject,
        artifact.iteration,
        artifact.stage,
        artifact.action,
        artifact.role,
        artifact.sent_from,
        JSON.stringify(artifact.send_to),
        JSON.stringify(artifact.inputs),
        artifact.media_type,
        stored.content,
        stored.content_key,
        stored.size,
        stored.sha256,
        artifact.model,
        artifact.rung,
        artifact.parameters === null ? null : JSON.stringify(artifact.parameters),
        artifact.prompt_hash,
        artifact.repairs,
        usage.llm_calls,
        usage.input_tokens,
        usage.cached_input_tokens,
        usage.output_tokens,
        usage.cost_usd,
        released.calls,
        released.tokens,
        released.cost_usd,
        artifact.duration_ms,
        Date.now(),
        artifact.outcome?.execution ?? null,
        artifact.outcome ? Number(artifact.outcome.ok) : null,
        run.code_version,
      );
  }

  async ofAct(run: string, act: string, generation: number): Promise<ArtifactRow | null> {
    return this.db
      .prepare("SELECT * FROM artifacts WHERE run_id = ? AND act = ? AND generation = ?")
      .bind(run, act, generation)
      .first<ArtifactRow>();
  }

  content(row: Pick<ArtifactRow, "content" | "content_key">): Promise<string> {
    return this.contents.get(row);
  }

  /** In order of creation; `after` is the id to continue behind. */
  async list(
    run: string,
    filter: { kind?: string; stage?: string; role?: string },
    limit: number,
    after: string | null,
  ): Promise<Page<ArtifactMetadata>> {
    const { results } = await this.db
      .prepare(
        `SELECT ${METADATA} FROM artifacts WHERE run_id = ?1 AND (?2 IS NULL OR kind = ?2) AND (?3 IS NULL OR stage = ?3)
         AND (?4 IS NULL OR role = ?4) AND (?5 IS NULL OR id > ?5) ORDER BY id LIMIT ?6`,
      )
      .bind(run, filter.kind ?? null, filter.stage ?? null, filter.role ?? null, after, limit + 1)
      .all<ArtifactMetadata>();
    return toPage(results, limit, (row) => row.id);
  }

  async get(run: string, id: string): Promise<ArtifactRow | null> {
    return this.db.prepare("SELECT * FROM artifacts WHERE run_id = ? AND id = ?").bind(run, id).first<ArtifactRow>();
  }

  async getMany(run: string, ids: readonly string[]): Promise<ArtifactRow[]> {
    const { results } = await this.db
      .prepare("SELECT * FROM artifacts WHERE run_id = ? AND id IN (SELECT value FROM json_each(?))")
      .bind(run, JSON.stringify(ids))
      .all<ArtifactRow>();
    return results;
  }

  /** What the manifest is made from: every artifact's provenance, oldest first. */
  async provenance(run: string): Promise<ArtifactMetadata[]> {
    const { results } = await this.db
      .prepare(`SELECT ${METADATA} FROM artifacts WHERE run_id = ? ORDER BY id`)
      .bind(run)
      .all<ArtifactMetadata>();
    return results;
  }
}
