import type { AgentProfile, McpServer } from "../profile";
import type { UrlPolicy } from "#core/outbound/url-policy";
import type { Mode } from "#core/vocabulary";
import { calculator } from "./calculator";
import { dateArithmetic } from "./date-arithmetic";
import { httpRequest } from "./http-request";
import { mcpTools } from "./mcp";
import type { ToolName } from "./tool-names";
import { rehearsed, rehearsedMcpTool } from "./rehearsed-tools";
import { configuredTools, type ToolSettings } from "./tool-settings";
import { type Tool, ToolError } from "./tool";
import { webSearch } from "./web-search";

/** What `date_arithmetic` takes for the present in test mode: 1 January 2026, noon UTC. */
const REHEARSED_NOW = Date.UTC(2026, 0, 1, 12);

/** What tools need to do their work. */
export interface ToolEnvironment {
  settings: ToolSettings;
  url_policy: UrlPolicy;
  /** The headers that an MCP server of the agent is called with. */
  headers(server: McpServer): Promise<Record<string, string>>;
}

/**
 * The tools of an agent: its own that are configured, then those that its MCP servers list. In test mode whatever would leave
 * the process is rehearsed. A server whose tools cannot be listed is stood in for by a tool that says why: nothing is thrown.
 */
export async function toolsFor(
  profile: Pick<AgentProfile, "tools" | "mcp_servers">,
  environment: ToolEnvironment,
  mode: Mode,
): Promise<Tool[]> {
  const own = configuredTools(profile.tools, environment.settings).map((name) =>
    build(name, environment, mode === "test" ? () => REHEARSED_NOW : Date.now),
  );
  if (mode === "test") return [...own.map(rehearsed), ...profile.mcp_servers.map(rehearsedMcpTool)];
  const remote = await Promise.all(profile.mcp_servers.map((server) => mcpTools(server, environment)));
  return distinct([...own, ...remote.flat()]).map((tool) => bounded(tool, environment.settings.timeout_ms));
}

/** Two servers can make one name between them; a provider would refuse both. */
function distinct(tools: Tool[]): Tool[] {
  const taken = new Set<string>();
  return tools.map((tool) => {
    let { name } = tool;
    for (let n = 2; taken.has(name); n++) name = `${tool.name.slice(0, 60)}_${n}`;
    taken.add(name);
    return { ...tool, name };
  });
}

/** A tool that gives up in time, and says so. */
const bounded = (tool: Tool, timeout_ms: number): Tool => ({
  ...tool,
  async call(args, signal) {
    const time = AbortSignal.timeout(timeout_ms);
    try {
      return await tool.call(args, AbortSignal.any([signal, time]));
    } catch (error) {
      throw time.aborted ? new ToolError(`${tool.name} did not answer within ${timeout_ms / 1000} s.`) : error;
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
