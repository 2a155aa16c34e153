import { createRoute, z } from "@hono/zod-openapi";
import { Problem } from "#core/errors";
import { answerInteraction } from "#services/interactions/answer-interaction";
import { findForCallback, showInteraction } from "#services/interactions/interactions";
import { readAnswerForm } from "#services/interactions/read-answer-form";
import { answerOnPage, showPage } from "../answer-page/handlers";
import { prefersPage } from "../answer-page/negotiate";
import { type AppContext, Router } from "../context";
import { EXAMPLE_ANSWERED, EXAMPLE_INTERACTION } from "../examples";
import { writtenUnderKey } from "../under-key";
import { isForm, jsonOrFormBody, readJson } from "../middleware/body";
import { callbackToken } from "../middleware/callback-token";
import { callbackIdempotency } from "../middleware/idempotency";
import { limitCallback } from "../middleware/rate-limit";
import { BODY, errors, json, orPage } from "../operation";
import { interactionSchema } from "#services/interactions/schema";

export const callbacks = new Router("Callbacks");

const params = z.object({
  token: z
    .string()
    .min(1)
    .openapi({
      description: "The end of a `callback_url`. Anyone who has it may answer.",
      example: `${EXAMPLE_INTERACTION.id}.bWFj`,
    }),
});

callbacks.openapi(
  createRoute({
    method: "get",
    path: "/v1/callbacks/{token}",
    operationId: "getCallback",
    tags: [callbacks.tag],
    summary: "Read an interaction by its callback URL",
    description:
      "Needs no key: the URL is the capability. A client that prefers `text/html`, as browsers do, gets a page that shows the question with " +
      "its artifacts, and takes the answer; it works without JavaScript.",
    security: [],
    middleware: [callbackToken, limitCallback()],
    request: { params },
    responses: orPage({
      200: json(interactionSchema, "The interaction.", EXAMPLE_INTERACTION),
      ...errors("not_found", "link_replaced", "rate_limited"),
    }),
  }),
  async (c) => {
    const { services } = c.var;
    const row = await findForCallback(services, c.var.callback_link);
    if (prefersPage(c)) return showPage(c, row);
    return c.json(await showInteraction(services, row, { may_answer: true }), 200);
  },
);

callbacks.openapi(
  createRoute({
    method: "post",
    path: "/v1/callbacks/{token}",
    operationId: "answerCallback",
    tags: [callbacks.tag],
    summary: "Answer an interaction by its callback URL",
    description:
      "Like `POST /v1/interactions/{id}/answer`, without a key. A form may send `answers[q1]=…`, or just `q1=…`, and `decision`, `comment`, " +
      "`answered_by`; nested fields of `answer_schema` are named like `additions[notes]` and `additions[evidence][0][text]`. Numbers and " +
      "booleans are read by the type of their question or schema, an empty field counts as absent, and an unchanged `edited_content` is no " +
      "edit. A client that prefers `text/html` gets a page: the accepted answer, or the form with its errors.",
    security: [],
    middleware: [callbackToken, limitCallback(), callbackIdempotency(), jsonOrFormBody],
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
    responses: orPage({
      200: json(interactionSchema, "The interaction, answered.", EXAMPLE_ANSWERED),
      ...errors(
        ...BODY,
        "rate_limited",
        "not_found",
        "already_answered",
        "interaction_expired",
        "interaction_withdrawn",
        "interaction_canceled",
        "link_replaced",
      ),
    }),
  }),
  async (c) => {
    const { services } = c.var;
    const row = await findForCallback(services, c.var.callback_link);
    const form = isForm(c.req.header("Content-Type")) ? await fieldsOf(c) : null;
    if (form && prefersPage(c)) return answerOnPage(c, row, form);
    const answer = form ? await readAnswerForm(services, row, form) : { body: await readJson(c) };
    return c.json(
      await answerInteraction(services, row, { ...answer, link: row.link }, writtenUnderKey(c, row.id)),
      200,
    );
  },
);

/** Fields of a form. The page's own forms have fewer. */
const MAX_FIELDS = 10_000;

/** @throws Problem `payload_too_large` */
async function fieldsOf(c: AppContext): Promise<URLSearchParams> {
  const text = await c.req.text();
  if (text.length - text.replaceAll("&", "").length >= MAX_FIELDS)
    throw new Problem("payload_too_large", `The form has more than ${MAX_FIELDS} fields.`);
  return new URLSearchParams(text);
}
