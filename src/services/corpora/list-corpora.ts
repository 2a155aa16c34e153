import type { Services } from "../services";
import type { Page } from "#core/page";
import type { Mode } from "#core/vocabulary";
import { type PresentedCorpus, presentCorpus } from "./present";

/** The tenant's corpora, newest first; of one mode, or of both with null. */
export async function listCorpora(
  { store }: Services,
  tenant: string,
  mode: Mode | null,
  limit: number,
  after: string | null,
): Promise<Page<PresentedCorpus>> {
  const { rows, next } = await store.corpora.list(tenant, mode, limit, after);
  return { rows: rows.map(presentCorpus), next };
}
