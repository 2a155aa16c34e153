import { z } from "zod";
import type { ModelTool } from "#llm";

/** What an agent can do besides speaking. A call that fails rejects, and the agent is told why; its run goes on. */
export type Tool = ModelTool;

/** A failure of a tool, in words that help the agent that called it. */
export class ToolError extends Error {
  override name = "ToolError";
}

/** A tool whose arguments are read by a schema, from which the model learns of them. */
export function defineTool<T>(definition: {
  name: string;
  description: string;
  parameters: z.ZodType<T>;
  call(args: T, signal: AbortSignal): Promise<string> | string;
}): Tool {
  const { $schema: _, ...parameters } = z.toJSONSchema(definition.parameters, { io: "input" });
  return {
    name: definition.name,
    description: definition.description,
    parameters,
    async call(args, signal) {
      const parsed = definition.parameters.safeParse(args);
      if (!parsed.success) throw new ToolError(`The arguments do not fit. ${z.prettifyError(parsed.error)}`);
      return definition.call(parsed.data, signal);
    },
  };
}
