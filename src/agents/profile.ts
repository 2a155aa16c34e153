/** A remote MCP server of an agent. The store keeps its headers sealed. */
export interface McpServer {
  /** Prefix of the names of its tools. */
  name: string;
  url: string;
}

/** A worker agent for planners and calls (WaAgents, 3.2: an entry of the Worker Profile). */
export interface AgentProfile {
  /** `agt_…`, or `builtin:<slug>`. */
  id: string;
  /** Name in plans and programs, such as "Maths Tutor". Unique in the registry, ignoring case. */
  name: string;
  /** Its purpose, in a sentence. */
  description: string;
  capabilities: string[];
  when_to_use: string;
  /** Description of its input. */
  input: string;
  /** Description of its output. */
  output: string;
  /** Names of its configured tools. */
  tools: string[];
  /** Its system prompt. */
  instructions: string;
  /** `<provider>/<model>`; null: the model of the run's role `agent`. */
  model: string | null;
  mcp_servers: McpServer[];
}
