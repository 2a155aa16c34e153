import { createHash } from "node:crypto";
import { html } from "hono/html";
import type { JSX } from "hono/jsx/jsx-runtime";
import type { MiddlewareHandler } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ProblemObject } from "#core/errors";
import type { AppContext, AppEnv } from "../context";
import { prefersPage } from "./negotiate";
import { ProblemPage } from "./page";
import { STYLE } from "./style";

/** These pages run and load nothing, and cannot be framed. */
const HEADERS = {
  "Content-Security-Policy": [
    "default-src 'none'",
    "img-src 'none'",
    "script-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex, nofollow",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-store",
};

export async function servePage(c: AppContext, page: JSX.Element, status: ContentfulStatusCode): Promise<Response> {
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value);
  return c.html(html`<!doctype html>${page}`, status);
}

/** Turns every problem, from middleware or from the route, into a page for clients that prefer one. */
export const problemsAsPages: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.header("Vary", "Accept", { append: true });
  if (!c.res.headers.get("Content-Type")?.startsWith("application/problem+json") || !prefersPage(c)) return;
  const problem = await c.res.json<ProblemObject & { request_id: string }>();
  c.res = await servePage(c, ProblemPage({ problem }), problem.status as ContentfulStatusCode);
};
