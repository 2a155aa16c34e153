import { z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { answerInteraction } from "#services/interactions/answer-interaction";
import { findInteraction, listInteractions, showInteraction } from "#services/interactions/interactions";
import { interactionSchema, interactionStatusSchema } from "#services/interactions/schema";
import { has, type KeyRow, workflowsOf } from "#services/keys/authenticate";
import { Router } from "../context";
import { EXAMPLE_ANSWERED, EXAMPLE_INTERACTION } from "../examples";
import { listRoute, readRoute, verbRoute } from "../keyed-routes";
import { json, referredRequest } from "../operation";
import { jsonPage, pageQuery } from "../pages";
import { pathId } from "../schemas/common";
import { CLOSED } from "./interaction-verbs";

export const interactions = new Router("Interactions");

const params = z.object({ id: pathId("int") });
const viewer = (key: KeyRow) => ({ may_answer: has(key, "runs:write") });

listRoute(
  interactions,
  {
    path: "/v1/interactions",
    operationId: "listInteractions",
    summary: "List interactions",
    description: "Newest first; open ones, unless `status` asks for others.",
    scope: "runs:read",
    query: z.strictObject({
      ...pageQuery,
      run_id: pathId("run").optional(),
      status: interactionStatusSchema.default("open"),
    }),
    cursor: ["interactions", idPattern("int")],
    answer: jsonPage("InteractionPage", interactionSchema, "interactions", EXAMPLE_INTERACTION),
  },
  ({ services, owner, page, filter }) =>
    listInteractions(services, {
      ...page,
      filter: { ...filter, workflows: workflowsOf(owner) },
      viewer: viewer(owner),
    }),
);

readRoute(
  interactions,
  {
    path: "/v1/interactions/{id}",
    operationId: "getInteraction",
    summary: "Read an interaction",
    description: "Its `callback_url` is shown to keys that may write runs.",
    scope: "runs:read",
    params,
    answer: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
  },
  async ({ services, owner, params: { id } }) =>
    showInteraction(services, await findInteraction(services, owner, id), viewer(owner)),
);

verbRoute(
  interactions,
  {
    path: "/v1/interactions/{id}/answer",
    operationId: "answerInteraction",
    summary: "Answer an interaction",
    description:
      "The body must match the interaction's `answer_schema`. The first valid answer wins; the same answer again is no error.",
    scope: "runs:write",
    params,
    // By reference: the interaction's own schema decides, so the verb validates.
    body: referredRequest("Answer", { answers: { q1: "Twenty readers a day." } }),
    answer: json(interactionSchema, "The interaction, answered.", EXAMPLE_ANSWERED),
    errors: CLOSED,
  },
  async ({ services, owner, params: { id }, body, complete }) => {
    const row = await findInteraction(services, owner, id);
    return answerInteraction(services, row, { body }, complete(row.id));
  },
);
