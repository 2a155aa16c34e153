import { toTime } from "../fields/time";
import type { AgentRow } from "#store/rows";
import { configuredTools, type ToolSettings } from "#agents/tools/tool-settings";
import type { BuiltInAgent } from "#agents/built-in/index";
import { builtInId } from "#agents/built-in/ids";
import { storedMcpServers } from "#agents/mcp-servers";
import type { PresentedAgent } from "./schema";

/** Shows an agent without the headers of its MCP servers. */
export function presentAgent(agent: AgentRow | BuiltInAgent, settings: ToolSettings): PresentedAgent {
  const { name, description, when_to_use, input, output, instructions } = agent;
  const builtIn = "slug" in agent;
  const tools = builtIn ? agent.tools : (JSON.parse(agent.tools) as string[]);
  const usable = new Set<string>(configuredTools(tools, settings));
  return {
    object: "agent",
    id: builtIn ? builtInId(agent) : agent.id,
    built_in: builtIn,
    name,
    description,
    capabilities: builtIn ? agent.capabilities : (JSON.parse(agent.capabilities) as string[]),
    when_to_use,
    input,
    output,
    instructions,
    tools,
    unavailable_tools: tools.filter((tool) => !usable.has(tool)),
    mcp_servers: builtIn ? [] : storedMcpServers(agent).map(({ sealed_headers: _, ...server }) => server),
    model: builtIn ? null : agent.model,
    created_at: builtIn ? null : toTime(agent.created_at),
    updated_at: builtIn ? null : toTime(agent.updated_at),
  };
}
