import { createRoute } from "@hono/zod-openapi";
import { getBudget } from "#services/budget/get-budget";
import { putBudget } from "#services/budget/put-budget";
import { budgetSchema, putBudgetSchema } from "#services/budget/schema";
import { newRouter } from "../context";
import { EXAMPLE_BUDGET } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, errors, json, jsonRequest, KEYED, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";

export const budget = newRouter();

const tags = ["Tenant"];

budget.openapi(
  createRoute({
    method: "get",
    path: "/v1/budget",
    operationId: "getBudget",
    tags,
    summary: "Read the tenant's budget",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { query: NO_QUERY },
    responses: { 200: json(budgetSchema, "The budget.", EXAMPLE_BUDGET), ...errors(...KEYED, ...QUERY) },
  }),
  async (c) => c.json(await getBudget(c.var.services, c.var.key.tenant_id), 200),
);

budget.openapi(
  createRoute({
    method: "put",
    path: "/v1/budget",
    operationId: "putBudget",
    tags,
    summary: "Set the tenant's budget",
    description: `At 50, 80 and 100 % webhooks get \`budget.reached\`. Needs a live key. ${scopeNote("admin")}`,
    ...needs("admin", jsonBody()),
    request: { query: NO_QUERY, body: jsonRequest(putBudgetSchema, { amount_usd: 100, at_limit: "refuse" }) },
    responses: {
      200: json(budgetSchema, "The budget.", EXAMPLE_BUDGET),
      ...errors(...KEYED, ...QUERY, ...BODY, "wrong_mode"),
    },
  }),
  async (c) => c.json(await putBudget(c.var.services, c.var.key, c.req.valid("json")), 200),
);
