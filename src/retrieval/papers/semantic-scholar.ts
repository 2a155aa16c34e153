import { z } from "zod";
import { boundedBody } from "#core/outbound/bounded-body";
import { callRefusal, type UrlPolicy } from "#core/outbound/url-policy";
import { sleep, retryAfterMs } from "#core/retry";
import type { PaperQuery, SourcePaper } from "../types";
import type { PaperSettings } from "./paper-settings";

const FIELDS = "title,abstract,year,citationCount,url";
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Limits of texts for prompts, the same as for texts from callers. Characters. */
const MAX_TITLE_LENGTH = 500;
const MAX_ABSTRACT_LENGTH = 10_000;
/** Maximum of requests per search. */
const ATTEMPTS = 4;
/** Total time of a search; a longer requested wait fails it. Milliseconds. */
const MAX_SEARCH_MS = 60_000;
const INITIAL_DELAY = 500;

export class PaperSourceError extends Error {
  override name = "PaperSourceError";
}

const paperSchema = z
  .object({
    paperId: z.string().nullish(),
    title: z.string().nullish(),
    abstract: z.string().nullish(),
    year: z.int().nullish(),
    citationCount: z.int().nullish(),
    url: z.string().nullish(),
  })
  .transform(({ paperId, title, abstract, year, citationCount, url }): SourcePaper | null =>
    paperId && title
      ? {
          id: paperId,
          title: title.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
          abstract: abstract?.slice(0, MAX_ABSTRACT_LENGTH).toWellFormed() ?? null,
          year: year ?? null,
          citations: citationCount ?? null,
          url: url ?? null,
        }
      : null,
  );

/** Answers by kind of query. Entries without id or title are papers that the source does not contain. */
const ANSWERS = {
  // A search that finds nothing has no `data`.
  keyword: z.object({ data: z.array(paperSchema).nullish() }).transform(({ data }) => data ?? []),
  recommendations: z
    .object({ recommendedPapers: z.array(paperSchema) })
    .transform((answer) => answer.recommendedPapers),
  references: z
    .object({ data: z.array(z.object({ citedPaper: paperSchema })).nullish() })
    .transform(({ data }) => (data ?? []).map(({ citedPaper }) => citedPaper)),
} satisfies Record<PaperQuery["kind"], z.ZodType<(SourcePaper | null)[]>>;

/** URL of a query. */
export function addressOf(base: string, query: PaperQuery, limit: number): URL {
  const paper = query.kind === "keyword" ? "" : encodeURIComponent(query.paper_id);
  const paths = {
    keyword: "/graph/v1/paper/search",
    references: `/graph/v1/paper/${paper}/references`,
    recommendations: `/recommendations/v1/papers/forpaper/${paper}`,
  };
  const address = new URL(base + paths[query.kind]);
  if (query.kind === "keyword") address.searchParams.set("query", query.text);
  address.searchParams.set("limit", String(limit));
  address.searchParams.set("fields", FIELDS);
  return address;
}

/** Client of Semantic Scholar's Academic Graph and Recommendations APIs. One per isolate spaces the requests of that isolate. */
export class SemanticScholar {
  /**
   * When the next request may start, milliseconds since the epoch. A time and no promise: searches of several runs would wait for a timer of one
   * of them, which the platform drops with its request.
   */
  private nextAt = 0;

  constructor(
    private readonly settings: PaperSettings,
    private readonly policy: UrlPolicy,
  ) {}

  /**
   * Searches papers; none for a paper that the source does not know.
   * @throws PaperSourceError with a sentence
   */
  async search(query: PaperQuery, limit: number): Promise<SourcePaper[]> {
    const address = addressOf(this.settings.url, query, limit);
    const end = Date.now() + MAX_SEARCH_MS;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.attempt(address, query.kind);
      if ("papers" in outcome) return outcome.papers;
      const delay = outcome.retry_after_ms ?? INITIAL_DELAY * 2 ** (attempt - 1);
      if (!outcome.retryable || attempt === ATTEMPTS || Date.now() + delay > end)
        throw new PaperSourceError(outcome.reason);
      await sleep(delay);
    }
  }

  private async attempt(address: URL, kind: PaperQuery["kind"]): Promise<RequestResult> {
    await this.nextTurn();
    try {
      const { api_key, timeout_ms } = this.settings;
      const signal = AbortSignal.timeout(timeout_ms);
      const refused = await callRefusal(address.href, this.policy, signal);
      if (refused) return failed(`Semantic Scholar's URL may not be called. ${refused}`);
      const response = await fetch(address, {
        headers: { accept: "application/json", ...(api_key ? { "x-api-key": api_key } : {}) },
        redirect: "manual",
        signal,
      });
      return await read(response, kind);
    } catch (error) {
      const slow = error instanceof Error && error.name === "TimeoutError";
      return failed(`Semantic Scholar ${slow ? "did not answer in time" : "could not be reached"}.`, {
        retryable: true,
      });
    }
  }

  /** Resolves when the next request may start, at least an interval after the previous one. */
  private async nextTurn(): Promise<void> {
    const now = Date.now();
    const at = Math.max(now, this.nextAt);
    this.nextAt = at + this.settings.interval_ms;
    if (at > now) await sleep(at - now);
  }
}

type RequestResult = { papers: SourcePaper[] } | { reason: string; retryable: boolean; retry_after_ms: number | null };

const failed = (
  reason: string,
  { retryable = false, retry_after_ms = null }: { retryable?: boolean; retry_after_ms?: number | null } = {},
): RequestResult => ({ reason, retryable, retry_after_ms });

async function read(response: Response, kind: PaperQuery["kind"]): Promise<RequestResult> {
  const { status } = response;
  if (status !== 200) await response.body?.cancel();
  if (status === 404 && kind !== "keyword") return { papers: [] };
  if (status === 429) {
    return failed("Semantic Scholar answered 429: too many requests for now.", {
      retryable: true,
      retry_after_ms: retryAfterMs(response.headers),
    });
  }
  if (status !== 200) return failed(`Semantic Scholar answered ${status}.`, { retryable: status >= 500 });
  const body = await boundedBody(response, MAX_RESPONSE_BYTES);
  if (!body) return failed(`Semantic Scholar's answer is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB.`);
  try {
    const papers = ANSWERS[kind].parse(JSON.parse(new TextDecoder().decode(body)));
    return { papers: papers.filter((paper) => paper !== null) };
  } catch {
    return failed("Semantic Scholar's answer could not be read.");
  }
}
