import { DurableObject } from "cloudflare:workers";
import { indexCorpus } from "#services/corpora/index-corpus";
import { startWork, workInAlarm } from "./alarm";
import { servicesAt } from "./compose";

/** Indexes one corpus, whose id is the object's name. D1 holds the work and its progress: this object holds only the alarm. */
export class CorpusIndexer extends DurableObject<Env> {
  /** Starts the work that is due. */
  index(): Promise<void> {
    return startWork(this.ctx, "corpus");
  }

  override alarm(): Promise<void> {
    return workInAlarm(this.ctx, "corpus", (id) => indexCorpus(servicesAt(this.env, { kind: "corpus", id }), id));
  }
}
