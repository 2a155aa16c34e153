import type { ToolName } from "../tools/tool-names";

/** An agent available to all tenants. Its id is `builtin:<slug>`; it uses the model of the run's role `agent`. */
export interface BuiltInAgent {
  slug: string;
  name: string;
  description: string;
  capabilities: string[];
  when_to_use: string;
  input: string;
  output: string;
  tools: ToolName[];
  instructions: string;
}
