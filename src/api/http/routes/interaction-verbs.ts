import { createRoute, z } from "@hono/zod-openapi";
import { changeInteraction } from "#services/interactions/change-interaction";
import { findInteraction } from "#services/interactions/find-interaction";
import { extendSchema, readdressSchema } from "#services/interactions/requests";
import { interactionSchema } from "#services/interactions/schema";
import { showInteraction } from "#services/interactions/show-interaction";
import { noFieldsSchema } from "#services/runs/requests";
import { newRouter } from "../context";
import { EXAMPLE_INTERACTION } from "../examples";
import { jsonBody } from "../middleware/body";
import { BODY, errors, json, jsonRequest, KEYED, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY } from "../pages";
import { pathId } from "../schemas/common";
import { writtenUnderKey } from "../under-key";

export const interactionVerbs = newRouter();

const route = <V extends string>(verb: V, summary: string, effect: string) => ({
  method: "post" as const,
  path: `/v1/interactions/{id}/${verb}` as const,
  operationId: `${verb}Interaction`,
  tags: ["Interactions"],
  summary,
  description: `${effect} ${scopeNote("runs:write")}`,
  responses: {
    200: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
    ...errors(
      ...KEYED,
      ...QUERY,
      ...BODY,
      "not_found",
      "already_answered",
      "interaction_expired",
      "interaction_withdrawn",
      "interaction_canceled",
      ...(verb === "withdraw" ? (["answer_required"] as const) : []),
    ),
  },
});
const request = { params: z.object({ id: pathId("int") }), query: NO_QUERY };

interactionVerbs.openapi(
  createRoute({
    ...route("extend", "Extend an interaction", "Its deadline and reminder become later."),
    ...needs("runs:write", jsonBody()),
    request: {
      ...request,
      body: jsonRequest(extendSchema.meta({ id: "ExtendInteraction" }), { expires_at: "2026-12-05T09:30:00.000Z" }),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const row = await findInteraction(services, key, c.req.valid("param").id);
    const expires_at = Date.parse(c.req.valid("json").expires_at);
    const change = { to: "extend", by: key.id, expires_at } as const;
    return c.json(await changeInteraction(services, row, change, writtenUnderKey(c, row.id)), 200);
  },
);

interactionVerbs.openapi(
  createRoute({
    ...route(
      "readdress",
      "Address an interaction to somebody else",
      "It gets a new `callback_url`; the earlier one is refused.",
    ),
    ...needs("runs:write", jsonBody()),
    request: {
      ...request,
      body: jsonRequest(readdressSchema.meta({ id: "ReaddressInteraction" }), {
        name: "Ada",
        email: "ada@example.com",
      }),
    },
  }),
  async (c) => {
    const { services, key, held } = c.var;
    const row = await findInteraction(services, key, c.req.valid("param").id);
    if (held?.made) return c.json(await showInteraction(services, row, { may_answer: true }), 200);
    const { name = null, email = null } = c.req.valid("json");
    const change = { to: "readdress", by: key.id, name, email } as const;
    return c.json(await changeInteraction(services, row, change, writtenUnderKey(c, row.id)), 200);
  },
);

interactionVerbs.openapi(
  createRoute({
    ...route(
      "withdraw",
      "Withdraw an interaction",
      "The run continues as when nobody answers in time. Refused with `on_expiry: fail`.",
    ),
    ...needs("runs:write", jsonBody({ optional: true })),
    request: { ...request, body: jsonRequest(noFieldsSchema, {}, { required: false }) },
  }),
  async (c) => {
    const { services, key } = c.var;
    const row = await findInteraction(services, key, c.req.valid("param").id);
    const change = { to: "withdraw", by: key.id } as const;
    return c.json(await changeInteraction(services, row, change, writtenUnderKey(c, row.id)), 200);
  },
);
