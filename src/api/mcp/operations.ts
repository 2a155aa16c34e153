import { ERRORS, type Problem, problemObject, type ProblemObject } from "#core/errors";
import { RpcError } from "./protocol";

/** One request to our own HTTP API. */
export interface OperationRequest {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  idempotency_key?: string | undefined;
}

/**
 * Sends a request to the HTTP API within this process, with the caller's key: scopes, tenant, mode, rate limit, audit log and idempotency are
 * those of the operation.
 */
export type Send = (request: OperationRequest) => Promise<Response>;

/** The JSON of an answer. @throws Refusal */
export async function operate(send: Send, request: OperationRequest): Promise<any> {
  const response = await send(request);
  if (!response.ok) throw await refusalOf(response);
  return response.json();
}

/** An operation that was refused, with the problem that HTTP would have answered. */
export class Refusal extends Error {
  constructor(
    readonly problem: ProblemObject,
    readonly retry_after: string | null = null,
  ) {
    super(textOf(problem, retry_after));
  }
}

export const refusalOf = async (response: Response): Promise<Refusal> =>
  new Refusal(await response.json<ProblemObject>(), response.headers.get("Retry-After"));

/** A refusal as an error of JSON-RPC, for methods whose results cannot be errors. */
export function asRpcError(refusal: Refusal): RpcError {
  const { problem } = refusal;
  return new RpcError(problem.status < 500 ? "invalid_params" : "internal_error", refusal.message, problem);
}

/** A problem that this server finds itself. */
export const refuse = ({ code, detail, faults }: Problem): Refusal => new Refusal(problemObject(code, detail, faults));

/** For a model: what was wrong, where, and what to do. */
function textOf({ title, detail, code, errors = [] }: ProblemObject, retry_after: string | null): string {
  return [
    `${title} (${code}). ${detail}`,
    ...errors.map(({ path, message }) => `- ${path}: ${message}`),
    ERRORS[code].help,
    ...(retry_after === null ? [] : [`Repeat the call after ${retry_after} seconds.`]),
  ].join("\n");
}
