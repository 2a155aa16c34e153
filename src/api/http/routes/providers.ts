import { z } from "@hono/zod-openapi";
import { deleteProviderKey, getProvider, listProviders, putProviderKey } from "#services/providers/providers";
import { providerKeySchema, providerSchema } from "#services/providers/schema";
import { Router } from "../context";
import { EXAMPLE_PROVIDER } from "../examples";
import { changeRoute, deleteRoute, readRoute } from "../keyed-routes";
import { json, jsonRequest } from "../operation";

export const providers = new Router("Providers");

const params = z.object({ provider: z.string().openapi({ example: "openai" }) });
const listSchema = z.strictObject({ data: z.array(providerSchema), next_cursor: z.null() }).openapi("ProviderList");
const answer = json(providerSchema, "The provider.", EXAMPLE_PROVIDER);

readRoute(
  providers,
  {
    path: "/v1/providers",
    operationId: "listProviders",
    summary: "List model providers",
    description: "Those that the host has configured, on one page.",
    scope: "runs:read",
    answer: json(listSchema, "The providers.", { data: [EXAMPLE_PROVIDER], next_cursor: null }),
  },
  async ({ services, owner }) => ({ data: await listProviders(services, owner), next_cursor: null }),
);

readRoute(
  providers,
  {
    path: "/v1/providers/{provider}",
    operationId: "getProvider",
    summary: "Read a model provider",
    scope: "runs:read",
    params,
    answer,
  },
  ({ services, owner, params: { provider } }) => getProvider(services, owner, provider),
);

changeRoute(
  providers,
  {
    method: "put",
    path: "/v1/providers/{provider}/key",
    operationId: "putProviderKey",
    summary: "Set your own key for a provider",
    description:
      "Models of the provider are called with it from the next request on, at the URL that the host has configured, for runs and corpora of " +
      "the mode of the request's key; in test mode no model is called. It replaces a former one, and no answer shows it.",
    scope: "admin",
    params,
    body: jsonRequest(providerKeySchema, { api_key: "sk-your-own-key" }),
    answer,
    errors: ["provider_keys_off"],
  },
  ({ services, owner, params: { provider }, body: request, complete }) =>
    putProviderKey(services, { owner, provider, request }, complete(provider)),
);

deleteRoute(
  providers,
  {
    path: "/v1/providers/{provider}/key",
    operationId: "deleteProviderKey",
    summary: "Delete your own key for a provider",
    description: "The host's key is used again, unless the host requires your own.",
    scope: "admin",
    params,
  },
  ({ services, owner, params: { provider }, complete }) =>
    deleteProviderKey(services, owner, provider, complete(provider)),
);
