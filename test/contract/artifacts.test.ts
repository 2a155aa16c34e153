/** Artifacts: lists, contents as JSON and raw, and the manifest with code, prompts and models. */
import { beforeAll, describe, expect, it } from "vitest";
import { bindings, type Client, makeTenant, runWithStatus, start } from "../support/parley";
import { api } from "./api";

let client: Client;
let run: string;
let artifacts: any[];

const get = (path: string, headers?: Record<string, string>) =>
  api("GET", `/v1/runs/${run}${path}`, { key: client.test, headers });

beforeAll(async () => {
  client = await makeTenant();
  run = await start(client.test, {});
  await runWithStatus(client.test, run, "completed");
  artifacts = (await get("/artifacts?limit=100")).body.data;
});

const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("hex");

describe("the list", () => {
  it("pages in order of creation", async () => {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { body } = await get(`/artifacts?limit=3${cursor ? `&cursor=${cursor}` : ""}`);
      seen.push(...body.data.map((artifact: { id: string }) => artifact.id));
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toEqual(artifacts.map((artifact) => artifact.id));
    expect(seen).toEqual([...seen].sort());
  });

  it.each(["kind", "stage", "role"])("filters by %s", async (field) => {
    const value = artifacts.at(-1)[field];
    const found = (await get(`/artifacts?limit=100&${field}=${value}`)).body.data;
    expect(found).toEqual(artifacts.filter((artifact) => artifact[field] === value));
    expect((await get(`/artifacts?${field}=nonsense`)).body.data).toEqual([]);
  });
});

describe("one artifact", () => {
  it("has its content: JSON as JSON, other types as text", async () => {
    for (const { id, media_type } of artifacts) {
      const { content } = (await get(`/artifacts/${id}`)).body;
      if (media_type === "application/json") expect(content).toBeTypeOf("object");
      else expect(content).toBeTypeOf("string");
    }
  });
});

describe("raw content", () => {
  it("has the recorded hash and its media type", async () => {
    for (const { id, media_type, size, sha256: hash } of artifacts) {
      const reply = await get(`/artifacts/${id}/content`);
      const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
      expect(reply.headers.get("content-type")!.split(";")[0]).toBe(media_type);
      expect(new TextEncoder().encode(text).length).toBe(size);
      expect(await sha256(text)).toBe(hash);
    }
  });

  it("is not sent again to a client that has it", async () => {
    const { id, sha256: hash } = artifacts[0];
    expect((await get(`/artifacts/${id}/content`)).headers.get("etag")).toBe(`"${hash}"`);
    for (const tag of [`"${hash}"`, `W/"${hash}"`, `"other", "${hash}"`, "*"]) {
      const reply = await get(`/artifacts/${id}/content`, { "if-none-match": tag });
      expect(reply.status, tag).toBe(304);
      expect(reply.headers.get("etag")).toBe(`"${hash}"`);
    }
    expect((await get(`/artifacts/${id}/content`, { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("may run and load nothing in a browser, in particular drawings and documents", async () => {
    const types = new Set(artifacts.map((artifact) => artifact.media_type));
    expect([...types]).toEqual(expect.arrayContaining(["text/markdown", "image/svg+xml", "application/json"]));
    for (const type of types) {
      const { headers } = await get(
        `/artifacts/${artifacts.find((artifact) => artifact.media_type === type).id}/content`,
      );
      expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'; style-src 'unsafe-inline'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});

describe("the manifest", () => {
  it("accounts for every artifact once, with the hash of the prompt, the models and the parameters of its action", async () => {
    const { body } = await get("/manifest");
    expect(body).toMatchObject({ run_id: run, workflow: "requirements", models: { roles: expect.any(Object) } });
    expect(body.actions.flatMap((action: any) => action.artifacts).sort()).toEqual(
      artifacts.map((artifact) => artifact.id),
    );
    for (const { action, artifacts: made, steps, prompt_hash, models, parameters } of body.actions) {
      expect(steps).toBe(made.length);
      for (const id of made)
        expect(artifacts.find((artifact) => artifact.id === id)).toMatchObject({ caused_by: action, prompt_hash });
      expect(models).toEqual(prompt_hash === null ? [] : ["mock"]);
      if (prompt_hash === null) continue;
      expect(prompt_hash).toMatch(/^[0-9a-f]{64}$/);
      for (const one of parameters) expect(one).toMatchObject({ temperature: 0, top_p: 1 });
    }
  });

  it("names the version of the code behind each step, even after another one is deployed", async () => {
    const before = (await get("/manifest")).body;
    const [first] = before.actions;
    expect(first.code_versions).toEqual([before.code_version]);
    const change = bindings.DB.prepare("UPDATE artifacts SET code_version = '0.0.7' WHERE run_id = ?");
    await change.bind(run).run();
    const after = (await get("/manifest")).body;
    expect(after.code_version).toBe("0.0.7");
    for (const { code_versions } of after.actions) expect(code_versions).toEqual(["0.0.7"]);
  });
});
