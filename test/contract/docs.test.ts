/** The API's descriptions of itself: workflows, OpenAPI, reference pages, health. */
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRunSchema } from "#services/runs/requests";
import { VERBS } from "#services/runs/states";
import { ERRORS } from "#core/errors";
import { RUN_STATUSES } from "#core/vocabulary";
import { workflows } from "#workflows/index";
import openapi from "../../openapi/openapi.json";
import { addKey, type Client, makeTenant } from "../support/parley";
import { api, OPERATIONS, refusal } from "./api";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

describe("workflows", () => {
  it("are all listed, with a contract that its own example fits", async () => {
    const { data } = (await api("GET", "/v1/workflows", { key: await addKey(client.tenant, "live", ["runs:read"]) }))
      .body;
    expect(data.map((workflow: { name: string }) => workflow.name)).toEqual(Object.keys(workflows));
    for (const workflow of data) {
      expect((await api("GET", `/v1/workflows/${workflow.name}`, { key: client.test })).body).toEqual(workflow);
      z.fromJSONSchema(workflow.input).parse(workflow.example.input);
      z.fromJSONSchema(workflow.options).parse(workflow.example.options ?? {});
      for (const action of workflow.actions) {
        expect(action.outcomes.length).toBeGreaterThan(0);
        expect(Object.keys(workflow.kinds)).toContain(action.kind);
      }
    }
  });

  it("that do not exist are not found", async () => {
    for (const name of ["waterfalls", "constructor", "__proto__"]) {
      expect(await api("GET", `/v1/workflows/${name}`, { key: client.test }), name).toMatchObject(
        refusal(404, "not_found"),
      );
    }
  });
});

describe("openapi.json", () => {
  it("is served without a key, as it is committed", async () => {
    const { body } = await api("GET", "/openapi.json");
    expect(body).toEqual(openapi);
  });

  it("has an example for every operation whose answer has a body", async () => {
    const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path as Record<string, any>));
    expect(operations).toHaveLength(OPERATIONS.length);
    for (const { operationId, responses } of operations) {
      const [[, success]] = Object.entries<any>(responses).filter(([status]) => status.startsWith("2")) as [
        [string, any],
      ];
      const [content] = Object.entries<any>(success.content ?? {});
      if (content && content[0] !== "*/*") expect(content[1].example, operationId).toBeDefined();
    }
  });

  it("gives examples of starting a run that work", () => {
    const { examples } = openapi.paths["/v1/runs"].post.requestBody.content["application/json"];
    for (const [name, { value }] of Object.entries(examples)) {
      createRunSchema(workflows[name as keyof typeof workflows], {
        mode: "test",
        url_policy: { allow_private: false },
      }).parse(value);
    }
  });

  it("prints the table of states and verbs", () => {
    for (const status of RUN_STATUSES) {
      const cells = Object.values(VERBS).map(({ states }) =>
        (states as readonly string[]).includes(status) ? "yes" : "409",
      );
      expect(openapi.info.description).toContain(`| \`${status}\` | ${cells.join(" | ")} |`);
    }
  });
});

describe("pages", () => {
  it("load scripts from this host alone", async () => {
    const { body, headers } = await api("GET", "/docs");
    expect(headers.get("content-type")).toContain("text/html");
    expect(headers.get("content-security-policy")).toContain("script-src 'self';");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(body).not.toMatch(/(src|href)="(https?:)?\/\//);
    const script = /<script src="([^"]+)">/.exec(body)![1]!;
    const reply = await api("GET", script);
    expect(reply.status).toBe(200);
    expect(reply.headers.get("content-type")).toContain("javascript");
  });

  it("has a guide without a key or scripts, whose links all lead somewhere", async () => {
    const seen = new Map<string, string>();
    const open = ["/docs/guide"];
    for (let path = open.pop(); path; path = open.pop()) {
      if (seen.has(path)) continue;
      const { status, body, headers } = await api("GET", path);
      expect(status, path).toBe(200);
      seen.set(path, String(body));
      if (!path.startsWith("/docs/guide") || path.endsWith(".css")) continue;
      expect(headers.get("content-type")).toContain("text/html");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'");
      for (const [, link] of String(body).matchAll(/href="(\/[^"#]*)"/g)) open.push(link!);
    }
    expect([...seen.keys()].filter((path) => path.startsWith("/docs/guide/"))).toHaveLength(10);
    expect(seen.get("/docs/guide/quick-start")).toContain('<h2 id="start-a-run">');
    expect((await api("GET", "/docs/guide/none")).status).toBe(404);
  });

  it("explain every error at the address in its `type`", async () => {
    const { body } = await api("GET", "/docs/errors");
    for (const code of Object.keys(ERRORS)) expect(body).toContain(`id="${code}"`);
    const { type } = (await api("GET", "/v1/runs")).body;
    expect(type).toBe("/docs/errors#unauthenticated");
  });
});

it("healthz says that the database answers", async () => {
  expect((await api("GET", "/healthz")).body).toEqual({ status: "ok", version: expect.any(String) });
});
