/** What is deprecated says so in its answers and in the document. Nothing of the API is today, so the routes are the test's own. */
import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import document from "../../../../../openapi/openapi.json" with { type: "json" };
import { announceDeprecations, deprecated, withDeprecatedFields } from "#api/http/middleware/deprecation";

const LINK = "/docs#changes";
const answers = { 200: { description: "Done." } };
const body = z.object({
  rounds: z.int().optional(),
  options: z.object({ old: z.int().optional().openapi({ deprecated: true }), now: z.int().optional() }).optional(),
});

function makeApp() {
  const app = new OpenAPIHono();
  app.use(announceDeprecations(app));
  const notice = { since: "2026-12-01", sunset: "2027-07-01", link: LINK };
  app.openapi(createRoute({ method: "get", path: "/old/{id}", ...deprecated(notice), responses: answers }), (c) =>
    c.text("old"),
  );
  app.openapi(createRoute({ method: "get", path: "/new/{id}", responses: answers }), (c) => c.text("new"));
  app.openapi(
    createRoute({
      method: "post",
      path: "/things",
      ...withDeprecatedFields(
        { since: "2027-01-15", link: LINK, field: "options.old" },
        { since: "2027-02-15", sunset: "2027-10-01", link: `${LINK}-rounds`, field: "rounds" },
      ),
      request: { body: { content: { "application/json": { schema: body } } } },
      responses: answers,
    }),
    (c) => c.text(JSON.stringify(c.req.valid("json"))),
  );
  return app;
}

const post = (value: unknown) =>
  makeApp().request("/things", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
const headersOf = ({ headers }: Response) => [headers.get("deprecation"), headers.get("sunset"), headers.get("link")];

describe("an operation that is deprecated", () => {
  test("says since when, until when, and where its successor is described", async () => {
    const reply = await makeApp().request("/old/1");
    expect(await reply.text()).toBe("old");
    expect(headersOf(reply)).toEqual([
      `@${Date.UTC(2026, 11, 1) / 1000}`,
      "Thu, 01 Jul 2027 00:00:00 GMT",
      `<${LINK}>; rel="deprecation"; type="text/html"`,
    ]);
  });

  test("is deprecated in the document", () => {
    const { paths } = makeApp().getOpenAPI31Document({ openapi: "3.1.0", info: { title: "", version: "1" } });
    expect(paths!["/old/{id}"]!.get).toMatchObject({ deprecated: true, "x-deprecation": [{ since: "2026-12-01" }] });
    expect(paths!["/new/{id}"]!.get).not.toHaveProperty("deprecated");
  });

  test("leaves other operations without these headers", async () => {
    expect(headersOf(await makeApp().request("/new/1"))).toEqual([null, null, null]);
    expect(headersOf(await makeApp().request("/nowhere"))).toEqual([null, null, null]);
  });
});

describe("a field that is deprecated", () => {
  test("is announced to requests that have it", async () => {
    const reply = await post({ options: { old: 1, now: 2 } });
    expect(await reply.json()).toEqual({ options: { old: 1, now: 2 } });
    expect(headersOf(reply)).toEqual([
      `@${Date.UTC(2027, 0, 15) / 1000}`,
      null,
      `<${LINK}>; rel="deprecation"; type="text/html"`,
    ]);
  });

  test("is not announced to requests without it", async () => {
    for (const value of [{}, { options: {} }, { options: { now: 1 } }])
      expect(headersOf(await post(value))).toEqual([null, null, null]);
  });

  test("beside another one is announced with it: the first day of both, the first end, both links", async () => {
    expect(headersOf(await post({ rounds: 1, options: { old: 1 } }))).toEqual([
      `@${Date.UTC(2027, 0, 15) / 1000}`,
      "Fri, 01 Oct 2027 00:00:00 GMT",
      `<${LINK}>; rel="deprecation"; type="text/html", <${LINK}-rounds>; rel="deprecation"; type="text/html"`,
    ]);
  });
});

test("every notice of the API gives six months at least before the end", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path)) as {
    "x-deprecation"?: { since: string; sunset?: string }[];
  }[];
  for (const { since, sunset } of operations.flatMap((operation) => operation["x-deprecation"] ?? [])) {
    if (sunset === undefined) continue;
    const earliest = new Date(since);
    earliest.setUTCMonth(earliest.getUTCMonth() + 6);
    expect(Date.parse(sunset)).toBeGreaterThanOrEqual(earliest.getTime());
  }
});
