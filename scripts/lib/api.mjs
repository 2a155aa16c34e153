import { setTimeout as sleep } from "node:timers/promises";
import { EventSourceParserStream } from "eventsource-parser/stream";

/** A stream that breaks off is taken up again so many times in a row. */
const RECONNECTS = 5;

/** A refusal in a sentence, every fault listed. */
async function refusal(what, response) {
  const text = await response.text();
  try {
    const { code, detail, errors = [] } = JSON.parse(text);
    const faults = errors.map((fault) => `\n  ${fault.path}: ${fault.message}`).join("");
    return new Error(`${what} was answered with ${response.status} ${code}: ${detail}${faults}`);
  } catch {
    return new Error(`${what} was answered with ${response.status}: ${text.slice(0, 500)}`);
  }
}

/**
 * A small client of the API.
 * @param {string} url of the server
 * @param {string} key
 * @param {AbortSignal} [signal] ends whatever it does
 */
export function connect(url, key, signal) {
  const request = async (method, path, { body, text, headers = {} } = {}) => {
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
    if (!response.ok) throw await refusal(`${method} ${path}`, response);
    return response;
  };
  const get = async (path) => (await request("GET", path)).json();

  return {
    get,
    /** The raw body. */
    text: async (path) => (await request("GET", path)).text(),
    post: async (path, body) => (await request("POST", path, { body })).json(),
    /** A body that is no JSON. */
    send: async (path, text, type) => (await request("POST", path, { text, headers: { "content-type": type } })).json(),

    /** Every item of a list, page by page. */
    async all(path) {
      const items = [];
      for (let cursor = ""; ;) {
        const page = await get(`${path}?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
        items.push(...page.data);
        if (page.next_cursor === null) return items;
        cursor = page.next_cursor;
      }
    },

    /** The events of a run as they happen, until it has ended. */
    async *events(run) {
      const headers = { accept: "text/event-stream" };
      for (let failures = 0; ;) {
        try {
          const response = await request("GET", `/v1/runs/${run}/events`, { headers });
          const stream = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
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
