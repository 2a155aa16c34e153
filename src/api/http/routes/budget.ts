import { getBudget, putBudget } from "#services/budget/budget";
import { budgetSchema, putBudgetSchema } from "#services/budget/schema";
import { Router } from "../context";
import { EXAMPLE_BUDGET } from "../examples";
import { changeRoute, readRoute } from "../keyed-routes";
import { json, jsonRequest } from "../operation";

export const budget = new Router("Tenant");

const answer = json(budgetSchema, "The budget.", EXAMPLE_BUDGET);

readRoute(
  budget,
  { path: "/v1/budget", operationId: "getBudget", summary: "Read the tenant's budget", scope: "runs:read", answer },
  ({ services, owner }) => getBudget(services, owner.tenant_id),
);

changeRoute(
  budget,
  {
    method: "put",
    path: "/v1/budget",
    operationId: "putBudget",
    summary: "Set the tenant's budget",
    description: "At 50, 80 and 100 % webhooks get `budget.reached`. Needs a live key.",
    scope: "admin",
    body: jsonRequest(putBudgetSchema, { amount_usd: 100, at_limit: "refuse" }),
    answer,
    errors: ["wrong_mode"],
  },
  ({ services, owner, body, complete }) => putBudget(services, owner, body, complete("budget")), // no object of the audit log
);
