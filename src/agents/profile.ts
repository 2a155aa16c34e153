/** A remote MCP server of an agent. Its headers stay sealed in the store. */
export interface McpServer {
  /** Stands before the names of its tools. */
  name: string;
  url: string;
}

/** A worker agent as planners see it and as calls use it (WaAgents, 3.2: an entry of the Worker Profile). */
export interface AgentProfile {
  /** `agt_…`, or `builtin:<slug>`. */
  id: string;
  /** What plans and programs call it by, such as "Maths Tutor". Unique in the registry, whatever the case. */
  name: string;
  /** What it does, in a sentence. */
  description: string;
  capabilities: string[];
  when_to_use: string;
  /** What to hand it. */
  input: string;
  /** What it gives back. */
  output: string;
  /** Names of its tools; those that are not configured are left out. */
  tools: string[];
  /** Its system prompt. */
  instructions: string;
  /** `<provider>/<model>`; null: that of the run's role `agent`. */
  model: string | null;
  mcp_servers: McpServer[];
}
