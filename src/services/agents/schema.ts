import { z } from "zod";
import { BUILT_IN_ID, idPattern } from "#core/ids";
import { exampleId, time } from "../fields/schema";

export const agentId = z
  .string()
  .regex(new RegExp(`${idPattern("agt").source}|${BUILT_IN_ID.source}`))
  .meta({ description: "`agt_` and a ULID, or `builtin:` and a name.", example: exampleId("agt") });

/** The Agent of the API, without the headers of its MCP servers. */
export const agentSchema = z
  .strictObject({
    object: z.literal("agent"),
    id: agentId,
    built_in: z.boolean().describe("Read-only, and the same for every tenant."),
    name: z.string(),
    description: z.string(),
    capabilities: z.array(z.string()),
    when_to_use: z.string(),
    input: z.string(),
    output: z.string(),
    instructions: z.string(),
    tools: z.array(z.string()),
    unavailable_tools: z
      .array(z.string())
      .describe("Those of the tools that this deployment does not configure: planners do not see them."),
    mcp_servers: z.array(
      z.strictObject({
        name: z.string(),
        url: z.string(),
        header_names: z.array(z.string()).describe("Their values are not shown."),
      }),
    ),
    model: z.string().nullable().describe("null: the model of the run's role `agent`."),
    created_at: time.nullable(),
    updated_at: time.nullable(),
  })
  .meta({ id: "Agent" });
export type PresentedAgent = z.infer<typeof agentSchema>;
