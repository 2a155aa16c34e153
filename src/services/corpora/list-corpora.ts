import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import type { Mode } from "#core/vocabulary";
import { presentCorpus } from "./present";
import type { PresentedCorpus } from "./schema";

/** The tenant's corpora, newest first. @param request.mode null: both modes */
export async function listCorpora(
  { store }: Services,
  { tenant, mode, limit, after }: PageRequest & { mode: Mode | null },
): Promise<Page<PresentedCorpus>> {
  const { rows, next } = await store.corpora.list(tenant, mode, limit, after);
  return { rows: rows.map(presentCorpus), next };
}
