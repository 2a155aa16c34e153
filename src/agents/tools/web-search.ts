import { z } from "zod";
import { readBody } from "./read-body";
import type { SearchProvider, ToolSettings } from "./tool-settings";
import { defineTool, type Tool, ToolError } from "./tool";

const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;

interface Query {
  query: string;
  count: number;
}

interface Hit {
  title: string;
  url: string;
  text: string;
}

/** A search engine: how its requests are made and its answers read. */
interface Engine {
  url: string;
  request(url: string, api_key: string, query: Query): Request;
  answer: z.ZodType<Hit[]>;
}

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? "");

const ENGINES: Record<SearchProvider, Engine> = {
  brave: {
    url: "https://api.search.brave.com/res/v1/web/search",
    request(url, api_key, { query, count }) {
      const address = new URL(url);
      address.searchParams.set("q", query);
      address.searchParams.set("count", String(count));
      address.searchParams.set("text_decorations", "false");
      return new Request(address, { headers: { Accept: "application/json", "X-Subscription-Token": api_key } });
    },
    answer: z
      .object({
        web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).nullish(),
      })
      .transform(({ web }) =>
        (web?.results ?? []).map(({ title, url, description }) => ({ title, url, text: description })),
      ),
  },
  tavily: {
    url: "https://api.tavily.com/search",
    request: (url, api_key, { query, count }) =>
      new Request(url, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${api_key}` },
        body: JSON.stringify({ query, max_results: count }),
      }),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) })
      .transform(({ results }) => results.map(({ title, url, content }) => ({ title, url, text: content }))),
  },
};

/** Searches the web with the configured provider. */
export function webSearch({ provider, api_key, url }: NonNullable<ToolSettings["web_search"]>): Tool {
  const engine = ENGINES[provider];
  return defineTool({
    name: "web_search",
    description: "Searches the web. Gives back titles, addresses and excerpts of the best pages.",
    parameters: z.strictObject({
      query: z.string().trim().min(1).max(400).describe("A few words, as typed into a search engine."),
      count: z.int().min(1).max(20).default(5).describe("How many pages."),
    }),
    async call(query, signal) {
      const request = engine.request(url ?? engine.url, api_key, query);
      const response = await fetch(request, { redirect: "manual", signal });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new ToolError(
          `The search provider answered ${response.status}${response.status === 429 ? ": too many searches for now" : ""}.`,
        );
      }
      const hits = read(engine, new TextDecoder().decode(await readBody(response, MAX_RESPONSE_BYTES))).slice(
        0,
        query.count,
      );
      if (!hits.length) return "Nothing was found.";
      return hits.map((hit, at) => `${at + 1}. ${hit.title}\n${hit.url}\n${hit.text}`).join("\n\n");
    },
  });
}

function read(engine: Engine, body: string): Hit[] {
  try {
    return engine.answer.parse(JSON.parse(body));
  } catch {
    throw new ToolError("The search provider's answer could not be read.");
  }
}
