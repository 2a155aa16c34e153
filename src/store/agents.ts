import type { IdempotencyStore, Settlement } from "./idempotency";
import { boundedPage } from "./bounded-page";
import type { QuotaStore } from "./quotas";
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

/** The worker agents of tenants. A name is unique for its owner. */
export class AgentStore {
  constructor(
    private readonly db: D1Database,
    private readonly idempotency: IdempotencyStore,
    private readonly quotas: QuotaStore,
  ) {}

  /** `taken`: the owner has an agent with this name; `full`: it has `most` agents. */
  async create(row: AgentRow, most: number, settlement?: Settlement): Promise<AgentRow | "taken" | "full"> {
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
    const quota = { tenant: row.tenant_id, needs: { stored_bytes: row.instructions.length + row.mcp_servers.length } };
    const [created] = (await this.idempotency.write<AgentRow>(insert, settlement, quota)).results;
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

  /** Updates the given fields. `missing`: the owner has no such agent; `taken`: another agent has this name. */
  async update(owner: Owner, id: string, change: Partial<AgentFields>): Promise<AgentRow | "missing" | "taken"> {
    const given = FIELDS.filter((field) => change[field] !== undefined);
    const row = await this.db
      .prepare(
        `UPDATE OR IGNORE agents SET updated_at = ?, ${given.map((field) => `${field} = ?`).join(", ")}
         WHERE id = ? AND tenant_id = ? AND mode = ? RETURNING *`,
      )
      .bind(Date.now(), ...given.map((field) => change[field]), id, owner.tenant_id, owner.mode)
      .first<AgentRow>();
    return row ?? ((await this.get(owner, id)) ? "taken" : "missing");
  }

  /** False when the owner has no such agent. */
  async remove({ tenant_id, mode }: Owner, id: string): Promise<boolean> {
    const { meta } = await this.db
      .prepare("DELETE FROM agents WHERE id = ? AND tenant_id = ? AND mode = ?")
      .bind(id, tenant_id, mode)
      .run();
    return meta.changes > 0;
  }
}
