import type { MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import { boundedBody } from "#core/outbound/bounded-body";
import { isTooDeep, MAX_JSON_DEPTH } from "#services/fields/json-depth";
import type { AppContext, AppEnv } from "../context";

/** Bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;

const JSON_TYPE = /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const LINES_TYPE = /^application\/(?:x-ndjson|jsonl|x-jsonlines)\s*(?:;|$)/i;

/** The route limits bodies of these paths, after it has authenticated the caller. */
const LIMITED_BY_ROUTE = /^\/v1\/(corpora\/[^/]+\/documents|datasets\/[^/]+\/items)$/;

/**
 * Reads the body into memory, and refuses one that is too large, also when its length is not declared. The body of a GET or HEAD has no
 * meaning (RFC 9110, 9.3.1) and is not read.
 */
export const boundBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!LIMITED_BY_ROUTE.test(c.req.path)) await bound(c, MAX_BODY_BYTES, "1 MiB");
  await next();
};

/**
 * Accepts one document as JSON, or lines of documents, which are not read here but streamed.
 * @param most bytes of the body
 */
export const documentsBody = (most: number): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const type = c.req.header("Content-Type");
    if (isLines(type)) refuseDeclared(c, most, "20 MiB");
    else if (JSON_TYPE.test(type ?? "")) await bound(c, most, "20 MiB");
    else throw undeclared(type, "application/json or application/x-ndjson");
    await next();
  };
};

/** Accepts lines of JSON, which are not read here but streamed. @param most bytes of the body @param limit the same in words */
export const linesBody = (most: number, limit: string): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    refuseDeclared(c, most, limit);
    const type = c.req.header("Content-Type");
    if (!isLines(type)) throw undeclared(type, "application/x-ndjson");
    await next();
  };
};

/** Whether a body is declared as lines of JSON. */
export const isLines = (type: string | undefined): boolean => LINES_TYPE.test(type ?? "");

function refuseDeclared(c: AppContext, most: number, limit: string): void {
  if (Number(c.req.header("Content-Length") ?? 0) > most) throw tooLarge(limit);
}

const tooLarge = (limit: string) => new Problem("payload_too_large", `The body is larger than ${limit}.`);

async function bound(c: AppContext, most: number, limit: string): Promise<void> {
  const { body, method } = c.req.raw;
  if (!body || method === "GET" || method === "HEAD") return;
  refuseDeclared(c, most, limit);
  const bytes = await boundedBody({ body }, most);
  if (!bytes) throw tooLarge(limit);
  c.req.raw = new Request(c.req.raw, { method, body: bytes });
}

/** Refuses a body that is not declared as JSON. An absent body, where it is optional, reads as `{}`. */
export const jsonBody = ({ optional = false } = {}): MiddlewareHandler<AppEnv> => {
  return async (c, next) => {
    const type = c.req.header("Content-Type");
    const absent = optional && (await c.req.raw.clone().arrayBuffer()).byteLength === 0;
    if (!absent && !JSON_TYPE.test(type ?? "")) throw undeclared(type, "application/json");
    // The validators that follow accept fewer of the +json types.
    const headers = new Headers(c.req.raw.headers);
    headers.set("Content-Type", "application/json");
    c.req.raw = new Request(c.req.raw, { method: c.req.method, headers, ...(absent && { body: "{}" }) });
    await next();
  };
};

/** The body as JSON, for paths whose schema depends on stored data. */
export async function readJson(c: AppContext): Promise<unknown> {
  let body: unknown;
  try {
    body = await c.req.json();
  } catch {
    throw malformed();
  }
  if (isTooDeep(body))
    throw new Problem("malformed_json", `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`);
  return body;
}

/** Like `jsonBody`, for paths that also take an HTML form. */
export const jsonOrFormBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const type = c.req.header("Content-Type");
  if (!JSON_TYPE.test(type ?? "") && !FORM_TYPE.test(type ?? "")) {
    throw undeclared(type, "application/json or application/x-www-form-urlencoded");
  }
  await next();
};

export const isForm = (type: string | undefined): boolean => FORM_TYPE.test(type ?? "");

export const malformed = () => new Problem("malformed_json", "The body cannot be parsed as JSON.");

const undeclared = (type: string | undefined, wanted: string) =>
  new Problem(
    "unsupported_media_type",
    type
      ? `The body is declared as ${type}; this path takes ${wanted}.`
      : `The request has no Content-Type; send ${wanted}.`,
  );
