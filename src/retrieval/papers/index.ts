import type { PaperQuery, PaperSearch, PaperSource, SourcePaper } from "../types";
import { mockPapers } from "./mock-papers";
import { SemanticScholar, PaperSourceError } from "./semantic-scholar";
import type { PaperSettings } from "./paper-settings";
import type { UrlPolicy } from "#core/outbound/url-policy";

/** Caches answers of the source across runs: catalogues change slowly, and rate limits are tight. */
export interface PaperCache {
  /** The cached text; null when there is none or it is too old. */
  get(key: string): Promise<string | null>;
  put(key: string, text: string): Promise<void>;
}

/** The source of papers for the engine: Semantic Scholar behind a cache; mock papers in test mode. */
export function paperSource({
  settings,
  policy,
  cache,
}: {
  settings: PaperSettings;
  policy: UrlPolicy;
  cache: PaperCache;
}): PaperSource {
  const catalogue = new SemanticScholar(settings, policy);
  return {
    async search(query, limit, mode): Promise<PaperSearch> {
      if (mode === "test") return { query, papers: mockPapers(query, limit), failure: null };
      try {
        return { query, papers: await cached(cache, catalogue, query, limit), failure: null };
      } catch (error) {
        if (error instanceof PaperSourceError) return { query, papers: [], failure: error.message };
        throw error;
      }
    },
  };
}

async function cached(
  cache: PaperCache,
  catalogue: SemanticScholar,
  query: PaperQuery,
  limit: number,
): Promise<SourcePaper[]> {
  const key = JSON.stringify([query.kind, query.kind === "keyword" ? query.text : query.paper_id, limit]);
  const known = await cache.get(key);
  if (known !== null) return JSON.parse(known) as SourcePaper[];
  const papers = await catalogue.search(query, limit);
  await cache.put(key, JSON.stringify(papers));
  return papers;
}
