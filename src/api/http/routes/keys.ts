import { createRoute, z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { createKey } from "#services/keys/create-key";
import { getKey } from "#services/keys/get-key";
import { listKeys } from "#services/keys/list-keys";
import { rollKey } from "#services/keys/roll-key";
import { revokeKey } from "#services/keys/revoke-key";
import { createdKeySchema, createKeySchema, keySchema, rollKeySchema, updateKeySchema } from "#services/keys/schema";
import { updateKey } from "#services/keys/update-key";
import { newRouter } from "../context";
import { answerCreated, writtenUnderKey } from "../under-key";
import { EXAMPLE_KEY } from "../examples";
import { jsonBody } from "../middleware/body";
import {
  BODY,
  created,
  errors,
  json,
  jsonRequest,
  KEYED,
  LIST,
  needs,
  QUERY,
  requestIdHeader,
  scopeNote,
} from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";

export const keys = newRouter();

const tags = ["Keys"];
const EXAMPLE_CREATED = { ...EXAMPLE_KEY, key: `parley_test_${"x".repeat(39)}${EXAMPLE_KEY.hint}` };
const params = z.object({ id: pathId("key") });

keys.openapi(
  createRoute({
    method: "post",
    path: "/v1/keys",
    operationId: "createKey",
    tags,
    summary: "Create a key",
    description: `Only this answer shows the key. A live key makes keys of both modes, a test key only test keys. ${scopeNote("admin")}`,
    ...needs("admin", jsonBody()),
    request: {
      query: NO_QUERY,
      body: jsonRequest(createKeySchema, { name: "backend", mode: "test", scopes: ["runs:read", "runs:write"] }),
    },
    responses: {
      201: created(createdKeySchema, "key", EXAMPLE_CREATED),
      ...errors(...KEYED, ...QUERY, ...BODY, "unknown_workflow", "wrong_mode"),
    },
  }),
  async (c) => {
    const { services, key: caller } = c.var;
    return answerCreated(c, "/v1/keys", (settle) => createKey(services, caller, c.req.valid("json"), settle));
  },
);

keys.openapi(
  createRoute({
    method: "get",
    path: "/v1/keys",
    operationId: "listKeys",
    tags,
    summary: "List keys",
    description: `Newest first, revoked keys included. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: { query: z.strictObject(pageQuery) },
    responses: {
      200: jsonPage("KeyPage", keySchema, "keys", EXAMPLE_KEY),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor } = c.req.valid("query");
    const after = readCursor("keys", idPattern("key"), cursor);
    const page = await listKeys(c.var.services, { owner: c.var.key, limit, after });
    return c.json(toAnswer("keys", page), 200);
  },
);

keys.openapi(
  createRoute({
    method: "get",
    path: "/v1/keys/{id}",
    operationId: "getKey",
    tags,
    summary: "Read a key",
    description: scopeNote("admin"),
    ...needs("admin"),
    request: { params, query: NO_QUERY },
    responses: { 200: json(keySchema, "The key.", EXAMPLE_KEY), ...errors(...KEYED, ...QUERY, "not_found") },
  }),
  async (c) => c.json(await getKey(c.var.services, c.var.key, c.req.valid("param").id), 200),
);

keys.openapi(
  createRoute({
    method: "post",
    path: "/v1/keys/{id}/roll",
    operationId: "rollKey",
    tags,
    summary: "Roll a key",
    description: `Makes a key with the same name, mode, scopes, workflows and lifetime, shown only in this answer; the replaced key expires at the end of the overlap, a day by default. A key that rolls itself stays valid for a minute at least. ${scopeNote("admin")}`,
    ...needs("admin", jsonBody({ optional: true })),
    request: {
      params,
      query: NO_QUERY,
      body: jsonRequest(rollKeySchema, { overlap_seconds: 3600 }, { required: false }),
    },
    responses: {
      201: created(createdKeySchema, "new key", EXAMPLE_CREATED),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "key_ended", "key_in_use"),
    },
  }),
  async (c) => {
    const { services, key: caller } = c.var;
    const { id } = c.req.valid("param");
    const request = { caller, id, roll: c.req.valid("json") };
    return answerCreated(c, "/v1/keys", (settle) => rollKey(services, request, settle), id);
  },
);

keys.openapi(
  createRoute({
    method: "patch",
    path: "/v1/keys/{id}",
    operationId: "updateKey",
    tags,
    summary: "Change a key",
    description: `Its name or its scopes. A key cannot remove \`admin\` from itself. ${scopeNote("admin")}`,
    ...needs("admin", jsonBody()),
    request: { params, query: NO_QUERY, body: jsonRequest(updateKeySchema, { name: "backend, staging" }) },
    responses: {
      200: json(keySchema, "The key.", EXAMPLE_KEY),
      ...errors(...KEYED, ...QUERY, ...BODY, "not_found", "key_in_use"),
    },
  }),
  async (c) => {
    const request = { caller: c.var.key, id: c.req.valid("param").id, change: c.req.valid("json") };
    return c.json(await updateKey(c.var.services, request, writtenUnderKey(c, request.id)), 200);
  },
);

keys.openapi(
  createRoute({
    method: "delete",
    path: "/v1/keys/{id}",
    operationId: "revokeKey",
    tags,
    summary: "Revoke a key",
    description: `Permanently. Lists still show it, with \`revoked_at\`. A key cannot revoke itself. ${scopeNote("admin")}`,
    ...needs("admin"),
    request: { params, query: NO_QUERY },
    responses: {
      204: { description: "Revoked.", headers: requestIdHeader },
      ...errors(...KEYED, ...QUERY, "not_found", "key_in_use"),
    },
  }),
  async (c) => {
    const { id } = c.req.valid("param");
    await revokeKey(c.var.services, c.var.key, id, writtenUnderKey(c, id));
    return c.body(null, 204);
  },
);
