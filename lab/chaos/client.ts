import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/api.ts";

/**
 * How long a request is retried: longer than any restart of the server, and than several crashes, each of which may leave the request's key in
 * flight for a minute. Milliseconds.
 */
const RETRY_FOR = 4 * 60_000;

/** The times when the server was down: from a kill until it responded again. */
export class Outages {
  all: { from: number; to: number }[] = [];

  /** The times when D1 and R2 were away, with a moment for calls that were under way. */
  storage: { from: number; to: number }[] = [];

  /**
   * The longest time from the end of a webhook's attempt to its record: a kill within it leaves the attempt unrecorded. It is longer when calls
   * of storage are delayed and repeated. Milliseconds.
   */
  recorded_within = 1000;

  /** Whether the server was down at any time between these. */
  overlap = (from: number, to: number) => this.all.some((outage) => outage.from <= to && from <= outage.to);

  /** When writes that were due between these times are done; a simulation has slow ones. */
  doneBy = (_from: number, to: number) => to;

  /** Whether storage was away at any time between these. */
  storageAway = (from: number, to: number) =>
    this.storage.some((outage) => outage.from <= to && from <= outage.to + 1000);
}

/** A client that retries a request until it gets a response, through any number of outages. */
export type Client = ReturnType<typeof retryingClient>;

export interface Request {
  body?: object;
  form?: URLSearchParams;
  text?: string;
  headers?: Record<string, string>;
  /** null: without one */
  key?: string | null;
}

/** One request, with its answer. */
export interface Attempt {
  method: string;
  path: string;
  body: Json;
  key: string | undefined;
  from: number;
  to: number;
  answer: Answer;
}

export interface Answer {
  /** 0: there was none */
  status: number;
  headers: Headers;
  body: Json;
}

export function retryingClient({
  url,
  key: defaultKey,
  outages,
  report,
  faulty = false,
  observe,
}: {
  url: string;
  key: string;
  outages: Pick<Outages, "overlap" | "storageAway">;
  report: (violation: string) => void;
  /** calls of storage fail at any time, so a 503 that says when to come back is right */
  faulty?: boolean;
  /** is called with every attempt */
  observe?: (attempt: Attempt) => void;
}) {
  const counts = { requests: 0, cut: 0 };

  async function once(
    method: string,
    path: string,
    { body, form, text: lines, headers = {}, key = defaultKey }: Request,
  ): Promise<Answer> {
    const type = body ? "application/json" : "application/x-ndjson";
    const content: Record<string, string> = body || lines !== undefined ? { "content-type": type } : {};
    const response = await fetch(url + path, {
      method,
      body: body ? JSON.stringify(body) : (form ?? lines ?? null),
      headers: { ...content, ...(key && { authorization: `Bearer ${key}` }), ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }

  /** Sends a request, and returns the response of any status. Retries after a 5xx, a lost connection, and `idempotency_key_in_flight`. */
  async function send(method: string, path: string, options: Request = {}): Promise<Answer> {
    for (const end = Date.now() + RETRY_FOR; ; await sleep(250)) {
      const from = Date.now();
      counts.requests++;
      const answer = await once(method, path, options).catch((error) => ({
        status: 0,
        body: String(error.cause ?? error),
        headers: new Headers(),
      }));
      const { body, form, headers = {} } = options;
      observe?.({ method, path, body: body ?? form, key: headers["idempotency-key"], from, to: Date.now(), answer });
      const broken = answer.status === 0 || answer.status >= 500;
      if (!broken && answer.body?.code !== "idempotency_key_in_flight") return answer;
      const isAnnounced = answer.status === 503 && answer.headers.get("retry-after") !== null;
      if (
        broken &&
        (outages.overlap(from, Date.now()) || ((faulty || outages.storageAway(from, Date.now())) && isAnnounced))
      )
        counts.cut++;
      else if (broken)
        report(
          `${method} ${path} got ${answer.status || "no answer"} outside of an outage: ${JSON.stringify(answer.body).slice(0, 300)}`,
        );
      if (Date.now() > end)
        throw new Error(`${method} ${path} was not answered: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  /** @throws Error when the status is not 200 */
  async function get(path: string): Promise<Json> {
    const { status, body } = await send("GET", path);
    if (status === 200) return body;
    throw new Error(`GET ${path} got ${status}: ${JSON.stringify(body)}`);
  }

  /** All items of a list. */
  async function all(path: string): Promise<Json[]> {
    const items: Json[] = [];
    for (let cursor = ""; ;) {
      const page = await get(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${cursor}`}`);
      items.push(...page.data);
      if (page.next_cursor === null) return items;
      cursor = page.next_cursor;
    }
  }

  return { send, get, all, counts };
}
