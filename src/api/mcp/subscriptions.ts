/** Subscriptions to runs and their lists of artifacts: the stream that answers `subscriptions/listen` of a modern client. */
import type { SubscriptionFilter } from "@modelcontextprotocol/client";
import { streamSSE } from "hono/streaming";
import { z } from "zod";
import { log } from "#core/log";
import type { PresentedEvent } from "#services/runs/event-schema";
import type { AppContext } from "../http/context";
import { aboutRequest } from "../http/middleware/log";
import { eventsOf } from "../in-process/events";
import { Refusal, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";
import { RpcError, type RpcRequest, SUBSCRIPTION_ID } from "./protocol";

/** Most runs of one stream: each is followed by a stream of events. */
const MOST_RUNS = 10;

const URI = /^parley:\/\/runs\/(run_\w+)(\/artifacts)?$/;

const schema = z.looseObject({
  notifications: z.looseObject({ resourceSubscriptions: z.array(z.string()).max(100).optional() }),
});

interface Subscribed {
  run: string;
  uris: string[];
  /** Only events from then on are news. */
  since: string;
}

/**
 * Says which resources have changed, until all their runs have ended, or our streams of events end. The lists of tools and prompts never change.
 * @throws RpcError | Refusal, before the stream begins
 */
export async function listen(c: AppContext, send: Send, { id, params }: RpcRequest): Promise<Response> {
  const { resourceSubscriptions: wanted = [] } = parse(schema, params).notifications;
  const subscribed = await findRuns(send, wanted);
  const _meta = { [SUBSCRIPTION_ID]: id };
  const honored: SubscriptionFilter = { resourceSubscriptions: subscribed.flatMap(({ uris }) => uris) };
  return streamSSE(c, async (sse) => {
    const write = (message: object) => sse.writeSSE({ data: JSON.stringify({ jsonrpc: "2.0", ...message }) });
    const notify = (method: string, about: object) => write({ method, params: { _meta, ...about } });
    await notify("notifications/subscriptions/acknowledged", { notifications: honored });
    const follow = async (one: Subscribed) => {
      for await (const events of eventsOf(send, one.run)) {
        if (sse.aborted) return;
        if (events.length === 0) await sse.write(": still here\n\n");
        for (const uri of changedBy(one, events)) await notify("notifications/resources/updated", { uri });
      }
    };
    const outcomes = await Promise.allSettled(subscribed.map(follow));
    for (const outcome of outcomes) {
      if (outcome.status === "rejected" && !(outcome.reason instanceof Refusal))
        log.error("a subscription was cut off", { ...aboutRequest(c), error: outcome.reason });
    }
    await write({ id, result: { resultType: "complete", _meta } });
  });
}

/** The runs of these resources that the key may read; other resources are left out. @throws RpcError | Refusal */
async function findRuns(send: Send, uris: readonly string[]): Promise<Subscribed[]> {
  const byRun = Map.groupBy(
    uris.filter((uri) => URI.test(uri)),
    (uri) => URI.exec(uri)![1]!,
  );
  if (byRun.size > MOST_RUNS) throw new RpcError("invalid_params", `A stream follows at most ${MOST_RUNS} runs.`);
  const found: Subscribed[] = [];
  for (const [run, asked] of byRun) {
    const since = await readRun(send, run).then(({ updated_at }) => updated_at, noneIfNotFound);
    if (since !== null) found.push({ run, uris: [...new Set(asked)], since });
  }
  return found;
}

function noneIfNotFound(error: unknown): null {
  if (error instanceof Refusal && error.problem.code === "not_found") return null;
  throw error;
}

function changedBy({ uris, since }: Subscribed, events: readonly PresentedEvent[]): string[] {
  const news = events.filter(({ created_at }) => created_at >= since);
  if (news.length === 0) return [];
  const artifacts = news.some(({ type }) => type === "run.artifact_created" || type === "run.retried");
  return uris.filter((uri) => artifacts || !uri.endsWith("/artifacts"));
}
