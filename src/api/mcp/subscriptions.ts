/** Subscriptions of a client of 2026-07-28 to runs and their lists of artifacts. The lists of tools and prompts never change. */
import {
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { log } from "#core/log";
import type { PresentedEvent } from "#services/runs/event-schema";
import type { AppContext } from "../http/context";
import { aboutRequest } from "../http/middleware/log";
import { eventsOf } from "../in-process/events";
import { OperationError, type Send } from "../in-process/operations";
import { parse, readRun } from "../in-process/runs";

/** Most runs of one stream: each is followed by a stream of events. */
const MAX_RUNS = 10;

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

/** The runs of the wanted resources that the key may read; other resources are left out. @throws ProtocolError | OperationError */
export async function findSubscribed(send: Send, params: unknown): Promise<Subscribed[]> {
  const { resourceSubscriptions: uris = [] } = parse(schema, params).notifications;
  const byRun = Map.groupBy(
    uris.filter((uri) => URI.test(uri)),
    (uri) => URI.exec(uri)![1]!,
  );
  if (byRun.size > MAX_RUNS)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `A stream follows at most ${MAX_RUNS} runs.`);
  const found: Subscribed[] = [];
  for (const [run, asked] of byRun) {
    const since = await readRun(send, run).then(({ updated_at }) => updated_at, noneIfNotFound);
    if (since !== null) found.push({ run, uris: [...new Set(asked)], since });
  }
  return found;
}

/** The request, which subscribes to these runs only. */
export const withUris = (message: JSONRPCRequest | JSONRPCNotification, subscribed: readonly Subscribed[]) => ({
  ...message,
  params: { ...message.params, notifications: { resourceSubscriptions: subscribed.flatMap(({ uris }) => uris) } },
});

/** Tells a stream of the changes of its runs. @param ended is called when all have ended, or when our streams of events end */
export const changesOf = (
  c: AppContext,
  send: Send,
  subscribed: readonly Subscribed[],
  ended: () => void,
): ServerEventBus => ({
  publish: () => {},
  subscribe(listener) {
    let open = true;
    const follow = async (one: Subscribed) => {
      for await (const events of eventsOf(send, one.run)) {
        if (!open) return;
        for (const uri of changedBy(one, events)) listener({ kind: "resource_updated", uri });
      }
    };
    void Promise.allSettled(subscribed.map(follow)).then((outcomes) => {
      for (const outcome of outcomes) {
        if (outcome.status === "rejected" && !(outcome.reason instanceof OperationError))
          log.error("a subscription was cut off", { ...aboutRequest(c), error: outcome.reason });
      }
      ended();
    });
    return () => {
      open = false;
    };
  },
});

function noneIfNotFound(error: unknown): null {
  if (error instanceof OperationError && error.problem.code === "not_found") return null;
  throw error;
}

function changedBy({ uris, since }: Subscribed, events: readonly PresentedEvent[]): string[] {
  const news = events.filter(({ created_at }) => created_at >= since);
  if (news.length === 0) return [];
  const artifacts = news.some(({ type }) => type === "run.artifact_created" || type === "run.retried");
  return uris.filter((uri) => artifacts || !uri.endsWith("/artifacts"));
}
