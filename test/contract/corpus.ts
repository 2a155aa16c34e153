import { exports } from "cloudflare:workers";
import { beforeEach } from "vitest";
import { until } from "../support/parley";
import { tenantOfFile } from "../support/runs";
import { api } from "./api";

export const MIB = 1024 * 1024;

/** A line of an upload. */
export const line = (fields: object) => `${JSON.stringify({ source: "A law", ...fields })}\n`;

/** The set-up of a file that tests corpora: a tenant, an empty corpus for each test, and requests about that corpus. */
export function setUpCorpus() {
  const client = tenantOfFile();
  const create = (body: object = {}, key = client.test) =>
    api("POST", "/v1/corpora", { key, body: { name: "Statutes", ...body } });

  /** The corpus of the test, as it was when it was created. */
  const corpus = {} as { id: string; [field: string]: unknown };
  /** Switches the test to another corpus. */
  const renewCorpus = async () => void Object.assign(corpus, (await create()).body);
  beforeEach(renewCorpus);

  const at = (method: string, path = "", body?: unknown, key = client.test) =>
    api(method, `/v1/corpora/${corpus.id}${path}`, { key, body });
  const add = (body: object, key = client.test) => at("POST", "/documents", { source: "A law", ...body }, key);
  const search = async (query: string, more: object = {}, key = client.test) =>
    (await at("POST", "/search", { query, ...more }, key)).body;

  /** One request whose body is sent unchanged. */
  const send = async (
    body: string | Uint8Array | ReadableStream,
    headers: object,
    key = client.test,
    id = corpus.id,
  ) => {
    const response: Response = await (exports as any).default.fetch(`http://parley.test/v1/corpora/${id}/documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      body,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const upload = (lines: string | Uint8Array, key = client.test) =>
    send(lines, { "content-type": "application/x-ndjson" }, key);
  const completed = (id: string, key = client.test) =>
    until("the upload is completed", async () => {
      const { body } = await at("GET", `/uploads/${id}`, undefined, key);
      return body.status === "completed" && body;
    });
  const uploaded = async (lines: string | Uint8Array) => completed((await upload(lines)).body.id);

  return { client, create, corpus, renewCorpus, at, add, search, send, upload, completed, uploaded };
}
