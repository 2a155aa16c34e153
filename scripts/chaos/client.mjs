import { setTimeout as sleep } from "node:timers/promises";

/** Longer than any restart of the server. */
const PATIENCE = 120_000;

/** When the server was down: from its kill until it answered again. */
export class Outages {
  /** @type {{from: number, to: number}[]} */
  all = [];

  /** Whether a request between these times can have been cut off. */
  touch = (from, to) => this.all.some((outage) => outage.from <= to && from <= outage.to);
}

/**
 * A client that asks again until it is answered, however often the server goes down meanwhile.
 * @typedef {ReturnType<typeof patientClient>} Client
 * @param {{url: string, key: string, outages: Outages, wrong: (what: string) => void}} to
 */
export function patientClient({ url, key: own, outages, wrong }) {
  const counts = { requests: 0, cut: 0 };

  async function once(method, path, { body, form, headers = {}, key = own }) {
    const content = body ? { "content-type": "application/json" } : {};
    const response = await fetch(url + path, {
      method,
      body: body ? JSON.stringify(body) : form,
      headers: { ...content, ...(key && { authorization: `Bearer ${key}` }), ...headers },
      redirect: "manual",
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json");
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text };
  }

  /**
   * The answer to a request, whatever its status, but for what says to come again: a server that died, or a key in flight.
   * @param {string} method
   * @param {string} path
   * @param {{body?: object, form?: URLSearchParams, headers?: Record<string, string>, key?: string | null}} [options]
   */
  async function send(method, path, options = {}) {
    for (const end = Date.now() + PATIENCE; ; await sleep(250)) {
      const from = Date.now();
      counts.requests++;
      const answer = await once(method, path, options).catch((error) => ({
        status: 0,
        body: String(error.cause ?? error),
        headers: new Headers(),
      }));
      const broken = answer.status === 0 || answer.status >= 500;
      if (!broken && answer.body?.code !== "idempotency_key_in_flight") return answer;
      if (broken && outages.touch(from, Date.now())) counts.cut++;
      else if (broken)
        wrong(
          `${method} ${path} got ${answer.status || "no answer"} while nobody had killed the server: ${JSON.stringify(answer.body).slice(0, 300)}`,
        );
      if (Date.now() > end)
        throw new Error(`${method} ${path} was not answered: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
  }

  /** @throws Error when it is refused */
  async function get(path) {
    const { status, body } = await send("GET", path);
    if (status === 200) return body;
    throw new Error(`GET ${path} got ${status}: ${JSON.stringify(body)}`);
  }

  /** Every item of a list. */
  async function all(path) {
    const items = [];
    for (let cursor = ""; ;) {
      const page = await get(`${path}${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${cursor}`}`);
      items.push(...page.data);
      if (page.next_cursor === null) return items;
      cursor = page.next_cursor;
    }
  }

  return { send, get, all, counts };
}
