/** The page at a callback URL: the clients that get it, its states, and its messages about errors. */
import { beforeAll, describe, expect, it, test } from "vitest";
import document from "../../openapi/openapi.json";
import { call, type Client, makeTenant } from "../support/parley";
import { BROWSER, elementsOf, getPage, postPage, textOf } from "./page";
import { ask, askEverything, clarification, opened, waitingRun } from "./questions";

let client: Client;
let run: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});

const everything = async (how?: object) => opened(client, await askEverything(run, how));

describe("the Accept header decides the form of the answer", () => {
  let path: string;
  beforeAll(async () => ({ path } = await everything()));

  test.each([
    [BROWSER, "text/html"],
    ["text/html", "text/html"],
    ["TEXT/HTML;level=1", "text/html"],
    ["text/*", "text/html"],
    ["text/html;q=0.9, application/json;q=0.8", "text/html"],
    [undefined, "application/json"],
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["application/json, text/html", "application/json"],
    ["text/html;q=0.5, */*;q=0.8", "application/json"],
    ["text/html;q=0, */*", "application/json"],
    ["application/json, text/html;q=0.9, */*;q=0.1", "application/json"],
    ["image/png", "application/json"],
  ])("Accept: %s is answered with %s", async (accept, type) => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    for (const [method, status] of [
      ["GET", 200],
      ["HEAD", 200],
    ] as const) {
      const reply = await call(method, path, { headers });
      expect(reply.status).toBe(status);
      expect(reply.headers.get("content-type")).toMatch(type);
      expect(reply.headers.get("vary")).toBe("Accept");
    }
  });

  it("is independent of the body: a form from a program is answered with JSON", async () => {
    const reply = await call("POST", path, {
      body: "q1=a",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect(reply).toMatchObject({ status: 422, body: { code: "validation_failed" } });
  });
});

it("each answer that may be a page is declared so", () => {
  for (const operation of Object.values(document.paths["/v1/callbacks/{token}"])) {
    for (const [status, answer] of Object.entries<any>(operation.responses)) {
      const { content } = answer.$ref
        ? (document.components.responses as any)[answer.$ref.slice("#/components/responses/".length)]
        : answer;
      expect(Object.keys(content), `${operation.operationId} ${status}`).toContain("text/html");
    }
  }
});

describe("every page", () => {
  const pages: [string, () => Promise<{ status: number; headers: Headers; body: string }>][] = [
    ["of an open question", async () => getPage((await everything()).path)],
    ["of a form with errors", async () => postPage((await everything()).path, {})],
    ["of a link that opens nothing", async () => getPage("/v1/callbacks/int_no.such")],
  ];
  test.each(pages)("%s runs nothing, loads nothing, cannot be framed and is not cached", async (_, page) => {
    const { headers, body } = await page();
    const policy = headers.get("content-security-policy")!;
    for (const directive of ["default-src 'none'", "script-src 'none'", "img-src 'none'", "frame-ancestors 'none'"])
      expect(policy).toContain(directive);
    expect(policy).not.toContain("unsafe");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html; charset=UTF-8",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "x-robots-tag": "noindex, nofollow",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      vary: "Accept",
    });
    expect(headers.get("x-request-id")).toBeTruthy();
    const style = /<style>(.*)<\/style>/s.exec(body)![1]!;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(style));
    expect(policy).toContain(`'sha256-${Buffer.from(digest).toString("base64")}'`);
    const elements = elementsOf(body);
    expect(elements.some(({ tag }) => ["script", "img", "iframe", "object", "link"].includes(tag))).toBe(false);
    expect(elements.some(({ attributes }) => "src" in attributes || "style" in attributes)).toBe(false);
    expect(elements.find(({ tag }) => tag === "html")!.attributes.lang).toBe("en");
  });
});

describe("a question that no longer accepts an answer", () => {
  const answer = { "answers[q1]": "first", "answers[q2]": "1", answered_by: "Ada" };

  it("shows the answer, its author and its time", async () => {
    const asked = await everything();
    await postPage(asked.path, answer);
    const { status, body } = await getPage(asked.path);
    expect(status).toBe(200);
    expect(textOf(body)).toMatch(/This has been answered Ada has answered.* first .* Ada, \d+ \w+ \d{4}/);
    expect(body).not.toContain("<form");
  });

  it("accepts the same answer again; a different one is reported as late, and shown", async () => {
    const asked = await everything();
    await postPage(asked.path, answer);
    expect((await postPage(asked.path, answer)).status).toBe(200);
    const late = await postPage(asked.path, { ...answer, "answers[q1]": "second" });
    expect(late.status).toBe(409);
    expect(textOf(late.body)).toMatch(/Somebody answered before you.* first .*What you wrote.* second /);
    expect((await asked.now()).answer.answers.q1).toBe("first");
  });

  it("says that it has expired, and whether the run continues", async () => {
    const asked = await opened(
      client,
      await ask(run, clarification([{ id: "q", text: "?", type: "text", required: true }]), {
        expires_in: -1,
        on_expiry: "fail",
      }),
    );
    const { status, body } = await getPage(asked.path);
    expect(status).toBe(200);
    expect(textOf(body)).toMatch(/The time to answer is over .*The run fails, because it has no answer/);
    const late = await postPage(asked.path, { "answers[q]": "too late" });
    expect(late.status).toBe(410);
    expect(textOf(late.body)).toMatch(/The time to answer is over.*What you wrote.* too late /);
  });

  it("says that its run has ended; after the run's deletion, that the link opens nothing", async () => {
    const other = await waitingRun(client);
    const { path } = await opened(client, await askEverything(other));
    await call("POST", `/v1/runs/${other}/cancel`, { key: client.test });
    expect(await getPage(path)).toMatchObject({
      status: 200,
      body: expect.stringContaining("No answer is needed any more"),
    });
    expect(await postPage(path, answer)).toMatchObject({
      status: 410,
      body: expect.stringContaining("No answer is needed any more"),
    });
    await call("DELETE", `/v1/runs/${other}`, { key: client.test });
    expect(await getPage(path)).toMatchObject({
      status: 404,
      body: expect.stringContaining("This link opens nothing"),
    });
    expect(await postPage(path, answer)).toMatchObject({
      status: 404,
      body: expect.stringContaining("This link opens nothing"),
    });
  });
});

describe("an error before the form is read", () => {
  it("is shown on a page: a body that is too large, or of another type, or another method", async () => {
    const { path } = await everything();
    expect(await postPage(path, { "answers[q1]": "x".repeat(1024 * 1024) })).toMatchObject({
      status: 413,
      body: expect.stringContaining("That was too much text"),
    });
    const headers = { accept: BROWSER, "content-type": "text/plain" };
    expect(await call("POST", path, { body: "x", headers })).toMatchObject({
      status: 415,
      body: expect.stringContaining("<h1>"),
    });
    const deleted = await call("DELETE", path, { headers: { accept: BROWSER } });
    expect(deleted).toMatchObject({ status: 405, body: expect.stringContaining("<h1>") });
    expect(deleted.headers.get("allow")).toBe("GET, HEAD, POST");
  });
});
