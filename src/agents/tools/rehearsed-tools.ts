import type { McpServer } from "../profile";
import type { ToolName } from "./tool-names";
import { defineTool, type Tool } from "./tool";
import { z } from "zod";

/** Tools that have no effect on the world and look at nothing of it: in test mode they are real. */
const HARMLESS: readonly string[] = ["calculator", "date_arithmetic"] satisfies ToolName[];

/** A tool as test mode has it: the same to look at, with an answer that is made from its arguments alone. */
export const rehearsed = (tool: Tool): Tool =>
  HARMLESS.includes(tool.name)
    ? tool
    : {
        ...tool,
        call: async (args) =>
          `Rehearsed: ${tool.name} was called with ${JSON.stringify(args)}. Nothing left the process.`,
      };

/** The one tool that stands for all of a server: its own could only be learnt by asking it. */
export const rehearsedMcpTool = (server: McpServer): Tool =>
  rehearsed(
    defineTool({
      name: `${server.name}__rehearsed`,
      description: `Stands for the tools of the MCP server ${server.name} in test mode.`,
      parameters: z.looseObject({}),
      call: () => "",
    }),
  );
