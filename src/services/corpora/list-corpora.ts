import type { Services } from "../services";
import type { Page } from "#core/page";
import type { PageRequest } from "../fields/page-request";
import { presentCorpus } from "./present";
import type { PresentedCorpus } from "./schema";

/** The owner's corpora, newest first. */
export async function listCorpora(
  { store }: Services,
  { owner, limit, after }: PageRequest,
): Promise<Page<PresentedCorpus>> {
  const { rows, next } = await store.corpora.list(owner, limit, after);
  return { rows: rows.map(presentCorpus), next };
}
