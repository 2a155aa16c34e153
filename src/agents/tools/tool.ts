import { z } from "zod";
import type { ModelTool } from "#llm";

/** A tool of an agent. A failed call rejects; the agent reads the reason, and its run continues. */
export type Tool = ModelTool;

/** A failure of a tool; the message tells the calling agent what to do. */
export class ToolError extends Error {
  override name = "ToolError";
}

/** Makes a tool from a schema, which validates its arguments and describes them to the model. */
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
