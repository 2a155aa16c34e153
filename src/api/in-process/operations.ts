import { ERRORS, type Problem, problemObject, type ProblemObject } from "#core/errors";
import type { AppContext } from "../http/context";

/** Requests of other doors (../mcp, ../a2a) to the HTTP API, within this process. */

/** One request to our own HTTP API. */
export interface OperationRequest {
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: unknown;
  idempotency_key?: string | undefined;
  /** The media type wanted, by default JSON. */
  accept?: string;
}

/**
 * Sends a request to the HTTP API within this process, with the caller's key: scopes, tenant, mode, rate limit, audit log and idempotency are
 * those of the operation.
 */
export type Send = (request: OperationRequest) => Promise<Response>;

/** The function that serves a request of this process. */
export type Dispatch = (request: Request) => Response | Promise<Response>;

/** Requests in the name of the caller of `c`, logged under the same id. */
export const sender =
  (c: AppContext, dispatch: Dispatch): Send =>
  async ({ method, path, body, idempotency_key, accept }: OperationRequest) => {
    const headers = new Headers({ "X-Request-Id": c.var.request_id });
    for (const name of ["Authorization", "CF-Connecting-IP"]) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    if (accept !== undefined) headers.set("Accept", accept);
    if (idempotency_key !== undefined) headers.set("Idempotency-Key", idempotency_key);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return dispatch(new Request(new URL(path, c.req.url), init));
  };

/** The JSON of an answer. @throws OperationError */
export async function operate(send: Send, request: OperationRequest): Promise<any> {
  const response = await send(request);
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}

/** An operation that was refused, with the problem that HTTP would have answered. */
export class OperationError extends Error {
  constructor(
    readonly problem: ProblemObject,
    readonly retry_after: string | null = null,
  ) {
    super(textOf(problem, retry_after));
  }
}

export const refusalOf = async (response: Response): Promise<OperationError> =>
  new OperationError(await response.json<ProblemObject>(), response.headers.get("Retry-After"));

/** A problem that a door finds itself. */
export const refuse = ({ code, detail, errors }: Problem): OperationError =>
  new OperationError(problemObject(code, detail, errors));

/** For a model: what was wrong, where (each error once), and what to do. */
function textOf({ title, detail, code, errors = [] }: ProblemObject, retry_after: string | null): string {
  const lines = errors.map(({ path, message }) => `${path}: ${message}`).filter((line) => !detail.includes(line));
  return [
    `${title} (${code}). ${detail}`,
    ...lines.map((line) => `- ${line}`),
    ERRORS[code].help,
    ...(retry_after === null ? [] : [`Repeat the call after ${retry_after} seconds.`]),
  ].join("\n");
}
