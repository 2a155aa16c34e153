import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";

/** How many times in a row a broken event stream is reopened. */
const RECONNECTS = 5;

/** A body as the API sends it: the programs that read it are those that check it. */
export type Json = any;

export type Api = ReturnType<typeof connect>;

const failed = ({ status }: Response, message: string) => Object.assign(new Error(message), { status });

/** The error of a response that is not a success, with all its errors and the status. */
async function errorOf(request: string, response: Response) {
  const text = await response.text();
  try {
    const { code, detail, errors = [] } = JSON.parse(text);
    const list = errors.map((fieldError: Json) => `\n  ${fieldError.path}: ${fieldError.message}`).join("");
    return failed(response, `${request} was answered with ${response.status} ${code}: ${detail}${list}`);
  } catch {
    return failed(response, `${request} was answered with ${response.status}: ${text.slice(0, 500)}`);
  }
}

/**
 * A client of the API for programs that measure the server, attack it or kill it: chaos, fuzz, load, bench. It adds neither repetitions nor
 * idempotency keys. Programs for users take the SDK (sdk.ts).
 * @param url of the server
 * @param signal aborts its requests
 */
export function connect(url: string, key: string, signal?: AbortSignal) {
  const request = async (
    method: string,
    path: string,
    { body, text, headers = {} }: { body?: object; text?: string; headers?: Record<string, string> } = {},
  ) => {
    const init = { method, signal, body: text, headers: { authorization: `Bearer ${key}`, ...headers } };
    const json =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { ...init.headers, "content-type": "application/json" } };
    const response = await fetch(new URL(path, url), { ...init, ...json }).catch((error) => {
      if (signal?.aborted) throw error;
      throw new Error(
        `${method} ${new URL(path, url)} got no answer: ${error.cause?.message || error.cause?.code || error.message}`,
      );
    });
    if (!response.ok) throw await errorOf(`${method} ${path}`, response);
    return response;
  };
  const get = async (path: string): Promise<Json> => (await request("GET", path)).json();

  return {
    get,
    /** The raw body. */
    text: async (path: string) => (await request("GET", path)).text(),
    post: async (path: string, body?: object): Promise<Json> => (await request("POST", path, { body })).json(),
    remove: async (path: string) => void (await request("DELETE", path)),
    /** Posts a body that is not JSON. */
    send: async (path: string, text: string, type: string): Promise<Json> =>
      (await request("POST", path, { text, headers: { "content-type": type } })).json(),

    /** All items of a list. `path` may have a query. */
    async all(path: string): Promise<Json[]> {
      const items: Json[] = [];
      for (let cursor = ""; ;) {
        const query = `limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
        const page = await get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
        items.push(...page.data);
        if (page.next_cursor === null) return items;
        cursor = page.next_cursor;
      }
    },

    /** Streams the events of a run until the run ends. */
    async *events(run: string): AsyncGenerator<Json> {
      const headers = { accept: "text/event-stream" };
      for (let failures = 0; ;) {
        try {
          const response = await request("GET", `/v1/runs/${run}/events`, { headers });
          const stream = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
          for await (const message of stream) {
            failures = 0;
            if (message.id) Object.assign(headers, { "last-event-id": message.id });
            const event = JSON.parse(message.data);
            yield event;
            if (["run.completed", "run.failed", "run.canceled"].includes(event.type)) return;
          }
        } catch (error) {
          if (signal?.aborted || ++failures > RECONNECTS) throw error;
        }
        await sleep(500, undefined, { signal });
      }
    },
  };
}
