import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Standing } from "../rate-limits/window";
import type { Services } from "../services";
import type { KeyRow } from "../store/rows";

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
    /** How the request was counted; set where requests are limited. */
    rate?: Standing & { policy: string; limit: number };
  };
}

export type AppContext = Context<AppEnv>;

/** The routes of one resource. */
export const newRouter = () => new OpenAPIHono<AppEnv>();
