import type { Tool } from "@modelcontextprotocol/server";
import type { KeyRow } from "#services/keys/authenticate";
import { toJsonSchema } from "#services/runs/describe-workflow";
import { createRunSchema } from "#services/runs/requests";
import type { Services } from "#services/services";
import { startable } from "../in-process/runs";
import { KEY_PATTERN } from "./tools";

const PREFIX = "start_";

/** The workflow that a tool starts; null when it is no such tool. */
export function startedBy({ workflows }: Services, tool: string): string | null {
  const name = tool.startsWith(PREFIX) ? tool.slice(PREFIX.length) : "";
  return Object.hasOwn(workflows, name) ? name : null;
}

/** Making the schemas costs milliseconds of CPU; by workflow and mode they never change. */
const cache = new Map<string, Tool>();

/** The tools that start workflows, with the schemas of `POST /v1/runs`. */
export const startTools = (services: Services, key: KeyRow): Tool[] =>
  startable(services, key).map((name) => {
    const at = `${name} ${key.mode}`;
    const known = cache.get(at) ?? startTool(services, name, key.mode);
    cache.set(at, known);
    return known;
  });

function startTool({ workflows }: Services, name: string, mode: KeyRow["mode"]): Tool {
  const workflow = workflows[name]!;
  const schema = toJsonSchema(createRunSchema(workflow, { mode, url_policy: { allow_private: false } }), "input");
  const { workflow: _, test, ...properties } = schema.properties as Record<string, object>;
  const asks =
    "Returns at once; the run needs minutes and may ask questions in between. With a test key its models are mocks and cost nothing.";
  return {
    name: `${PREFIX}${name}`,
    title: `Start: ${workflow.title}`,
    description: `${workflow.summary} ${asks}`,
    inputSchema: {
      ...schema,
      type: "object",
      properties: {
        ...properties,
        ...(mode === "test" && { test: test! }),
        idempotency_key: {
          type: "string",
          maxLength: 255,
          pattern: KEY_PATTERN.source,
          description:
            "Makes the call safe to repeat: for 24 hours the same key and arguments get the first run again.",
        },
      },
      required: (schema.required as string[]).filter((field) => field !== "workflow"),
    } as Tool["inputSchema"],
    annotations: {
      title: `Start: ${workflow.title}`,
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: false,
      openWorldHint: true,
    },
  };
}
