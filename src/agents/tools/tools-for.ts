import type { AgentProfile, McpServer } from "../profile";
import type { UrlPolicy } from "#core/outbound/url-policy";
import type { Mode } from "#core/vocabulary";
import { calculator } from "./calculator";
import { dateArithmetic } from "./date-arithmetic";
import { httpRequest } from "./http-request";
import { mcpTools } from "./mcp";
import type { ToolName } from "./tool-names";
import { mockTool, mockMcpTool } from "./mock-tools";
import { configuredTools, type ToolSettings } from "./tool-settings";
import { type Tool, ToolError } from "./tool";
import { webSearch } from "./web-search";

/** The present for `date_arithmetic` in test mode: 1 January 2026, noon UTC. */
const MOCK_NOW = Date.UTC(2026, 0, 1, 12);

export interface ToolEnvironment {
  settings: ToolSettings;
  url_policy: UrlPolicy;
  /** Headers for requests to an MCP server of the agent. */
  headers(server: McpServer): Promise<Record<string, string>>;
}

/**
 * The tools of an agent: its configured ones, then those that its MCP servers list. In test mode tools that make network requests are
 * mocked. A server whose tools cannot be listed is replaced by a tool that says why.
 * @throws StorageUnavailableError when headers cannot be read at the moment
 */
export async function toolsFor(
  profile: Pick<AgentProfile, "tools" | "mcp_servers">,
  environment: ToolEnvironment,
  mode: Mode,
): Promise<Tool[]> {
  const own = configuredTools(profile.tools, environment.settings).map((name) =>
    build(name, environment, mode === "test" ? () => MOCK_NOW : Date.now),
  );
  if (mode === "test") return [...own.map(mockTool), ...profile.mcp_servers.map(mockMcpTool)];
  const remote = await Promise.all(profile.mcp_servers.map((server) => mcpTools(server, environment)));
  return distinct([...own, ...remote.flat()]).map((tool) => withTimeout(tool, environment.settings.timeout_ms));
}

/** Makes names unique: two servers may produce the same name, which providers refuse. */
function distinct(tools: Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let n = 2; taken.has(name); n++) name = `${tool.name.slice(0, 60)}_${n}`;
    taken.add(name);
    return { ...tool, name };
  });
}

/** Adds a timeout to a tool. */
const withTimeout = (tool: Tool, timeout_ms: number): Tool => ({
  ...tool,
  async call(args, signal) {
    const timeout = AbortSignal.timeout(timeout_ms);
    try {
      return await tool.call(args, AbortSignal.any([signal, timeout]));
    } catch (error) {
      throw timeout.aborted ? new ToolError(`${tool.name} did not answer within ${timeout_ms / 1000} s.`) : error;
    }
  },
});

function build(name: ToolName, environment: ToolEnvironment, now: () => number): Tool {
  switch (name) {
    case "calculator":
      return calculator;
    case "date_arithmetic":
      return dateArithmetic(now);
    case "http_request":
      return httpRequest(environment);
    case "web_search":
      return webSearch(environment.settings.web_search!);
  }
}
