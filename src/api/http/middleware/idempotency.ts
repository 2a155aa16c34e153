import { createHash } from "node:crypto";
import type { Context, MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { Problem } from "#core/errors";
import { type Answer, claimKey } from "#services/idempotency/claim-key";
import { settleKey } from "#services/idempotency/settle-key";
import { log } from "#core/log";
import { boundedChunks } from "#core/outbound/bounded-body";
import type { AppContext, AppEnv } from "../context";

/** Visible ASCII, as it comes: quotes around it are part of it. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** No route takes more; a body is held in memory while it is hashed. Bytes. */
const LARGEST = 20 * 1024 * 1024;

/** Where keys are counted: two requests with the same key are the same only within it. */
interface Place {
  scope: string;
  path: string;
}

/** Keys of a tenant, by path. Behind the check of the API key and its scope: what those refuse is not stored, nor is it replayed. */
export const idempotency = (): MiddlewareHandler<AppEnv> =>
  replaying(
    (c) => ({ scope: c.var.key.tenant_id, path: c.req.path }),
    (c) => c.var.key.mode,
  );

/** Keys of an interaction. The path is a capability, and not kept; one that opens nothing has no place. */
export const callbackIdempotency = (): MiddlewareHandler<AppEnv> =>
  replaying((c) => {
    const scope = c.var.services.secrets.interactionOf(c.req.param("token") ?? "");
    return scope === null ? null : { scope, path: "/v1/callbacks" };
  });

/** Answers a POST whose `Idempotency-Key` is known as its first was, and keeps the answer of a first. */
function replaying(
  place: (c: AppContext) => Place | null,
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
    c.set("claim", claimed.claim);
    await next();
    await keep(c);
  };
}

const replay = (c: Context<AppEnv>, { status, headers, body }: Answer) =>
  c.body(body, status as ContentfulStatusCode, { ...headers, "Idempotency-Replayed": "true" });

/** What a request asks for, but for its path. */
async function fingerprint(c: AppContext, kind: string): Promise<string> {
  const hash = createHash("sha256").update(`${kind}\n${new URL(c.req.url).search}\n`);
  const tooLarge = () => new Problem("payload_too_large", "The body is larger than any path takes.");
  for await (const chunk of boundedChunks(c.req.raw.clone().body, LARGEST, tooLarge)) hash.update(chunk);
  return hash.digest("hex");
}

/** Stores the answer, unless the handler has done so with what it tells of. An answer that cannot be stored is true all the same. */
async function keep(c: AppContext): Promise<void> {
  const { claim, services } = c.var;
  if (!claim) return;
  const response = c.res.clone();
  const settled = response
    .text()
    .then((body) =>
      settleKey(services, claim, { status: response.status, headers: Object.fromEntries(response.headers), body }),
    )
    .catch((error: unknown) => {
      log.error("an answer was not stored under its key", { request_id: c.var.request_id, error });
    });
  c.executionCtx.waitUntil(settled); // the caller may have gone
  await settled;
}
