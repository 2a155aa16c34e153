import { expect } from "vitest";
import { createApp } from "#api/http/app";
import { declareIdempotency } from "#api/http/idempotent-operations";
import type { IdPrefix } from "#core/ids";
import { problemSchema } from "#api/http/schemas/problem";
import { call, type Reply } from "../support/parley";

interface Content {
  schema?: { parse?: (value: unknown) => unknown };
  examples?: Record<string, unknown>;
}

export interface Operation {
  method: string;
  path: string;
  operationId: string;
  security: unknown[];
  responses: Record<string, { content?: Record<string, Content> }>;
}

/** Every operation that the API declares, with the schemas of its answers. */
export const OPERATIONS: readonly Operation[] = declaredOperations();

function declaredOperations(): Operation[] {
  const app = createApp(() => {
    throw new Error("nothing is served here");
  });
  declareIdempotency(app);
  return app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === "route" ? [definition.route as unknown as Operation] : [],
  );
}

const operationOf = (method: string, path: string) =>
  OPERATIONS.find(
    (it) =>
      it.method === method.toLowerCase() &&
      new RegExp(`^${it.path.replace(/{\w+}/g, "[^/]+")}$`).test(path.split("?")[0]!),
  );

/** One request, as `call` of the support makes it. The answer must be one that the API declares, to the last field. */
export async function api(method: string, path: string, options: Parameters<typeof call>[2] = {}): Promise<Reply> {
  const reply = await call(method, path, options);
  const operation = operationOf(method, path);
  const type = reply.headers.get("content-type")?.split(";")[0];
  expect(reply.headers.get("x-request-id")).toBeTruthy();
  if ([429, 503].includes(reply.status)) expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
  if (reply.status >= 400 && reply.status !== 503) {
    expect(type).toBe("application/problem+json");
    problemSchema.parse(reply.body);
    expect(reply.body.status).toBe(reply.status);
    // A replayed answer has the id of the first request.
    const replayed = reply.headers.get("idempotency-replayed") === "true";
    if (!replayed) expect(reply.body.request_id).toBe(reply.headers.get("x-request-id"));
  }
  if (!operation) return reply;
  const declared = operation.responses[reply.status];
  if (!declared)
    throw new Error(`${operation.operationId} does not declare ${reply.status}: ${JSON.stringify(reply.body)}`);
  const content = declared.content?.[type ?? ""] ?? declared.content?.["*/*"];
  if (!declared.content) expect(reply.body).toBe("");
  else if (!content) throw new Error(`${operation.operationId} does not declare ${type} for ${reply.status}`);
  if (type === "application/json") content?.schema?.parse?.(reply.body);
  if (type === "application/problem+json") expect(Object.keys(content?.examples ?? {})).toContain(reply.body.code);
  return reply;
}

const PREFIXES: Record<string, IdPrefix> = {
  keys: "key",
  interactions: "int",
  agents: "agt",
  corpora: "cor",
  datasets: "dst",
  templates: "tpl",
  schedules: "sch",
  "webhook-endpoints": "whe",
  deliveries: "del",
};

/** The prefix of the ids for `{id}` of a path. */
export const prefixOf = (path: string): IdPrefix => PREFIXES[path.split("/")[2]!] ?? "run";

/** A refusal that is expected: its status and code, and the paths of its errors when they matter. */
export function refusal(status: number, code: string, ...paths: string[]) {
  const errors = expect.arrayContaining(paths.map((path) => expect.objectContaining({ path })));
  return { status, body: { code, ...(paths.length ? { errors } : {}) } };
}

/** A body that starts a run. */
export const startBody = (more: object = {}) => ({
  workflow: "requirements",
  input: { idea: "A library that lends tools to neighbours" },
  ...more,
});
