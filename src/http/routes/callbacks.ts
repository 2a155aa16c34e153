import { createRoute, z } from "@hono/zod-openapi";
import { answerInteraction } from "../../interactions/answer-interaction";
import { findByToken } from "../../interactions/find-interaction";
import { readForm } from "../../interactions/read-form";
import { showInteraction } from "../../interactions/show-interaction";
import { type AppContext, newRouter } from "../context";
import { EXAMPLE_INTERACTION } from "../examples";
import { isForm, jsonOrFormBody, readJson } from "../middleware/body";
import { BODY, errors, json } from "../operation";
import { interactionSchema } from "../schemas/interaction";

export const callbacks = newRouter();

const tags = ["Callbacks"];
const params = z.object({
  token: z
    .string()
    .min(1)
    .openapi({
      description: "The end of a `callback_url`. Whoever has it may answer.",
      example: `${EXAMPLE_INTERACTION.id}.bWFj`,
    }),
});

callbacks.openapi(
  createRoute({
    method: "get",
    path: "/v1/callbacks/{token}",
    operationId: "getCallback",
    tags,
    summary: "Read an interaction by its callback URL",
    description: "Needs no key: the URL is the capability.",
    security: [],
    request: { params },
    responses: {
      200: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
      ...errors("not_found", "rate_limited"),
    },
  }),
  async (c) => {
    const { services } = c.var;
    return c.json(
      await showInteraction(services, await findByToken(services, c.req.valid("param").token), { may_answer: true }),
      200,
    );
  },
);

callbacks.openapi(
  createRoute({
    method: "post",
    path: "/v1/callbacks/{token}",
    operationId: "answerCallback",
    tags,
    summary: "Answer an interaction by its callback URL",
    description:
      "As `POST /v1/interactions/{id}/answer`, without a key. A form may send `answers[q1]=…`, or just `q1=…`, and `decision`, `comment`, " +
      "`answered_by`; numbers and booleans are read as their question has them, and an empty field counts as absent.",
    security: [],
    middleware: [jsonOrFormBody],
    request: {
      params,
      body: {
        required: true,
        content: {
          "application/json": {
            schema: { $ref: "#/components/schemas/Answer" },
            example: { answers: { q1: "Twenty readers a day." } },
          },
          "application/x-www-form-urlencoded": {
            schema: { type: "object" as const, additionalProperties: { type: "string" as const } },
            example: { q1: "Twenty readers a day.", answered_by: "Ada" },
          },
        },
      },
    },
    responses: {
      200: json(interactionSchema, "The interaction, answered.", EXAMPLE_INTERACTION),
      ...errors(
        ...BODY,
        "not_found",
        "already_answered",
        "interaction_expired",
        "interaction_canceled",
        "rate_limited",
      ),
    },
  }),
  async (c) => {
    const { services } = c.var;
    const row = await findByToken(services, c.req.valid("param").token);
    const answer = isForm(c.req.header("Content-Type")) ? readForm(row, await fieldsOf(c)) : await readJson(c);
    return c.json(await answerInteraction(services, row, answer), 200);
  },
);

const fieldsOf = async (c: AppContext) => new URLSearchParams(new TextDecoder().decode(await c.req.arrayBuffer()));
