import { exports } from "cloudflare:workers";
import { api } from "./api";

/** Requests about data sets. */

export const LINES = { "content-type": "application/x-ndjson" };

/** An item for `waterfall`. */
export const item = (id: string, more: object = {}) => ({
  id,
  input: { requirement: `Count to ${id}.` },
  gold: { number: 10 },
  ...more,
});

export const linesOf = (items: readonly object[]): string => items.map((one) => `${JSON.stringify(one)}\n`).join("");

/** The requests of a key. */
export function datasetsOf(key: string) {
  const create = async (more: object = {}) =>
    api("POST", "/v1/datasets", { key, body: { name: "Sums", workflow: "waterfall", ...more } });
  const at = (method: string, id: string, path = "", body?: unknown) =>
    api(method, `/v1/datasets/${id}${path}`, { key, ...(body === undefined ? {} : { body }) });
  const upload = (id: string, lines: string, headers: Record<string, string> = {}) =>
    api("POST", `/v1/datasets/${id}/items`, { key, body: lines, headers: { ...LINES, ...headers } });
  /** Bytes, or a stream, as they are. */
  const send = async (id: string, body: Uint8Array | ReadableStream, headers: Record<string, string> = LINES) => {
    const response: Response = await (exports as any).default.fetch(`http://parley.test/v1/datasets/${id}/items`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as any };
  };
  const close = (id: string) => at("POST", id, "/close");
  /** Id of a new data set with these items. */
  const filled = async (items: readonly object[], more: object = {}) => {
    const { id } = (await create(more)).body;
    const { status, body } = await upload(id, linesOf(items));
    if (status !== 200) throw new Error(JSON.stringify(body));
    return id as string;
  };
  const closed = async (items: readonly object[], more: object = {}) => {
    const id = await filled(items, more);
    await close(id);
    return id;
  };
  return { create, at, upload, send, close, filled, closed };
}
