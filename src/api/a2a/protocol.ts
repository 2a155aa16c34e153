/** The messages of A2A 1.0 in its JSON-RPC binding. Each request is judged by itself. https://a2a-protocol.org/v1.0.0/specification/ */
import { z } from "zod";
import type { ProblemObject } from "#core/errors";
import type { OperationError } from "../in-process/operations";

export const VERSION = "1.0";
/** Patch versions play no part in the protocol. */
const SERVED = /^1\.0(\.\d+)?$/;

/** Codes of JSON-RPC, and those of the specification, 5.4. */
const CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  task_not_found: -32001,
  task_not_cancelable: -32002,
  unsupported_operation: -32004,
  content_type_not_supported: -32005,
  version_not_supported: -32009,
} as const;
type ErrorName = keyof typeof CODES;

/** An answer that is an error of JSON-RPC. */
export class A2aError extends Error {
  constructor(
    readonly kind: ErrorName,
    message: string,
    /** The problem of the HTTP API, when that refused. */
    readonly problem: ProblemObject | null = null,
    readonly retry_after: string | null = null,
  ) {
    super(message);
  }

  /** HTTP clients act on these, and on no others: who the caller is, how often it calls, and whether to call again. */
  get status(): 200 | 403 | 429 | 500 | 503 {
    const { status } = this.problem ?? { status: 200 };
    return status === 403 || status === 429 || status === 503 ? status : status >= 500 ? 500 : 200;
  }
}

/** @param otherwise the error of a refusal that has no code of its own */
export function asA2aError({ problem, message, retry_after }: OperationError, otherwise?: ErrorName): A2aError {
  const again = problem.status >= 500 || problem.status === 429 || problem.code === "idempotency_key_in_flight";
  const usual = again ? "internal_error" : "invalid_params";
  const kind = problem.code === "not_found" ? "task_not_found" : (otherwise ?? usual);
  return new A2aError(kind, message, problem, retry_after);
}

/** The object `error` of an answer, with details as the specification, 9.5, has them. */
export const errorObject = ({ kind, message, problem }: A2aError) => ({
  code: CODES[kind],
  message,
  data: [
    {
      "@type": "type.googleapis.com/google.rpc.ErrorInfo",
      reason: kind.toUpperCase(),
      domain: "a2a-protocol.org",
      metadata: problem ? { code: problem.code, detail: problem.detail } : {},
    },
    ...(problem?.errors?.length
      ? [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: problem.errors.map(({ path, message: description }) => ({ field: path, description })),
          },
        ]
      : []),
  ],
});

export interface RpcRequest {
  id: string | number;
  method: string;
  params: Record<string, unknown>;
}

const requestSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int()]),
  method: z.string(),
  params: z.looseObject({ tenant: z.string().optional() }).nullish(),
});

/**
 * Reads the body of a POST.
 * @param version as the header or the query says it; absent means 0.3
 * @throws A2aError
 */
export function readRequest(body: unknown, version: string | undefined): RpcRequest {
  const { data } = requestSchema.safeParse(body);
  if (!data)
    throw new A2aError(
      "invalid_request",
      "The body is not one JSON-RPC 2.0 request with an id. Batches are not taken.",
    );
  if (!SERVED.test(version ?? "")) {
    const asked = version
      ? `${version.slice(0, 20)} is`
      : "Without the header A2A-Version the version is 0.3, which is";
    throw new A2aError("version_not_supported", `${asked} not served here: send A2A-Version: ${VERSION}.`);
  }
  const { id, method, params } = data;
  if (params?.tenant)
    throw new A2aError("invalid_params", "`tenant` is not taken: the API key decides whose tasks these are.");
  return { id, method, params: params ?? {} };
}
