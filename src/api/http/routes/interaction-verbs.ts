import { z } from "@hono/zod-openapi";
import { changeInteraction } from "#services/interactions/change-interaction";
import { findInteraction, showInteraction } from "#services/interactions/interactions";
import { extendSchema, reassignSchema } from "#services/interactions/requests";
import { interactionSchema } from "#services/interactions/schema";
import { Router } from "../context";
import { EXAMPLE_INTERACTION } from "../examples";
import { verbRoute } from "../keyed-routes";
import { json, jsonRequest, NO_FIELDS } from "../operation";
import { pathId } from "../schemas/common";

export const interactionVerbs = new Router("Interactions");

/** Why an interaction can no longer be answered or changed. */
export const CLOSED = [
  "already_answered",
  "interaction_expired",
  "interaction_withdrawn",
  "interaction_canceled",
] as const;

const route = <V extends string>(verb: V, summary: string, description: string) => ({
  path: `/v1/interactions/{id}/${verb}`,
  operationId: `${verb}Interaction`,
  summary,
  description,
  scope: "runs:write" as const,
  params: z.object({ id: pathId("int") }),
  answer: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
});

verbRoute(
  interactionVerbs,
  {
    ...route("extend", "Extend an interaction", "Its deadline and reminder become later."),
    body: jsonRequest(extendSchema.meta({ id: "ExtendInteraction" }), { expires_at: "2026-12-05T09:30:00.000Z" }),
    errors: CLOSED,
  },
  async ({ services, owner, params: { id }, body, complete }) => {
    const row = await findInteraction(services, owner, id);
    const change = { to: "extend", by: owner.id, expires_at: Date.parse(body.expires_at) } as const;
    return changeInteraction(services, row, change, complete(row.id));
  },
);

verbRoute(
  interactionVerbs,
  {
    ...route(
      "reassign",
      "Address an interaction to somebody else",
      "It gets a new `callback_url`; the earlier one is refused.",
    ),
    body: jsonRequest(reassignSchema.meta({ id: "ReassignInteraction" }), { name: "Ada", email: "ada@example.com" }),
    show: async ({ services, owner, params: { id } }) =>
      showInteraction(services, await findInteraction(services, owner, id), { may_answer: true }),
    errors: CLOSED,
  },
  async ({ services, owner, params: { id }, body: { name = null, email = null }, complete }) => {
    const row = await findInteraction(services, owner, id);
    return changeInteraction(services, row, { to: "reassign", by: owner.id, name, email }, complete(row.id));
  },
);

verbRoute(
  interactionVerbs,
  {
    ...route(
      "withdraw",
      "Withdraw an interaction",
      "The run continues as when nobody answers in time. Refused with `on_expiry: fail`.",
    ),
    body: NO_FIELDS,
    errors: [...CLOSED, "answer_required"],
  },
  async ({ services, owner, params: { id }, complete }) => {
    const row = await findInteraction(services, owner, id);
    return changeInteraction(services, row, { to: "withdraw", by: owner.id }, complete(row.id));
  },
);
