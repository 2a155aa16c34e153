import type { IdempotencyStore, RequestCompletion } from "./idempotency";
import { boundedPage } from "./bounded-page";
import { bytesOf, type QuotaStore } from "./quotas";
import type { AgentRow } from "./rows";
import type { Owner } from "#core/owner";
import type { Page } from "#core/page";

/** Fields of an agent that callers set. */
export type AgentFields = Omit<AgentRow, "id" | "tenant_id" | "mode" | "created_at" | "updated_at">;

const FIELDS = [
  "name",
  "name_key",
  "description",
  "capabilities",
  "when_to_use",
  "input",
  "output",
  "instructions",
  "tools",
  "mcp_servers",
  "model",
] as const satisfies readonly (keyof AgentFields)[];

/** Bytes that an agent counts in the quota besides these texts. */
const ROW_BYTES = 1000;

const bytesOfTexts = ({ instructions, mcp_servers }: Pick<AgentRow, "instructions" | "mcp_servers">): number =>
  bytesOf(instructions) + bytesOf(mcp_servers);

/** The worker agents of tenants. A name is unique for its owner. */
export class AgentStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /** `taken`: the owner has an agent with this name; `full`: it has `most` agents. @throws QuotaExceededError */
  async create(row: AgentRow, most: number, completion?: RequestCompletion): Promise<AgentRow | "taken" | "full"> {
    const insert = this.db
      .prepare(
        `INSERT INTO agents (tenant_id, mode, id, created_at, updated_at, ${FIELDS.join(", ")})
         SELECT ?1, ?2, ?3, ?4, ?5, ${FIELDS.map((_, index) => `?${index + 7}`).join(", ")}
         WHERE (SELECT COUNT(*) FROM agents WHERE tenant_id = ?1 AND mode = ?2) < ?6
         ON CONFLICT (tenant_id, mode, name_key) DO NOTHING RETURNING *`,
      )
      .bind(
        row.tenant_id,
        row.mode,
        row.id,
        row.created_at,
        row.updated_at,
        most,
        ...FIELDS.map((field) => row[field]),
      );
    const quota = { tenant: row.tenant_id, needs: { stored_bytes: ROW_BYTES + bytesOfTexts(row) } };
    const [created] = (await this.idempotency.write<AgentRow>(insert, completion, quota)).rows;
    if (created) return created;
    const namesake = await this.db
      .prepare("SELECT 1 FROM agents WHERE tenant_id = ? AND mode = ? AND name_key = ?")
      .bind(row.tenant_id, row.mode, row.name_key)
      .first();
    return namesake ? "taken" : "full";
  }

  async get({ tenant_id, mode }: Owner, id: string): Promise<AgentRow | null> {
    return this.db
      .prepare("SELECT * FROM agents WHERE id = ? AND tenant_id = ? AND mode = ?")
      .bind(id, tenant_id, mode)
      .first<AgentRow>();
  }

  /** Newest first. */
  async list({ tenant_id, mode }: Owner, limit: number, after: string | null): Promise<Page<AgentRow>> {
    const where = "tenant_id = ?1 AND mode = ?2 AND (?3 IS NULL OR id < ?3)";
    const long = ["description", "capabilities", "when_to_use", "input", "output", "instructions", "mcp_servers"];
    return boundedPage(this.db, { table: "agents", long, where, values: [tenant_id, mode, after] }, limit);
  }

  /** The owner's agents with these ids, or with null all of them; oldest first. */
  async getMany({ tenant_id, mode }: Owner, ids: readonly string[] | null): Promise<AgentRow[]> {
    const { results } = await this.db
      .prepare(
        "SELECT * FROM agents WHERE tenant_id = ?1 AND mode = ?2 AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3))) ORDER BY id",
      )
      .bind(tenant_id, mode, ids && JSON.stringify(ids))
      .all<AgentRow>();
    return results;
  }

  /** The models that the owner's agents with these ids name, or with null all of them. */
  async models({ tenant_id, mode }: Owner, ids: readonly string[] | null): Promise<string[]> {
    const { results } = await this.db
      .prepare(
        `SELECT DISTINCT model FROM agents WHERE tenant_id = ?1 AND mode = ?2 AND model IS NOT NULL
         AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3)))`,
      )
      .bind(tenant_id, mode, ids && JSON.stringify(ids))
      .all<{ model: string }>();
    return results.map(({ model }) => model);
  }

  /**
   * Updates the given fields.
   * @param before the agent that the change was made for: its MCP servers may hold headers that the change keeps
   * @returns `missing`: the owner has no such agent any more; `taken`: another agent has this name; `changed`: a change of the MCP servers was
   *   made for others than those stored now
   * @throws QuotaExceededError
   */
  async update(
    before: AgentRow,
    change: Partial<AgentFields>,
    completion?: RequestCompletion,
  ): Promise<AgentRow | "missing" | "taken" | "changed"> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const { id, tenant_id, mode } = before;
    const { instructions = before.instructions, mcp_servers = before.mcp_servers } = change;
    const grows = bytesOfTexts({ instructions, mcp_servers }) - bytesOfTexts(before);
    const update = this.db
      .prepare(
        `UPDATE OR IGNORE agents SET updated_at = ?5, ${given.map((field, at) => `${field} = ?${at + 6}`).join(", ")}
         WHERE id = ?1 AND tenant_id = ?2 AND mode = ?3 AND (?4 IS NULL OR mcp_servers = ?4) RETURNING *`,
      )
      .bind(
        id,
        tenant_id,
        mode,
        change.mcp_servers === undefined ? null : before.mcp_servers,
        Date.now(),
        ...given.map((field) => change[field]),
      );
    const quota = grows > 0 ? { tenant: tenant_id, needs: { stored_bytes: grows } } : undefined;
    const [row] = (await this.idempotency.write<AgentRow>(update, completion, quota)).rows;
    if (row) return row;
    const now = await this.get(before, id);
    if (!now) return "missing";
    return change.mcp_servers !== undefined && now.mcp_servers !== before.mcp_servers ? "changed" : "taken";
  }

  /** False when the owner has no such agent. */
  async remove({ tenant_id, mode }: Owner, id: string, completion?: RequestCompletion): Promise<boolean> {
    const remove = this.db
      .prepare("DELETE FROM agents WHERE id = ? AND tenant_id = ? AND mode = ?")
      .bind(id, tenant_id, mode);
    return (await this.idempotency.write(remove, completion)).changes > 0;
  }
}
