/** Capabilities of models, stored as JSON for the LLM layer, which defines their shape. */
export class CapabilityStore {
  constructor(private readonly db: D1Database) {}

  async recall(model: string): Promise<unknown> {
    const row = await this.db
      .prepare("SELECT capabilities FROM model_capabilities WHERE model = ?")
      .bind(model)
      .first<{ capabilities: string }>();
    return row ? JSON.parse(row.capabilities) : null;
  }

  async remember(model: string, capabilities: unknown): Promise<void> {
    await this.db
      .prepare("INSERT OR REPLACE INTO model_capabilities (model, capabilities, learnt_at) VALUES (?, ?, ?)")
      .bind(model, JSON.stringify(capabilities), Date.now())
      .run();
  }
}
