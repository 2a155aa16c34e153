import { z } from "@hono/zod-openapi";
import { Problem, problemObject } from "#core/errors";
import { listEvents } from "#services/runs/list-events";
import { log } from "#core/log";
import { toTime } from "#services/fields/time";
import { STREAM_LIMITS } from "#services/runs/stream-leases";
import { type StreamItem, streamEvents } from "#services/runs/stream-events";
import { type AppContext, Router } from "../context";
import { EXAMPLE_EVENT } from "../examples";
import { keyedRoute } from "../keyed-routes";
import { aboutRequest } from "../middleware/log";
import { requestIdHeader } from "../operation";
import { pageQuery, pageSchema, readCursor, toListResponse } from "../pages";
import { eventSchema } from "#services/runs/event-schema";
import { runParams } from "./runs";

export const events = new Router("Events");

/** Milliseconds after which a client should connect again to a stream that we closed. */
const RECONNECT_AFTER = 1000;
/** Event of a stream, not of the run: the stream ends for good. It has no `id`. */
const CLOSED = "stream.closed";
/** The calls to models that are under way; nothing stores them, so it has no `id` either. */
const CALLS = "stream.calls";
const SEQ = /^\d{1,9}$/;

const seq = z.string().regex(SEQ, "A whole number: the `seq` of an event, or 0.");

keyedRoute(
  events,
  {
    method: "get",
    path: "/v1/runs/{id}/events",
    operationId: "listEvents",
    summary: "Read or follow a run's events",
    description:
      "A page of events, or with `Accept: text/event-stream` a stream that follows the run: `id` is the event's `seq`, `event` its type, " +
      "`data` the event. A stream resumes from `Last-Event-ID` (or `after`), sends a comment at least every 15 seconds, closes after the event " +
      "that ends the run, and may close after 10 minutes with `retry:`. Every 15 seconds the key is checked again: when it was revoked or has " +
      `expired, the last event is \`stream.closed\`, without an \`id\` and with a problem as its data. A key may have ${STREAM_LIMITS.per_key} streams open; ` +
      "the quota `streams` limits those of the tenant.",
    scope: "runs:read",
    params: runParams,
    isList: true,
    query: z.strictObject({
      ...pageQuery,
      after: seq
        .optional()
        .openapi({ description: "`seq` of the event to continue behind; 0 is the beginning.", example: "12" }),
      calls: z
        .enum(["true", "false"])
        .optional()
        .openapi({
          description:
            "For streams, `true`: `stream.calls` shows the calls to models that are under way, each time that one begins or ends: " +
            "`{ durable: false, calls: [{ step, role, model, since }] }`. Nothing stores them; `role` is null of an encoder.",
        }),
    }),
    headers: z.object({
      "last-event-id": z
        .string()
        .optional()
        .openapi({ description: "For streams, like `after`, and in preference to it." }),
    }),
    responses: {
      200: {
        description: "A page of events, or a stream of them.",
        headers: requestIdHeader,
        content: {
          "application/json": {
            schema: pageSchema("EventPage", eventSchema),
            example: { data: [EXAMPLE_EVENT], next_cursor: null },
          },
          // Each `data` of the stream has this schema.
          "text/event-stream": { schema: eventSchema, example: EXAMPLE_EVENT },
        },
      },
    },
    errors: ["too_many_streams", "quota_exceeded"],
  },
  async ({ c, services, owner, params: { id: run }, query: { limit, cursor, after, calls } }) => {
    if (cursor !== undefined && after !== undefined) throw badQuery("after", "Give cursor or after, not both.");
    const from = Number(readCursor("events", SEQ, cursor) ?? after ?? 0);
    if (wantsStream(c)) return stream(c, run, { after: readLastEventId(c) ?? from, withCalls: calls === "true" });
    return c.json(toListResponse("events", await listEvents(services, { owner, run, limit, after: from })), 200);
  },
);

/** A HEAD has no body: nobody would read a stream, or end it. */
const wantsStream = (c: AppContext) =>
  c.req.method === "GET" && /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(c.req.header("Accept") ?? "");

function readLastEventId(c: AppContext): number | null {
  const text = c.req.header("Last-Event-ID");
  if (!text) return null;
  if (!SEQ.test(text))
    throw badQuery("Last-Event-ID", "It must be the `id` of an event of the stream: a whole number.");
  return Number(text);
}

const badQuery = (path: string, message: string) =>
  new Problem("invalid_query", `${path}: ${message}`, [{ path, code: "invalid_format", message }]);

const block = (event: string, data: string) => `event: ${event}\ndata: ${data}\n`;

/** An item as a part of the stream. */
function toText(item: StreamItem): string {
  switch (item.is) {
    case "events":
      return item.events.map((event) => `${block(event.type, event.json)}id: ${event.seq}\n\n`).join("");
    case "calls": {
      const calls = item.calls.map((call) => ({ ...call, since: toTime(call.since) }));
      return `${block(CALLS, JSON.stringify({ durable: false, calls }))}\n`;
    }
    case "heartbeat":
      return ": still here\n\n";
    case "closed": {
      const { code, detail } = item.because;
      return `${block(CLOSED, JSON.stringify(problemObject(code, detail)))}\n`;
    }
    case "reconnect":
      return `retry: ${RECONNECT_AFTER}\n\n`;
  }
}

const HEADERS = { "Content-Type": "text/event-stream", "Cache-Control": "no-cache", Connection: "keep-alive" };

/** Sends each item as soon as the client has taken the one before. */
async function stream(c: AppContext, run: string, wanted: { after: number; withCalls: boolean }): Promise<Response> {
  const disconnected = new AbortController();
  const { signal } = disconnected;
  const items = await streamEvents(c.var.services, { key: c.var.key, run, ...wanted, signal });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  c.executionCtx.waitUntil(ended); // after the client has disconnected, the stream is still counted as closed
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await items.next();
        if (!done) return controller.enqueue(encoder.encode(toText(value)));
      } catch (error) {
        log.error("a stream of events was cut off", { ...aboutRequest(c), run_id: run, error }); // the client connects again
      }
      end();
      if (!signal.aborted) controller.close();
    },
    async cancel() {
      disconnected.abort();
      await items.return(undefined).finally(end);
    },
  });
  return c.body(body, 200, HEADERS);
}
