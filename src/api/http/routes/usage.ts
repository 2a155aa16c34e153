import { getUsage } from "#services/usage/get-usage";
import { usageQuery, usageReportSchema } from "#services/usage/schema";
import { Router } from "../context";
import { EXAMPLE_USAGE_REPORT } from "../examples";
import { readRoute } from "../keyed-routes";
import { json } from "../operation";

export const usage = new Router("Tenant");

readRoute(
  usage,
  {
    path: "/v1/usage",
    operationId: "getUsage",
    summary: "Sum up usage and cost",
    description:
      "Of all runs and corpora in the key's mode, deleted ones too, by UTC day of use; `group_by` names `day`, `workflow`, `role`, `model`.",
    scope: "runs:read",
    query: usageQuery,
    answer: json(usageReportSchema, "The sums.", EXAMPLE_USAGE_REPORT),
  },
  ({ services, owner, query }) => getUsage(services, owner, query),
);
