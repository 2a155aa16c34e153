import { addUsage, type Gate, type Passage, type Usage } from "#llm";
import { log } from "#core/log";
import { awaitTurn } from "#llm/limits/await-turn";
import type { Asker } from "#retrieval/embedder";
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
export class CorpusAsker implements Asker {
  private used: Usage | null = null;

  constructor(
    private readonly services: Pick<Services, "store" | "gates">,
    private readonly corpus: { id: string; tenant_id: string },
    private readonly work: VectorWork,
  ) {}

  get id(): string {
    return this.corpus.id;
  }

  enter(gate: Gate, tokens: number, part: string): Promise<Passage> {
    const { id, tenant_id } = this.corpus;
    const { name, timeout_ms, assertMayWait } = this.work;
    const ticket = { id: `${id}/${name}/${part}`, run: id, tenant: tenant_id, lease_ms: timeout_ms, tokens };
    return awaitTurn(this.services.gates, gate, ticket, assertMayWait);
  }

  spent(usage: Usage): void {
    this.used = this.used ? addUsage(this.used, usage) : usage;
  }

  /** Counts what was used. What cannot be counted is logged: the vectors are paid for and there. */
  async settle(): Promise<void> {
    if (!this.used) return;
    await this.services.store.corpora.spend(this.corpus.id, this.used).catch((error: unknown) => {
      log.error("usage was not counted", { corpus_id: this.corpus.id, tenant_id: this.corpus.tenant_id, error });
    });
  }
}
