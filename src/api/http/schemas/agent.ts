import { z } from "@hono/zod-openapi";
import { BUILT_IN_ID } from "#core/ids";
import { idPattern } from "#core/ids";
import { exampleId, time } from "#services/fields/schema";

const ID = new RegExp(`${idPattern("agt").source}|${BUILT_IN_ID.source}`);

export const agentId = z
  .string()
  .regex(ID)
  .openapi({ description: "`agt_` and a ULID, or `builtin:` and a name.", example: exampleId("agt") });

export const agentSchema = z
  .strictObject({
    object: z.literal("agent"),
    id: agentId,
    built_in: z.boolean().openapi({ description: "Read-only, and the same for every tenant." }),
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
      .openapi({ description: "Of the tools, those that are not configured here: planners do not see them." }),
    mcp_servers: z.array(
      z.strictObject({
        name: z.string(),
        url: z.string(),
        header_names: z.array(z.string()).openapi({ description: "Their values are not shown." }),
      }),
    ),
    model: z.string().nullable().openapi({ description: "null: that of the run's role `agent`." }),
    created_at: time.nullable(),
    updated_at: time.nullable(),
  })
  .openapi("Agent");
