import { createRoute, z } from "@hono/zod-openapi";
import { getWorkflow, listWorkflows } from "#services/runs/describe-workflow";
import { newRouter } from "../context";
import { EXAMPLE_WORKFLOW } from "../examples";
import { errors, json, KEYED, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { workflowSchema } from "#services/runs/workflow-schema";

export const workflows = newRouter();

const tags = ["Workflows"];
const workflowListSchema = z
  .strictObject({ data: z.array(workflowSchema), next_cursor: z.null() })
  .openapi("WorkflowList");

workflows.openapi(
  createRoute({
    method: "get",
    path: "/v1/workflows",
    operationId: "listWorkflows",
    tags,
    summary: "List workflows",
    description: `All of them, on one page. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: NO_QUERY },
    responses: {
      200: json(workflowListSchema, "The workflows.", { data: [EXAMPLE_WORKFLOW], next_cursor: null }),
      ...errors(...KEYED, ...QUERY),
    },
  }),
  (c) => c.json({ data: listWorkflows(c.var.services), next_cursor: null }, 200),
);

workflows.openapi(
  createRoute({
    method: "get",
    path: "/v1/workflows/{name}",
    operationId: "getWorkflow",
    tags,
    summary: "Read a workflow's contract",
    description: `Stages, roles, actions, and the JSON Schemas of input, options and output. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params: z.object({ name: z.string().openapi({ example: "requirements" }) }), query: NO_QUERY },
    responses: {
      200: json(workflowSchema, "The workflow.", EXAMPLE_WORKFLOW),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  (c) => c.json(getWorkflow(c.var.services, c.req.valid("param").name), 200),
);
