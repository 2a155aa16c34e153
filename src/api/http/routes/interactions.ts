import { createRoute, z } from "@hono/zod-openapi";
import { idPattern } from "#core/ids";
import { answerInteraction } from "#services/interactions/answer-interaction";
import { findInteraction } from "#services/interactions/find-interaction";
import { listInteractions } from "#services/interactions/list-interactions";
import { showInteraction } from "#services/interactions/show-interaction";
import { has, workflowsOf } from "#services/keys/authenticate";
import type { KeyRow } from "#services/keys/authenticate";
import { newRouter } from "../context";
import { EXAMPLE_ANSWERED, EXAMPLE_INTERACTION } from "../examples";
import { writtenUnderKey } from "../under-key";
import { jsonBody, readJson } from "../middleware/body";
import { BODY, errors, json, KEYED, LIST, needs, QUERY, scopeNote } from "../operation";
import { NO_QUERY, jsonPage, pageQuery, readCursor, toAnswer } from "../pages";
import { pathId } from "../schemas/common";
import { interactionSchema, interactionStatusSchema } from "#services/interactions/schema";

export const interactions = newRouter();

const tags = ["Interactions"];
const params = z.object({ id: pathId("int") });
const viewer = (key: KeyRow) => ({ may_answer: has(key, "runs:write") });

interactions.openapi(
  createRoute({
    method: "get",
    path: "/v1/interactions",
    operationId: "listInteractions",
    tags,
    summary: "List interactions",
    description: `Newest first; open ones, unless \`status\` asks for others. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: {
      query: z.strictObject({
        ...pageQuery,
        run_id: pathId("run").optional(),
        status: interactionStatusSchema.default("open"),
      }),
    },
    responses: {
      200: jsonPage("InteractionPage", interactionSchema, "interactions", EXAMPLE_INTERACTION),
      ...errors(...KEYED, ...LIST),
    },
  }),
  async (c) => {
    const { limit, cursor, ...filter } = c.req.valid("query");
    const after = readCursor("interactions", idPattern("int"), cursor);
    const { services, key } = c.var;
    const page = await listInteractions(services, {
      owner: key,
      filter: { ...filter, workflows: workflowsOf(key) },
      limit,
      after,
      viewer: viewer(key),
    });
    return c.json(toAnswer("interactions", page), 200);
  },
);

interactions.openapi(
  createRoute({
    method: "get",
    path: "/v1/interactions/{id}",
    operationId: "getInteraction",
    tags,
    summary: "Read an interaction",
    description: `Its \`callback_url\` is shown to keys that may write runs. ${scopeNote("runs:read")}`,
    ...needs("runs:read"),
    request: { params, query: NO_QUERY },
    responses: {
      200: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
      ...errors(...KEYED, ...QUERY, "not_found"),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const row = await findInteraction(services, key, c.req.valid("param").id);
    return c.json(await showInteraction(services, row, viewer(key)), 200);
  },
);

interactions.openapi(
  createRoute({
    method: "post",
    path: "/v1/interactions/{id}/answer",
    operationId: "answerInteraction",
    tags,
    summary: "Answer an interaction",
    description: `The body must match the interaction's \`answer_schema\`. The first valid answer wins; the same answer again is no error. ${scopeNote("runs:write")}`,
    ...needs("runs:write", jsonBody()),
    request: {
      params,
      query: NO_QUERY,
      // By reference: the interaction's own schema decides, so the verb validates.
      body: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Answer" },
            example: { answers: { q1: "Twenty readers a day." } },
          },
        },
      },
    },
    responses: {
      200: json(interactionSchema, "The interaction, answered.", EXAMPLE_ANSWERED),
      ...errors(
        ...KEYED,
        ...QUERY,
        ...BODY,
        "not_found",
        "already_answered",
        "interaction_expired",
        "interaction_withdrawn",
        "interaction_canceled",
      ),
    },
  }),
  async (c) => {
    const { services, key } = c.var;
    const row = await findInteraction(services, key, c.req.valid("param").id);
    const answer = { body: await readJson(c) };
    return c.json(await answerInteraction(services, row, answer, writtenUnderKey(c, row.id)), 200);
  },
);
