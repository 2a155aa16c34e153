import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Problem } from "#core/errors";
import { type StoredResponse, claimKey, keyScope } from "#services/idempotency/claim-key";
import { completeKey, completeWrittenKey } from "#services/idempotency/complete-key";
import { log } from "#core/log";
import { boundedChunks } from "#core/outbound/bounded-body";
import type { AppContext, AppEnv } from "../context";

/** Visible ASCII; quotes around it are part of the key. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Largest body of any route; it is held in memory while it is hashed. Bytes. */
const MAX_SIZE = 20 * 1024 * 1024;

/** The namespace of a key: equal keys mean the same request only within one place. */
interface Place {
  scope: string;
  path: string;
}

/**
 * Keys of an owner, by path; requests of keys that are bound to other workflows differ. Runs after the API key and its scope are checked:
 * their refusals are neither stored nor replayed.
 */
export const idempotency = (): MiddlewareHandler<AppEnv> =>
  replaying(
    (c) => ({ scope: keyScope(c.var.key), path: c.req.path }),
    completeKey,
    (c) => c.var.key.workflows ?? "",
  );

/**
 * Keys of an interaction. The path itself is a capability and is not stored; an invalid one has no place. Only the request that answers the
 * interaction keeps its key: any other is judged anew when it is repeated, with the same outcome.
 */
export const callbackIdempotency = (): MiddlewareHandler<AppEnv> =>
  replaying(
    ({ var: { interaction_id } }) =>
      interaction_id === null ? null : { scope: interaction_id, path: "/v1/callbacks" },
    completeWrittenKey,
  );

/**
 * Stores the answer of the first POST with an `Idempotency-Key`, and replays it to later ones.
 * @param complete stores an answer, or decides that it is not kept
 * @param kind hashed with the body
 */
function replaying(
  place: (c: AppContext) => Place | null,
  complete: typeof completeKey,
  kind: (c: AppContext) => string = () => "",
): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const key = c.req.method === "POST" ? c.req.header("Idempotency-Key") : undefined;
    const at = key === undefined ? null : place(c);
    if (key === undefined || !at) return next();
    if (!KEY.test(key)) {
      throw new Problem("invalid_idempotency_key", "An Idempotency-Key has 1 to 255 visible ASCII characters.");
    }
    const claimed = await claimKey(c.var.services, { ...at, key, fingerprint: await fingerprint(c, kind(c)) });
    if ("answer" in claimed) return replay(c, claimed.answer);
    c.set("held", claimed.held);
    await next();
    await storeResponse(c, complete);
  };
}

const replay = (c: Context<AppEnv>, { status, headers, body }: StoredResponse) =>
  c.body(body, status as ContentfulStatusCode, { ...headers, "Idempotency-Replayed": "true" });

/** Hash of kind, query and body. */
async function fingerprint(c: AppContext, kind: string): Promise<string> {
  const hash = createHash("sha256").update(`${kind}${new URL(c.req.url).search}\n`);
  const tooLarge = () => new Problem("payload_too_large", "The body is larger than any path takes.");
  for await (const chunk of boundedChunks(c.req.raw.clone().body, MAX_SIZE, tooLarge)) hash.update(chunk);
  return hash.digest("hex");
}

/** Stores the answer, unless the handler has stored it already. A failure is logged and does not change the answer. */
async function storeResponse(c: AppContext, complete: typeof completeKey): Promise<void> {
  const { held, services } = c.var;
  if (!held) return;
  const response = c.res.clone();
  const settled = response
    .text()
    .then((body) =>
      complete(services, held.claim, { status: response.status, headers: Object.fromEntries(response.headers), body }),
    )
    .catch((error: unknown) => {
      log.error("an answer was not stored under its key", { request_id: c.var.request_id, error });
    });
  c.executionCtx.waitUntil(settled); // the caller may have disconnected
  await settled;
}
