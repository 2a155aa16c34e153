import { createRoute, type z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { ErrorCode } from "#core/errors";
import type { Page } from "#core/page";
import type { Scope } from "#core/vocabulary";
import type { PageRequest } from "#services/fields/page-request";
import type { Complete, RequestCompletion } from "#services/idempotency/complete-key";
import type { KeyRow } from "#services/keys/authenticate";
import type { Services } from "#services/services";
import type { AppContext, AppEnv, Router } from "./context";
import { jsonBody, readJson } from "./middleware/body";
import { BODY, errors, type JsonAnswer, KEYED, LIST, needs, QUERY, requestIdHeader, scopeNote } from "./operation";
import { NO_QUERY, PAGE, type pageQuery, type PageSchema, readCursor, toListResponse } from "./pages";
import { respondCreated, writtenUnderKey } from "./under-key";

/** Routes that need an API key. Each declares only what it has of its own. */

type NoFields = typeof NO_QUERY;

/** A JSON body by its zod schema, or by the name of a schema that the service validates. Where it is not required, an absent one reads as `{}`. */
interface Body<B extends z.ZodType> {
  required: boolean;
  content: { "application/json": { schema: B | { $ref: string }; example?: unknown } };
}

/** What a route of any kind says of itself. */
interface About<P extends z.ZodObject> {
  path: string;
  operationId: string;
  summary: string;
  /** Several are paragraphs. The scope is added. */
  description?: string | string[];
  scope: Scope;
  /** With parameters in its path a route may also answer `not_found`. */
  params?: P;
  /** Those that not all requests of its kind share. */
  errors?: readonly ErrorCode[];
}

/** A request that was checked. */
interface Call<P extends z.ZodObject = NoFields, Q extends z.ZodType = NoFields, B extends z.ZodType = z.ZodUnknown> {
  c: AppContext;
  services: Services;
  owner: KeyRow;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
}

/** Rows for the transaction that makes or changes what has this id. */
interface Writes {
  complete: (id: string) => RequestCompletion;
}

type Result<S extends z.ZodType> = Promise<z.input<S>> | z.input<S>;

interface KeyedRoute<P extends z.ZodObject, Q extends z.ZodType, B extends z.ZodType> extends About<P> {
  method: "get" | "post" | "put" | "patch" | "delete";
  query?: Q | undefined;
  /** The query is that of a list. */
  isList?: boolean;
  headers?: z.ZodObject;
  body?: Body<B> | undefined;
  /** A body of another kind, which the handler reads. */
  rawBody?: { content: object; guard: MiddlewareHandler<AppEnv> };
  responses: Record<number, { description: string; content?: object; headers?: object }>;
}

/** A route that is of none of the kinds below. */
export function keyedRoute<
  P extends z.ZodObject = NoFields,
  Q extends z.ZodType = NoFields,
  B extends z.ZodType = z.ZodUnknown,
>(router: Router, route: KeyedRoute<P, Q, B>, handle: (call: Call<P, Q, B>) => Promise<Response> | Response): void {
  const { method, path, operationId, summary, scope, params, query = NO_QUERY, headers, body, rawBody } = route;
  const paragraphs = [route.description ?? []].flat();
  const takes = rawBody ? { required: true, content: rawBody.content } : body;
  const guard = rawBody?.guard ?? (body && jsonBody({ optional: !body.required }));
  const config = createRoute({
    method,
    path,
    operationId,
    tags: [router.tag],
    summary,
    description: [...paragraphs, scopeNote(scope)].join(Array.isArray(route.description) ? "\n\n" : " "),
    ...needs(scope, ...(guard ? [guard] : [])),
    request: {
      ...(params && { params }),
      query: query as unknown as z.ZodObject, // the router accepts no other type
      ...(headers && { headers }),
      ...(takes && { body: takes }),
    },
    responses: {
      ...route.responses,
      ...errors(
        ...KEYED,
        ...(route.isList ? LIST : QUERY),
        ...(takes ? BODY : []),
        ...(params ? (["not_found"] as const) : []),
        ...(route.errors ?? []),
      ),
    },
  });
  const handler = async (c: AppContext) => {
    const checked = (part: "param" | "query" | "json"): any => c.req.valid(part as never);
    const isReferred = body && "$ref" in body.content["application/json"].schema;
    return handle({
      c,
      services: c.var.services,
      owner: c.var.key,
      params: checked("param"),
      query: checked("query"),
      body: isReferred ? await readJson(c) : checked("json"),
    });
  };
  router.openapi(config, handler as never);
}

/** Reads one thing. */
export function readRoute<S extends z.ZodType, P extends z.ZodObject = NoFields, Q extends z.ZodType = NoFields>(
  router: Router,
  { answer, ...route }: About<P> & { query?: Q; answer: JsonAnswer<S> },
  read: (call: Call<P, Q>) => Result<S>,
): void {
  keyedRoute<P, Q>(router, { ...route, method: "get", responses: { 200: answer } }, async (call) =>
    call.c.json(await read(call), 200),
  );
}

/** Lists things by pages. `cursor`: the name that is in cursors of this list, and the form of a position in it. */
export function listRoute<S extends z.ZodType, P extends z.ZodObject = NoFields, Q extends z.ZodObject = typeof PAGE>(
  router: Router,
  {
    answer,
    cursor: [list, form],
    ...route
  }: About<P> & { query?: Q; cursor: [string, RegExp]; answer: JsonAnswer<PageSchema<S>> },
  read: (
    call: Omit<Call<P>, "query"> & { page: PageRequest; filter: Omit<z.output<Q>, keyof typeof pageQuery> },
  ) => Promise<Page<z.input<S>>>,
): void {
  const config = {
    ...route,
    method: "get",
    query: route.query ?? PAGE,
    isList: true,
    responses: { 200: answer },
  } as const;
  keyedRoute<P, z.ZodType>(router, config, async ({ query, ...call }) => {
    const { limit, cursor, ...filter } = query as z.output<typeof PAGE>;
    const page = { owner: call.owner, limit, after: readCursor(list, form, cursor) };
    return call.c.json(toListResponse(list, await read({ ...call, page, filter: filter as never })), 200);
  });
}

/**
 * Creates one thing: 201 with its `Location`.
 * @param about `location`: the path of the collection, where it is another than the route's; `changed`: what the audit log's
 * entry is about, where it is not the new thing
 */
export function creationRoute<
  S extends z.ZodType<unknown, { id: string }>,
  P extends z.ZodObject = NoFields,
  B extends z.ZodType = z.ZodUnknown,
>(
  router: Router,
  {
    answer,
    location,
    changed,
    ...route
  }: About<P> & {
    body: Body<B>;
    answer: JsonAnswer<S>;
    location?: string;
    changed?: (params: z.output<P>) => string;
  },
  create: (call: Call<P, NoFields, B> & { origin: string; complete: Complete<z.input<S>> }) => Promise<z.input<S>>,
): void {
  keyedRoute<P, NoFields, B>(router, { ...route, method: "post", responses: { 201: answer } }, async (call) => {
    const { origin } = new URL(call.c.req.url);
    const made = (complete: Complete<z.input<S>>) => create({ ...call, origin, complete });
    return respondCreated(call.c, location ?? route.path, made, changed?.(call.params));
  });
}

/** Changes one thing, and shows it. */
export function changeRoute<S extends z.ZodType, P extends z.ZodObject = NoFields, B extends z.ZodType = z.ZodUnknown>(
  router: Router,
  { answer, ...route }: About<P> & { method?: "put"; body: Body<B>; answer: JsonAnswer<S> },
  change: (call: Call<P, NoFields, B> & Writes) => Result<S>,
): void {
  keyedRoute<P, NoFields, B>(router, { method: "patch", ...route, responses: { 200: answer } }, async (call) =>
    call.c.json(await change({ ...call, complete: completes(call.c) }), 200),
  );
}

/** Deletes one thing: 204. */
export function deleteRoute<P extends z.ZodObject>(
  router: Router,
  { answer = "Deleted.", ...route }: About<P> & { answer?: string },
  remove: (call: Call<P> & Writes) => Promise<unknown>,
): void {
  const responses = { 204: { description: answer, headers: requestIdHeader } };
  keyedRoute<P>(router, { ...route, method: "delete", responses }, async (call) => {
    await remove({ ...call, complete: completes(call.c) });
    return call.c.body(null, 204);
  });
}

/**
 * Does something to one thing, and shows it.
 * @param about `location`: what is shown continues, at this path: 202; `show`: what an equal request has done that got no answer
 */
export function verbRoute<S extends z.ZodType, P extends z.ZodObject = NoFields, B extends z.ZodType = z.ZodUnknown>(
  router: Router,
  {
    answer,
    location,
    show,
    ...route
  }: About<P> & {
    body: Body<B>;
    answer: JsonAnswer<S>;
    location?: (shown: z.input<S>) => string;
    show?: (call: Call<P, NoFields, B>, made: string) => Result<S>;
  },
  does: (call: Call<P, NoFields, B> & Writes) => Result<S>,
): void {
  const responses = { [location ? 202 : 200]: answer };
  keyedRoute<P, NoFields, B>(router, { ...route, method: "post", responses }, async (call) => {
    const made = call.c.var.held?.made;
    const shown = await (show && made ? show(call, made) : does({ ...call, complete: completes(call.c) }));
    return location ? call.c.json(shown, 202, { Location: location(shown) }) : call.c.json(shown, 200);
  });
}

const completes = (c: AppContext) => (id: string) => writtenUnderKey(c, id);
