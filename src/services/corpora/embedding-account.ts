import { addUsage, type GatedProvider, type Permit, type Usage } from "#llm";
import { log } from "#core/log";
import { acquirePermit } from "#llm/limits/acquire-permit";
import type { EmbeddingAccount } from "#retrieval/embedder";
import type { Services } from "../services";

/** What vectors of a corpus are asked for. */
export interface VectorWork {
  /** Unlike that of anything else that is done for the corpus at the same time. */
  name: string;
  /** Bound of each request. */
  timeout_ms: number;
  /** Throws when a turn is not waited for any longer. */
  assertMayWait(): Promise<void>;
}

/** Asks for vectors on a corpus's account: in its turn at the provider, as the tenant's, and counted. */
export class CorpusEmbeddingAccount implements EmbeddingAccount {
  private used: Usage | null = null;

  constructor(
    private readonly services: Pick<Services, "store" | "gates">,
    private readonly corpus: { id: string; tenant_id: string },
    private readonly work: VectorWork,
  ) {}

  get id(): string {
    return this.corpus.id;
  }

  acquirePermit(gate: GatedProvider, tokens: number, part: string): Promise<Permit> {
    const { id, tenant_id } = this.corpus;
    const { name, timeout_ms, assertMayWait } = this.work;
    const ticket = { id: `${id}/${name}/${part}`, run: id, tenant: tenant_id, lease_ms: timeout_ms, tokens };
    return acquirePermit(this.services.gates, gate, ticket, assertMayWait);
  }

  spent(usage: Usage): void {
    this.used = this.used ? addUsage(this.used, usage) : usage;
  }

  /** Counts what was used. What cannot be counted is logged: the vectors are paid for and there. */
  async settle(): Promise<void> {
    if (!this.used) return;
    await this.services.store.corpora.recordUsage(this.corpus.id, this.used).catch((error: unknown) => {
      log.error("usage was not counted", { corpus_id: this.corpus.id, tenant_id: this.corpus.tenant_id, error });
    });
  }
}
