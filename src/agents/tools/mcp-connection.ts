import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";

/** A connection to a server, in either version of the protocol. */
export interface McpConnection {
  listTools(cursor: string | undefined, signal: AbortSignal): Promise<{ tools: Tool[]; nextCursor?: string }>;
  callTool(tool: Tool, args: Record<string, unknown>, signal: AbortSignal): Promise<CallToolResult>;
}
