import { z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { createKey } from "#services/keys/create-key";
import { getKey, listKeys, revokeKey, updateKey } from "#services/keys/keys";
import { rollKey } from "#services/keys/roll-key";
import { createdKeySchema, createKeySchema, keySchema, rollKeySchema, updateKeySchema } from "#services/keys/schema";
import { Router } from "../context";
import { EXAMPLE_KEY } from "../examples";
import { changeRoute, creationRoute, deleteRoute, listRoute, readRoute } from "../keyed-routes";
import { created, json, jsonRequest } from "../operation";
import { jsonPage } from "../pages";
import { pathId } from "../schemas/common";

export const keys = new Router("Keys");

const EXAMPLE_CREATED = { ...EXAMPLE_KEY, key: `parley_test_${"x".repeat(39)}${EXAMPLE_KEY.hint}` };
const params = z.object({ id: pathId("key") });
const answer = json(keySchema, "The key.", EXAMPLE_KEY);

creationRoute(
  keys,
  {
    path: "/v1/keys",
    operationId: "createKey",
    summary: "Create a key",
    description: "Only this answer shows the key. A live key makes keys of both modes, a test key only test keys.",
    scope: "admin",
    body: jsonRequest(createKeySchema, { name: "backend", mode: "test", scopes: ["runs:read", "runs:write"] }),
    answer: created(createdKeySchema, "key", EXAMPLE_CREATED),
    errors: ["unknown_workflow", "wrong_mode"],
  },
  ({ services, owner, body, complete }) => createKey(services, owner, body, complete),
);

listRoute(
  keys,
  {
    path: "/v1/keys",
    operationId: "listKeys",
    summary: "List keys",
    description: "Newest first, revoked keys included.",
    scope: "admin",
    cursor: ["keys", idPattern("key")],
    answer: jsonPage("KeyPage", keySchema, "keys", EXAMPLE_KEY),
  },
  ({ services, page }) => listKeys(services, page),
);

readRoute(
  keys,
  { path: "/v1/keys/{id}", operationId: "getKey", summary: "Read a key", scope: "admin", params, answer },
  ({ services, owner, params: { id } }) => getKey(services, owner, id),
);

creationRoute(
  keys,
  {
    path: "/v1/keys/{id}/roll",
    operationId: "rollKey",
    summary: "Roll a key",
    description:
      "Makes a key with the same name, mode, scopes, workflows and lifetime, shown only in this answer; the replaced key expires at the end of the overlap, a day by default. A key that rolls itself stays valid for a minute at least.",
    scope: "admin",
    params,
    body: jsonRequest(rollKeySchema, { overlap_seconds: 3600 }, { required: false }),
    answer: created(createdKeySchema, "new key", EXAMPLE_CREATED),
    location: "/v1/keys",
    changed: ({ id }) => id,
    errors: ["key_ended", "key_in_use"],
  },
  ({ services, owner: caller, params: { id }, body: roll, complete }) =>
    rollKey(services, { caller, id, roll }, complete),
);

changeRoute(
  keys,
  {
    path: "/v1/keys/{id}",
    operationId: "updateKey",
    summary: "Change a key",
    description: "Its name or its scopes. A key cannot remove `admin` from itself.",
    scope: "admin",
    params,
    body: jsonRequest(updateKeySchema, { name: "backend, staging" }),
    answer,
    errors: ["key_in_use"],
  },
  ({ services, owner: caller, params: { id }, body: change, complete }) =>
    updateKey(services, { caller, id, change }, complete(id)),
);

deleteRoute(
  keys,
  {
    path: "/v1/keys/{id}",
    operationId: "revokeKey",
    summary: "Revoke a key",
    description: "Permanently. Lists still show it, with `revoked_at`. A key cannot revoke itself.",
    scope: "admin",
    params,
    answer: "Revoked.",
    errors: ["key_in_use"],
  },
  ({ services, owner, params: { id }, complete }) => revokeKey(services, owner, id, complete(id)),
);
