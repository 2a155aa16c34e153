import { addUsage, type GatedProvider, type Permit, type Usage } from "#llm";
import { log } from "#core/log";
import type { Owner } from "#core/owner";
import { acquirePermit } from "#llm/limits/acquire-permit";
import type { EmbeddingAccount } from "#retrieval/embedder";
import type { Services } from "../services";

/** The work that needs vectors of a corpus. */
export interface VectorWork {
  /** Unique among the work that is done for the corpus at the same time. */
  name: string;
  /** Limit of each request to the provider. */
  timeout_ms: number;
  /** Throws when the wait for a permit must end. */
  assertMayWait(): Promise<void>;
}

/** Requests vectors for a corpus: with the provider's permit, in the tenant's turn, and with the usage counted for the corpus. */
export class CorpusEmbeddingAccount implements EmbeddingAccount {
  private usage: Usage | null = null;

  constructor(
    private readonly services: Pick<Services, "store" | "gates">,
    private readonly corpus: Owner & { id: string },
    private readonly work: VectorWork,
  ) {}

  get id(): string {
    return this.corpus.id;
  }

  get owner(): Owner {
    return this.corpus;
  }

  acquirePermit(gate: GatedProvider, tokens: number, part: string): Promise<Permit> {
    const { id, tenant_id } = this.corpus;
    const { name, timeout_ms, assertMayWait } = this.work;
    const ticket = { id: `${id}/${name}/${part}`, run: id, tenant: tenant_id, lease_ms: timeout_ms, tokens };
    return acquirePermit(this.services.gates, gate, ticket, assertMayWait);
  }

  spent(usage: Usage): void {
    this.usage = this.usage ? addUsage(this.usage, usage) : usage;
  }

  /** Stores the usage. A failure is only logged, because the vectors are already paid for and stored. */
  async complete(): Promise<void> {
    if (!this.usage) return;
    await this.services.store.corpora.recordUsage(this.corpus.id, this.usage).catch((error: unknown) => {
      log.error("usage was not counted", { corpus_id: this.corpus.id, tenant_id: this.corpus.tenant_id, error });
    });
  }
}
