import { listModels } from "#services/models/list-models";
import { modelListSchema } from "#services/models/schema";
import { Router } from "../context";
import { EXAMPLE_MODELS } from "../examples";
import { readRoute } from "../keyed-routes";
import { json } from "../operation";

export const models = new Router("Providers");

readRoute(
  models,
  {
    path: "/v1/models",
    operationId: "listModels",
    summary: "List models",
    description:
      "The models that the configured providers have for the deployment's keys, with the day on which one is shut down. Responses of " +
      "providers are cached for ten minutes. A test key sees the mock model only: no provider is asked.",
    scope: "runs:read",
    answer: json(modelListSchema, "The models, on one page.", EXAMPLE_MODELS),
  },
  ({ services, owner }) => listModels(services, owner.mode),
);
