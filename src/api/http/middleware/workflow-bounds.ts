import type { MiddlewareHandler } from "hono";
import { Problem } from "#core/errors";
import { workflowsOf } from "#services/keys/authenticate";
import { requireInteractionOf, requireRunOf } from "#services/runs/workflow-bounds";
import type { AppContext, AppEnv } from "../context";

const RUNS = /^\/v1\/(runs|interactions)(\/|$)/;
const READABLE = /^\/v1\/(workflows|agents|corpora|datasets|tenant)(\/|$)/;

/**
 * Keeps a key that is bound to workflows to their runs and interactions, and to reading what all runs share. Verbs that list and start runs
 * look at the workflows themselves.
 */
export const withinWorkflows: MiddlewareHandler<AppEnv> = async (c, next) => {
  const workflows = workflowsOf(c.var.key);
  if (workflows) await requireWithin(c, workflows);
  await next();
};

async function requireWithin(c: AppContext, workflows: readonly string[]): Promise<void> {
  const { services, key } = c.var;
  const { path, method } = c.req;
  const id = c.req.param("id");
  const isReading = method === "GET" || method === "HEAD" || path.endsWith("/search");
  const [, kind] = RUNS.exec(path) ?? [];
  if (kind === "runs" && id) await requireRunOf(services, workflows, key, id);
  if (kind === "interactions" && id) await requireInteractionOf(services, workflows, key, id);
  if (!kind && !(isReading && READABLE.test(path))) {
    throw new Problem(
      "workflow_not_allowed",
      `The key ${key.id} is bound to ${workflows.join(", ")} and does not reach ${method} ${path}.`,
    );
  }
}
