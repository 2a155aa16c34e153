import type { McpServer } from "../profile";
import type { ToolName } from "./tool-names";
import { defineTool, type Tool } from "./tool";
import { z } from "zod";

/** Tools without network access; they are real in test mode too. */
const LOCAL: readonly string[] = ["calculator", "date_arithmetic"] satisfies ToolName[];

/** A tool for test mode: the same declaration, and an answer made from its arguments only. */
export const mockTool = (tool: Tool): Tool =>
  LOCAL.includes(tool.name)
    ? tool
    : {
        ...tool,
        call: async (args) => `Mock: ${tool.name} was called with ${JSON.stringify(args)}. Nothing left the process.`,
      };

/** Replaces all tools of a server in test mode: listing them would need a request. */
export const mockMcpTool = (server: McpServer): Tool =>
  mockTool(
    defineTool({
      name: `${server.name}__mock`,
      description: `Stands for the tools of the MCP server ${server.name} in test mode.`,
      parameters: z.looseObject({}),
      call: () => "",
    }),
  );
