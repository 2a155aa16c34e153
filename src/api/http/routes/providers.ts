import { createRoute, z } from "@hono/zod-openapi";
import { deleteProviderKey } from "#services/providers/delete-key";
import { getProvider, listProviders } from "#services/providers/list-providers";
import { putProviderKey } from "#services/providers/put-key";
import { providerKeySchema, providerSchema } from "#services/providers/schema";
import { newRouter } from "../context";
import { EXAMPLE_PROVIDER } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, errors, json, jsonRequest, KEYED, needs, QUERY, requestIdHeader, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";

export const providers = newRouter();

const tags = ["Providers"];
const params = z.object({ provider: z.string().openapi({ example: "openai" }) });
const listSchema = z.strictObject({ data: z.array(providerSchema), next_cursor: z.null() }).openapi("ProviderList");

providers.openapi(
  createRoute({
    method: "get",
    path: "/v1/providers",
    operationId: "listProviders",
    tags,
    summary: "List model providers",
    description: `Those that the host has configured, on one page. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { query: NO_QUERY },
    responses: {
      200: json(listSchema, "The providers.", { data: [EXAMPLE_PROVIDER], next_cursor: null }),
      ...errors(...KEYED, ...QUERY),
    },
  }),
  async (c) => c.json({ data: await listProviders(c.var.services, c.var.key), next_cursor: null }, 200),
);

providers.openapi(
  createRoute({
    method: "get",
    path: "/v1/providers/{provider}",
    operationId: "getProvider",
    tags,
    summary: "Read a model provider",
    description: scopeNote("runs:read"),
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: json(providerSchema, "The provider.", EXAMPLE_PROVIDER),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => c.json(await getProvider(c.var.services, c.var.key, c.req.valid("param").provider), 200),
);

providers.openapi(
  createRoute({
    method: "put",
    path: "/v1/providers/{provider}/key",
    operationId: "putProviderKey",
    tags,
    summary: "Set your own key for a provider",
    description:
      "Models of the provider are called with it from the next request on, at the URL that the host has configured, for runs and corpora of " +
      `the mode of the request's key; in test mode no model is called. It replaces a former one, and no answer shows it. ${scopeNote("admin")}`,
    ...needs("admin", jsonBody()),
    request: { params, query: NO_QUERY, body: jsonRequest(providerKeySchema, { api_key: "sk-your-own-key" }) },
    responses: {
      200: json(providerSchema, "The provider.", EXAMPLE_PROVIDER),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "provider_keys_off"),
    },
  }),
  async (c) => {
    const { provider } = c.req.valid("param");
    const change = { owner: c.var.key, provider, request: c.req.valid("json") };
    return c.json(await putProviderKey(c.var.services, change), 200);
  },
);

providers.openapi(
  createRoute({
    method: "delete",
    path: "/v1/providers/{provider}/key",
    operationId: "deleteProviderKey",
    tags,
    summary: "Delete your own key for a provider",
    description: `The host's key is used again, unless the host requires your own. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "Deleted.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    await deleteProviderKey(c.var.services, c.var.key, c.req.valid("param").provider);
    return c.body(null, 204);
  },
);
