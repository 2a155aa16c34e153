import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Services } from "#services/services";
import type { HeldKey } from "#services/idempotency/claim-key";
import type { CallbackLink } from "#services/interactions/interactions";
import type { KeyRow } from "#services/keys/authenticate";

/** Bindings that the HTTP layer uses itself; it reaches everything else through services. */
export interface HttpBindings {
  /** The static files of the docs. */
  ASSETS: { fetch(request: Request): Promise<Response> };
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    request_id: string;
    services: Services;
    /** The API key of the request; set on routes that need one. */
    key: KeyRow;
    /** The interaction of a callback URL, null when its token is not valid; set on callback routes. */
    interaction_id: string | null;
    /** The same with the number of the link. */
    callback_link: CallbackLink | null;
    /** Names of operations, by `operationKey`. */
    actions: ReadonlyMap<string, string>;
    /** The `Idempotency-Key` that the request holds, until its answer is stored. */
    held?: HeldKey | undefined;
  };
}

export type AppContext = Context<AppEnv>;

/** The routes of one resource. */
export class Router extends OpenAPIHono<AppEnv> {
  /** @param tag of its operations, one of those that openapi.ts describes */
  constructor(readonly tag: string) {
    super();
  }
}
