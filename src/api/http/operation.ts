import { z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { type ErrorCode, ERRORS, problemObject } from "#core/errors";
import type { Scope } from "#core/vocabulary";
import { noFieldsSchema } from "#services/runs/requests";
import { auditRefusals } from "./middleware/audit";
import { authenticated, authorize } from "./middleware/auth";
import { idempotency } from "./middleware/idempotency";
import { limitKey } from "./middleware/rate-limit";
import { withinWorkflows } from "./middleware/workflow-bounds";
import type { AppEnv } from "./context";
import { problemSchema } from "./schemas/problem";

/** Errors that kinds of requests share; each route adds its own. */
export const KEYED = [
  "unauthenticated",
  "key_revoked",
  "key_expired",
  "missing_scope",
  "workflow_not_allowed",
  "rate_limited",
] as const;
export const BODY = ["malformed_json", "payload_too_large", "unsupported_media_type", "validation_failed"] as const;
export const QUERY = ["invalid_query"] as const;
export const LIST = ["invalid_query", "invalid_cursor"] as const;

/** Security and middleware of a route, in order of execution. */
export const needs = (scope: Scope, ...guards: MiddlewareHandler<AppEnv>[]) => ({
  security: [{ ApiKey: [] }],
  middleware: [authenticated, limitKey(), auditRefusals, authorize(scope), withinWorkflows, idempotency(), ...guards],
});

/** The scope, as a sentence for the description of a route. */
export const scopeNote = (scope: Scope) => `Needs the scope \`${scope}\`.`;

/** The description of a JSON answer. */
export interface JsonAnswer<T extends z.ZodType> {
  description: string;
  headers: object;
  content: { "application/json": { schema: T; example?: unknown } };
}

/** A JSON answer. */
export const json = <T extends z.ZodType>(schema: T, description: string, example?: unknown) => ({
  description,
  headers: requestIdHeader,
  content: { "application/json": { schema, ...(example !== undefined && { example }) } },
});

/** The JSON answer to a creation, with its `Location`. @param resource its name, such as `run` */
export const created = <T extends z.ZodType>(schema: T, resource: string, example: unknown) => ({
  ...json(schema, `The ${resource}.`, example),
  headers: {
    ...requestIdHeader,
    Location: { description: "Its path.", schema: { type: "string" as const } },
  },
});

/** A JSON body with a registered schema; the verb validates it, because its rules depend on the configuration too. */
export const referredRequest = (name: string, example?: unknown, { required = true } = {}) => ({
  required,
  content: {
    "application/json": {
      schema: { $ref: `#/components/schemas/${name}` },
      ...(example !== undefined && { example }),
    },
  },
});

/** The same answers, each also as a page for clients that prefer `text/html`. */
export function orPage<T extends Record<number, { description: string; content?: object }>>(answers: T) {
  const page = { "text/html": { schema: { type: "string" as const } } };
  const both = Object.entries(answers).map(([status, answer]) => [
    status,
    { ...answer, content: { ...answer.content, ...page } },
  ]);
  return Object.fromEntries(both) as { [Status in keyof T]: T[Status] & { content: typeof page } };
}

/** A JSON body, validated by its schema. */
export const jsonRequest = <T extends z.ZodType>(schema: T, example: unknown, { required = true } = {}) => ({
  required,
  content: { "application/json": { schema, example } },
});

/** An optional JSON body without fields. */
export const NO_FIELDS = jsonRequest(noFieldsSchema, {}, { required: false });

export const requestIdHeader = {
  "X-Request-Id": {
    description: "Identifies the request; the caller's own when it sent one.",
    schema: { type: "string" as const },
  },
};

export const retryAfterHeader = {
  "Retry-After": { description: "Seconds.", schema: { type: "integer" as const } },
};

/**
 * The error answers of a route, one for each status, each code with its example. They are not in the type, because handlers throw problems and
 * never return them.
 */
export function errors(...codes: ErrorCode[]): {} {
  const byStatus = Map.groupBy(
    new Set<ErrorCode>([...codes, "storage_unavailable", "internal_error"]),
    (code) => ERRORS[code].status,
  );
  return Object.fromEntries([...byStatus].map(([status, group]) => [status, errorResponse(group)]));
}

function errorResponse(codes: ErrorCode[]) {
  const examples = codes.map((code) => [code, { summary: ERRORS[code].title, value: exampleOf(code) }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERRORS[code].title}. ${ERRORS[code].help}`).join("\n\n"),
    headers: {
      ...requestIdHeader,
      ...(codes.some((code) => [429, 503].includes(ERRORS[code].status)) && retryAfterHeader),
    },
    content: { "application/problem+json": { schema: problemSchema, examples: Object.fromEntries(examples) } },
  };
}

const EXAMPLE_QUOTA = { name: "corpora", used: 100, limit: 100 };

const exampleOf = (code: ErrorCode) => ({
  ...problemObject(code, ERRORS[code].help, [], code === "quota_exceeded" ? EXAMPLE_QUOTA : undefined),
  request_id: "6b2f1c0e-8d1e-4a57-9f3e-0f4a2f6d7c11",
});
