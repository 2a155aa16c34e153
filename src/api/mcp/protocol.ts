/**
 * The messages of the Model Context Protocol over streamable HTTP, without state: each request is judged by itself. Two eras are served. A
 * modern request (2026-07-28) carries its version and the client's capabilities; a legacy client shakes hands first and is asked nothing.
 */
import { z } from "zod";
import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { Refusal } from "../in-process/operations";

export const MODERN_VERSION = "2026-07-28";
/** Newest first. Earlier ones have batches, or another transport. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18"] as const;

/** Keys in `_meta`. */
const VERSION = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
export const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** Codes of JSON-RPC, and those that the protocol adds. */
export const RPC_CODES = {
  parse_error: -32700,
  invalid_request: -32600,
  method_not_found: -32601,
  invalid_params: -32602,
  internal_error: -32603,
  header_mismatch: -32020,
  missing_capability: -32021,
  unsupported_version: -32022,
} as const;

/** An answer that is an error of JSON-RPC. */
export class RpcError extends Error {
  /** @param status of the HTTP answer */
  constructor(
    readonly code: keyof typeof RPC_CODES,
    message: string,
    readonly data?: unknown,
    readonly status: 200 | 400 | 404 = 200,
  ) {
    super(message);
  }
}

/** A refusal as an error of JSON-RPC, for methods whose results cannot be errors. */
export const asRpcError = ({ problem, message }: Refusal): RpcError =>
  new RpcError(problem.status < 500 ? "invalid_params" : "internal_error", message, problem);

export interface RpcRequest {
  id: string | number;
  method: string;
  params: Record<string, unknown>;
  era: "modern" | "legacy";
  /** What the client can do, as far as this request says so; a legacy client says it once, and that is not remembered. */
  capabilities: ClientCapabilities;
}

const messageSchema = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.looseObject({ _meta: z.looseObject({}).optional() }).optional(),
});
type Message = z.infer<typeof messageSchema>;

/** The field of `params` that the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
  "tasks/get": "taskId",
  "tasks/update": "taskId",
  "tasks/cancel": "taskId",
};

/**
 * Reads the body of a POST.
 * @returns null for a notification, which is accepted and has no effect
 * @throws RpcError
 */
export function readMessage(body: unknown, headers: Headers): RpcRequest | null {
  const parsed = messageSchema.safeParse(body);
  if (!parsed.success) {
    const message =
      "The body is not one JSON-RPC request or notification. Batches, and answers to requests of a server, are not taken here.";
    throw new RpcError("invalid_request", message, undefined, 400);
  }
  const message = parsed.data;
  const { id, method, params = {} } = message;
  const claimed = params._meta?.[VERSION];
  const named = headers.get("MCP-Protocol-Version");
  if (id === undefined) return null;
  if (claimed === undefined && named !== MODERN_VERSION) return legacyRequest({ ...message, id, params }, named);
  assertVersion(claimed, named);
  const capabilities = z.looseObject({}).safeParse(params._meta?.[CAPABILITIES]);
  if (!capabilities.success)
    throw new RpcError("invalid_params", `\`_meta\` has no object \`${CAPABILITIES}\`.`, undefined, 400);
  assertHeaders(method, params, headers);
  return { id, method, params, era: "modern", capabilities: capabilities.data };
}

function legacyRequest(
  { id, method, params }: Required<Pick<Message, "id" | "method" | "params">>,
  named: string | null,
): RpcRequest {
  const known: readonly string[] = LEGACY_VERSIONS;
  if (named !== null && !known.includes(named)) throw unsupported(named, [MODERN_VERSION, ...LEGACY_VERSIONS]);
  return { id, method, params, era: "legacy", capabilities: {} };
}

function assertVersion(claimed: unknown, named: string | null): void {
  if (typeof claimed !== "string")
    throw new RpcError("invalid_params", `\`_meta\` does not name \`${VERSION}\`.`, undefined, 400);
  if (claimed !== named) throw mismatch("MCP-Protocol-Version", named, claimed);
  if (claimed !== MODERN_VERSION) throw unsupported(claimed, [MODERN_VERSION]);
}

function assertHeaders(method: string, params: Record<string, unknown>, headers: Headers): void {
  const named = headers.get("Mcp-Method");
  if (named !== method) throw mismatch("Mcp-Method", named, method);
  const field = Object.hasOwn(NAMED_BY, method) ? NAMED_BY[method] : undefined;
  const value = field && params[field];
  if (typeof value !== "string") return; // its absence is the method's own error
  const name = headers.get("Mcp-Name");
  if (name === null || decoded(name) !== value) throw mismatch("Mcp-Name", name, value);
}

/** A header's value that is not plain ASCII comes as `=?base64?…?=` (streamable HTTP, "Value Encoding"). */
function decoded(text: string): string {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(text) ?? [];
  return base64 === undefined ? text : Buffer.from(base64, "base64").toString("utf8");
}

const mismatch = (header: string, found: string | null, wanted: string) =>
  new RpcError(
    "header_mismatch",
    found === null
      ? `The header ${header} is missing; the body says ${wanted}.`
      : `The header ${header} says ${found}, but the body says ${wanted}.`,
    { header },
    400,
  );

/** @param supported for a modern request, as `server/discover` lists them */
const unsupported = (requested: string, supported: readonly string[]) =>
  new RpcError(
    "unsupported_version",
    `The protocol version ${requested} is not served.`,
    { supported, requested },
    400,
  );
