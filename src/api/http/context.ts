import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Services } from "#services/services";
import type { Claim } from "#services/idempotency/claim-key";
import type { KeyRow } from "#services/keys/authenticate";

/** What the HTTP layer itself takes from the environment; everything else comes through services. */
export interface HttpBindings {
  /** The static files of the docs. */
  ASSETS: { fetch(request: Request): Promise<Response> };
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    request_id: string;
    services: Services;
    /** The key that makes the request; set on routes that need one. */
    key: KeyRow;
    /** The `Idempotency-Key` that the request holds and whose answer is still to be stored. */
    claim?: Claim;
  };
}

export type AppContext = Context<AppEnv>;

/** The routes of one resource. */
export const newRouter = () => new OpenAPIHono<AppEnv>();
