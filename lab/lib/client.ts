import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../scripts/lib/json.ts";

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

/** Nothing is disturbed. */
const CALM: Pick<Outages, "overlap" | "storageAway"> = { overlap: () => false, storageAway: () => false };

export type Client = ReturnType<typeof clientOf>;

export interface Request {
  body?: object;
  form?: URLSearchParams;
  /** lines of JSON */
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

interface Options {
  outages?: Pick<Outages, "overlap" | "storageAway">;
  /** called for a request that failed although no fault was injected; without it that is an error */
  report?: (violation: string) => void;
  /** storage fails at any time, so a 503 with Retry-After is correct */
  faulty?: boolean;
  /** called with every attempt */
  observe?: (attempt: Attempt) => void;
}

const refuse = (violation: string) => {
  throw new Error(violation);
};

/**
 * A client for programs that measure a server, attack it or kill it: it shows every answer as it is, and adds no key of its own. A request is
 * repeated until it gets an answer, through any number of outages. Programs for users take the SDK (scripts/lib/sdk.ts).
 */
export function clientOf(
  url: string,
  defaultKey: string,
  { outages = CALM, report = refuse, faulty = false, observe }: Options = {},
) {
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
      const said = `got ${answer.status || "no answer"}: ${JSON.stringify(answer.body).slice(0, 300)}`;
      const isAnnounced = answer.status === 503 && answer.headers.get("retry-after") !== null;
      const mayFail = (faulty || outages.storageAway(from, Date.now())) && isAnnounced;
      if (broken && (mayFail || outages.overlap(from, Date.now()))) counts.cut++;
      else if (broken) report(`${method} ${path}, outside of an outage, ${said}`);
      if (Date.now() > end) throw new Error(`${method} ${path} was not answered: it ${said}`);
    }
  }

  /**
   * The body of a successful answer.
   * @throws Error when it is none
   */
  async function bodyOf(method: string, path: string, request?: Request): Promise<Json> {
    const { status, body } = await send(method, path, request);
    if (status < 300) return body;
    throw new Error(`${method} ${path} got ${status}: ${JSON.stringify(body)}`);
  }
  const get = (path: string) => bodyOf("GET", path);
  const post = (path: string, request?: Request) => bodyOf("POST", path, request);

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

  return { send, get, post, all, counts };
}
