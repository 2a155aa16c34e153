import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { newId } from "#core/ids";
import { Secrets } from "#core/secrets";
import { attempt } from "#services/webhooks/delivery/attempt";

const PRIVATE = { allow_private: true, resolver_url: "" };
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function receiver(listener: RequestListener): Promise<string> {
  server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server!.once("listening", resolve));
  return `http://127.0.0.1:${(server!.address() as AddressInfo).port}/hook`;
}

const post = (url: string) => () => ({
  url,
  headers: { "content-type": "application/json", "webhook-id": "evt_1" },
  body: '{"a":1}',
});

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += chunk;
  return text;
}

test("posts the body with its headers, and a 2xx is a success", async () => {
  let seen: unknown;
  const url = await receiver(async (request, response) => {
    seen = [
      request.method,
      request.url,
      request.headers["webhook-id"],
      request.headers["content-type"],
      await read(request),
    ];
    response.writeHead(202).end("thanks");
  });
  expect(await attempt(post(url), PRIVATE)).toMatchObject({
    response_status: 202,
    response_body: "thanks",
    error: null,
  });
  expect(seen).toEqual(["POST", "/hook", "evt_1", "application/json", '{"a":1}']);
});

test("a response that sends the body back is stored without its callback URL", async () => {
  const url = await receiver(async (request, response) => response.end(await read(request)));
  const token = new Secrets("a secret for tests only, long enough").callbackToken(newId("int"));
  const body = JSON.stringify({ callback_url: `https://parley.test/v1/callbacks/${token}` });
  const { response_body } = await attempt(() => ({ ...post(url)(), body }), PRIVATE);
  expect(response_body).toMatch(/^\{"callback_url":"https:\/\/parley\.test\/v1\/callbacks\/int_\w{26}\.\w{8}\.…"\}$/);
});

test("the request is built with the time of its attempt", async () => {
  const url = await receiver((_, response) => response.end());
  let at = new Date(0);
  const { started_at } = await attempt((begun) => ((at = begun), post(url)()), PRIVATE);
  expect(at.getTime()).toBe(started_at);
});

test.each([400, 410, 500, 503])("%i is a failure with the status as reason", async (status) => {
  const url = await receiver((_, response) => response.writeHead(status).end("no"));
  expect(await attempt(post(url), PRIVATE)).toMatchObject({
    response_status: status,
    response_body: "no",
    error: `Answered ${status}.`,
  });
});

test("a redirect is not followed", async () => {
  const paths: (string | undefined)[] = [];
  const url = await receiver(
    (request, response) => (paths.push(request.url), response.writeHead(307, { location: "/elsewhere" }).end()),
  );
  const outcome = await attempt(post(url), PRIVATE);
  expect(outcome.error).toBe("Answered 307; redirects are not followed.");
  expect(paths).toEqual(["/hook"]);
});

test("no more than a kilobyte of an answer is read, however long it is", async () => {
  const url = await receiver((_, response) => {
    response.on("error", () => {});
    const flood = () => {
      while (response.write("x".repeat(4096))) {}
    };
    response.on("drain", flood);
    flood();
  });
  const outcome = await attempt(post(url), PRIVATE);
  expect(outcome).toMatchObject({ response_status: 200, error: null });
  expect(outcome.response_body).toHaveLength(1024);
});

test("an answer that breaks off after its status counts by its status", async () => {
  const url = await receiver((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => response.destroy(), 20);
  });
  expect(await attempt(post(url), PRIVATE)).toMatchObject({ response_status: 200, response_body: "half", error: null });
});

test("a receiver that does not answer in time has failed", async () => {
  const url = await receiver(() => {});
  const outcome = await attempt(post(url), PRIVATE, 50);
  expect(outcome).toMatchObject({ response_status: null, error: "No answer within 0.05 s." });
});

test("a receiver has 15 seconds", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  await attempt(post(await receiver((_, response) => response.end())), PRIVATE);
  expect(timeout).toHaveBeenCalledWith(15_000);
  timeout.mockRestore();
});

test("an unreachable receiver has failed", async () => {
  const url = await receiver(() => {});
  server!.close();
  expect(await attempt(post(url), PRIVATE)).toMatchObject({
    response_status: null,
    error: expect.stringMatching(/^Not delivered: /),
  });
});

test("a URL that the policy refuses is not called", async () => {
  let calls = 0;
  const url = await receiver((_, response) => (calls++, response.end()));
  const outcome = await attempt(post(url), { allow_private: false, resolver_url: "" });
  expect(outcome).toMatchObject({ response_status: null, error: "The URL was not called. Its scheme must be https." });
  expect(calls).toBe(0);
});

test("a request that cannot be composed is a failed attempt", async () => {
  const compose = () => {
    throw new Error("the secret cannot be opened");
  };
  expect(await attempt(compose, PRIVATE)).toMatchObject({ error: "Not delivered: the secret cannot be opened" });
});

test("a name that cannot be resolved is a failed attempt, to be tried again", async () => {
  const policy = { allow_private: false, resolver_url: "http://127.0.0.1:9/dns-query" };
  expect(await attempt(post("https://hooks.example.com/"), policy)).toMatchObject({
    response_status: null,
    error: expect.stringMatching(/^The URL was not called. Its host hooks.example.com could not be resolved: /),
  });
});

test("the outcome includes the posted request", async () => {
  const url = await receiver((_, response) => response.end());
  expect(await attempt(post(url), PRIVATE)).toMatchObject({ url, request_headers: { "webhook-id": "evt_1" } });
});
