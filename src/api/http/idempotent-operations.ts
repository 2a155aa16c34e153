import { type OpenAPIHono, z } from "@hono/zod-openapi";
import { type ErrorCode, ERRORS } from "#core/errors";
import type { AppEnv } from "./context";
import { errors, orPage } from "./operation";

const header = z.object({
  "Idempotency-Key": z.string().min(1).max(255).optional().openapi({
    description:
      "Makes the request safe to repeat: for 24 hours the same key and body get the first answer again at this path.",
    example: "6f1d2a0c-4b7e-4c39-9a55-2f0b8f6f7a11",
  }),
});

const replayed = {
  "Idempotency-Replayed": {
    description: "`true` when this is the answer to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string" as const, enum: ["true"] },
  },
};

/** Of every POST with an API key: it may need a key of the quota, and what it makes others. */
const QUOTA_CODES = ["quota_exceeded"] as const;
const CODES = [
  "invalid_idempotency_key",
  "idempotency_key_reused",
  "idempotency_key_in_flight",
  "idempotency_answer_unreadable",
] as const;

interface Declared {
  headers?: object;
  content?: { "application/problem+json"?: { examples: object }; "text/html"?: object };
}

/** Documents `Idempotency-Key` at every POST. */
export function declareIdempotency(app: OpenAPIHono<AppEnv>): void {
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== "route" || definition.route.method !== "post") continue;
    const { route } = definition;
    route.request = { ...route.request, headers: header };
    const responses = route.responses as Record<string, Declared>;
    const declared = Object.values(responses).flatMap(
      ({ content }) => Object.keys(content?.["application/problem+json"]?.examples ?? {}) as ErrorCode[],
    );
    const takesApiKey = route.security?.length !== 0;
    const asPages = Object.values(responses).some(({ content }) => content?.["text/html"]);
    const answers = errors(...inOrder([...declared, ...CODES, ...(takesApiKey ? QUOTA_CODES : [])]));
    Object.assign(responses, asPages ? orPage(answers) : answers);
    for (const [status, answer] of Object.entries(responses)) {
      // A copy: other routes may have the same answer.
      if (status.startsWith("2")) responses[status] = { ...answer, headers: { ...answer.headers, ...replayed } };
    }
  }
}

/** In the order of the table of errors, so that equal lists make equal documents. */
const inOrder = (codes: readonly ErrorCode[]) =>
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.includes(code));
