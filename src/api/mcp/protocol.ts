import { type ClientCapabilities, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { OperationError } from "../in-process/operations";

/** A request, as its method sees it. */
export interface McpRequest {
  params: Record<string, unknown>;
  /** What the client can do, as far as this request says so. */
  capabilities: ClientCapabilities;
  /** What the client's user has said to input requests, by their keys. */
  responses: Record<string, unknown> | undefined;
}

/** A refusal as an error of JSON-RPC, for methods whose results cannot be errors. */
export const asProtocolError = ({ problem, message }: OperationError): ProtocolError =>
  new ProtocolError(
    problem.status < 500 ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    message,
    problem,
  );
