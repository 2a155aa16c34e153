import { Hono } from "hono";
import { expect, it } from "vitest";
import { boundBody } from "#api/http/middleware/body";
import type { AppEnv } from "#api/http/context";

const app = new Hono<AppEnv>().use(boundBody).all("/", (c) => c.text("answered"));

/** As a server hands it over; `new Request` itself makes none of these methods with a body. */
const withBody = (method: string): Request => {
  const request = new Request("http://parley.test/", { method: "POST", body: "{}" });
  return Object.defineProperty(request, "method", { value: method });
};

it.each(["GET", "HEAD"])("a body of %s is ignored", async (method) => {
  expect((await app.fetch(withBody(method))).status).toBe(200);
});
