/** On every POST of the document a request with an `Idempotency-Key` has one effect and equal answers, however often it is sent. */
import { beforeAll, expect, it } from "vitest";
import { call, type Client, makeTenant } from "../support/parley";
import { OPERATIONS } from "./api";
import { postRequests } from "./post-requests";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const NOBODY: Client = { tenant: "", test: "", live: "" };
const REQUESTS = postRequests(NOBODY);
const CASES = Object.entries(REQUESTS).flatMap(([operation, requests]) =>
  Object.keys(requests).map((what) => ({ operation, what })),
);

it("every POST of the document has a case", () => {
  const posts = OPERATIONS.filter(({ method }) => method === "post").map(({ operationId }) => operationId);
  expect(Object.keys(REQUESTS).toSorted()).toEqual(posts.toSorted());
});

it.each(CASES)("$operation has one effect and equal answers: $what", async ({ operation, what }) => {
  const { path, body, headers, key, count } = await postRequests(client)[operation]![what]!();
  const ask = (given = body) =>
    call("POST", path, {
      ...(key ? { key } : {}),
      ...(given === undefined ? {} : { body: given }),
      headers: { "idempotency-key": "once", ...headers },
    });
  const first = await ask();
  expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
  expect(first.headers.get("idempotency-replayed")).toBeNull();
  const after = await count();
  const [second, third] = await Promise.all([ask(), ask()]);
  for (const reply of [second, third]) {
    expect([reply.status, reply.body]).toEqual([first.status, first.body]);
    expect(reply.headers.get("idempotency-replayed")).toBe("true");
    for (const name of ["content-type", "location"]) expect(reply.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(await count()).toBe(after);
  const other = await ask(typeof body === "string" ? `${body}\n` : { ...(body as object), another: true });
  expect(other).toMatchObject({ status: 422 });
  if (!headers?.accept) expect(other.body.code).toBe("idempotency_key_reused");
});
