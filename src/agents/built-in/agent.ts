/** An agent that every tenant has. Its id is `builtin:<slug>`; it speaks with the model of the run's role `agent`. */
import type { ToolName } from "../tools/tool-names";

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
