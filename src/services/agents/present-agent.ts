import { toTime } from "../fields/time";
import type { AgentRow } from "#store/rows";
import { configuredTools, type ToolSettings } from "#agents/tools/tool-settings";
import type { BuiltInAgent } from "#agents/built-in/index";
import { builtInId } from "#agents/built-in/ids";
import { storedMcpServers } from "#agents/mcp-servers";

export interface PresentedAgent {
  object: "agent";
  id: string;
  built_in: boolean;
  name: string;
  description: string;
  capabilities: string[];
  when_to_use: string;
  input: string;
  output: string;
  instructions: string;
  tools: string[];
  /** Of the tools, those that are not configured here: planners do not see them. */
  unavailable_tools: string[];
  mcp_servers: { name: string; url: string; header_names: string[] }[];
  model: string | null;
  created_at: string | null;
  updated_at: string | null;
}

/** Shows an agent without the headers of its MCP servers. */
export function presentAgent(agent: AgentRow | BuiltInAgent, settings: ToolSettings): PresentedAgent {
  const { name, description, when_to_use, input, output, instructions } = agent;
  const shown = { name, description, when_to_use, input, output, instructions };
  const tools = toolsOf(agent);
  const usable = new Set<string>(configuredTools(tools, settings));
  const common = { ...shown, tools, unavailable_tools: tools.filter((tool) => !usable.has(tool)) };
  if ("slug" in agent) {
    return {
      object: "agent",
      id: builtInId(agent),
      built_in: true,
      ...common,
      capabilities: agent.capabilities,
      mcp_servers: [],
      model: null,
      created_at: null,
      updated_at: null,
    };
  }
  return {
    object: "agent",
    id: agent.id,
    built_in: false,
    ...common,
    capabilities: JSON.parse(agent.capabilities) as string[],
    mcp_servers: storedMcpServers(agent).map(({ sealed_headers: _, ...server }) => server),
    model: agent.model,
    created_at: toTime(agent.created_at),
    updated_at: toTime(agent.updated_at),
  };
}

const toolsOf = (agent: AgentRow | BuiltInAgent): string[] =>
  "slug" in agent ? agent.tools : (JSON.parse(agent.tools) as string[]);
