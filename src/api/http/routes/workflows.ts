import { z } from "@hono/zod-openapi";
import { getWorkflow, listWorkflows } from "#services/runs/describe-workflow";
import { workflowSchema } from "#services/runs/workflow-schema";
import { Router } from "../context";
import { EXAMPLE_WORKFLOW } from "../examples";
import { readRoute } from "../keyed-routes";
import { json } from "../operation";

export const workflows = new Router("Workflows");

const listSchema = z.strictObject({ data: z.array(workflowSchema), next_cursor: z.null() }).openapi("WorkflowList");

readRoute(
  workflows,
  {
    path: "/v1/workflows",
    operationId: "listWorkflows",
    summary: "List workflows",
    description: "All of them, on one page.",
    scope: "runs:read",
    answer: json(listSchema, "The workflows.", { data: [EXAMPLE_WORKFLOW], next_cursor: null }),
  },
  ({ services }) => ({ data: listWorkflows(services), next_cursor: null }),
);

readRoute(
  workflows,
  {
    path: "/v1/workflows/{name}",
    operationId: "getWorkflow",
    summary: "Read a workflow's contract",
    description: "Stages, roles, actions, and the JSON Schemas of input, options and output.",
    scope: "runs:read",
    params: z.object({ name: z.string().openapi({ example: "requirements" }) }),
    answer: json(workflowSchema, "The workflow.", EXAMPLE_WORKFLOW),
  },
  ({ services, params: { name } }) => getWorkflow(services, name),
);
