import { OpenAPIHono } from "@hono/zod-openapi";
import { Problem } from "#core/errors";
import { toFieldErrors, validationProblem } from "#services/fields/field-errors";
import type { Services } from "#services/services";
import { operationKey } from "./audit-entry";
import { problemsAsPages } from "./answer-page/serve";
import type { AppContext, AppEnv, HttpBindings } from "./context";
import { serveA2a } from "../a2a/serve";
import { serveCard } from "../a2a/card";
import { serveMcp } from "../mcp/serve";
import { authenticated } from "./middleware/auth";
import { boundBody, jsonBody } from "./middleware/body";
import { safeHeaders } from "./middleware/headers";
import { logRequests } from "./middleware/log";
import { ownOrigin } from "./middleware/own-origin";
import { limitKey } from "./middleware/rate-limit";
import { requestId } from "./middleware/request-id";
import { notFound, wrongMethod } from "./not-found";
import { errorResponse } from "./problem";
import { agents } from "./routes/agents";
import { artifacts } from "./routes/artifacts";
import { auditLog } from "./routes/audit-log";
import { budget } from "./routes/budget";
import { callbacks } from "./routes/callbacks";
import { consolePages } from "./routes/console";
import { corpora } from "./routes/corpora";
import { datasetItems } from "./routes/dataset-items";
import { datasets } from "./routes/datasets";
import { schedules } from "./routes/schedules";
import { templates } from "./routes/templates";
import { docs } from "./routes/docs";
import { documents } from "./routes/documents";
import { events } from "./routes/events";
import { health } from "./routes/health";
import { interactions } from "./routes/interactions";
import { interactionVerbs } from "./routes/interaction-verbs";
import { keys } from "./routes/keys";
import { models } from "./routes/models";
import { providers } from "./routes/providers";
import { metrics } from "./routes/metrics";
import { deploymentMetrics } from "./routes/deployment-metrics";
import { usage } from "./routes/usage";
import { runVerbs } from "./routes/run-verbs";
import { runs } from "./routes/runs";
import { tenant } from "./routes/tenant";
import { deliveries } from "./routes/deliveries";
import { leases } from "./routes/leases";
import { webhookEndpoints } from "./routes/webhook-endpoints";
import { workflows as workflowRoutes } from "./routes/workflows";

const RESOURCES = [
  runs,
  runVerbs,
  artifacts,
  events,
  interactions,
  interactionVerbs,
  callbacks,
  workflowRoutes,
  agents,
  corpora,
  documents,
  templates,
  schedules,
  datasets,
  datasetItems,
  keys,
  models,
  providers,
  auditLog,
  tenant,
  metrics,
  budget,
  usage,
  webhookEndpoints,
  deliveries,
  leases,
  deploymentMetrics,
  health,
  docs,
  consolePages,
];

/**
 * The API as a Hono app. Its OpenAPI document is a static file, which `npm run openapi` makes of the routes (openapi.ts): the Worker holds no generator.
 * @param services makes the services of a request from the environment
 */
export function createApp<E extends HttpBindings>(services: (env: E, request: Request) => Services) {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuse });
  app.onError(errorResponse);
  app.use(requestId, logRequests, safeHeaders);
  app.use("/v1/callbacks/:token", problemsAsPages);
  app.use(boundBody);
  let actions: ReadonlyMap<string, string> | undefined;
  app.use(async (c, next) => {
    c.set("services", services(c.env as E, c.req.raw));
    c.set("actions", (actions ??= actionsOf(app)));
    await next();
  });
  app.use(wrongMethod(app));
  for (const resource of RESOURCES) app.route("/", resource);
  const within = (c: AppContext) => (request: Request) => app.fetch(request, c.env, c.executionCtx);
  app.post("/mcp", authenticated, limitKey(), ownOrigin, jsonBody(), (c) => serveMcp(c, within(c)));
  app.post("/a2a", authenticated, limitKey(), ownOrigin, jsonBody(), (c) => serveA2a(c, within(c)));
  app.get("/.well-known/agent-card.json", serveCard);
  app.notFound(notFound);
  return app;
}

/** The names of all operations, by `operationKey`. */
const actionsOf = (app: OpenAPIHono<AppEnv>): ReadonlyMap<string, string> =>
  new Map(
    app.openAPIRegistry.definitions.flatMap((definition) => {
      if (definition.type !== "route") return [];
      const { method, path, operationId } = definition.route;
      return [[operationKey(method, path), operationId!] as const];
    }),
  );

type Validated = { target: string } & (
  | { success: true }
  | { success: false; error: Parameters<typeof toFieldErrors>[0]; data?: unknown }
);

/** Throws the errors that a validator found; the part of the request decides the error code. */
function refuse(result: Validated): void {
  if (result.success) return;
  const errors = toFieldErrors(result.error, result.data);
  if (result.target === "param") throw new Problem("not_found", "There is nothing with this id.");
  if (result.target === "query") {
    const queryErrors = errors.map((fieldError) =>
      fieldError.code === "unknown_field" ? { ...fieldError, message: "There is no such parameter here." } : fieldError,
    );
    throw new Problem(
      "invalid_query",
      queryErrors.map(({ path, message }) => `${path}: ${message}`).join(" "),
      queryErrors,
    );
  }
  throw validationProblem(errors);
}
