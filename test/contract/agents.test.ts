/** The registry of worker agents: the tenant's own can be created, changed and deleted; built-in ones can be read. */
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { BUILT_IN } from "#agents/built-in/index";
import { all, addKey, bindings, type Client, makeTenant } from "../support/parley";
import { newAgent } from "./agent";
import { api, refusal } from "./api";

let client: Client;
let made: { id: string; name: string };
beforeAll(async () => {
  client = await makeTenant();
});
beforeEach(async () => {
  made = (await create(newAgent())).body;
});

const create = (body: object) => api("POST", "/v1/agents", { key: client.test, body });
const at = (method: string, id: string, body?: object) => api(method, `/v1/agents/${id}`, { key: client.test, body });
const TUTOR = "builtin:maths-tutor";
const server = (more: object = {}) => ({ name: "warehouse", url: "https://mcp.example.com/mcp", ...more });

describe("a new agent", () => {
  it("is shown as it was given, with its defaults", async () => {
    const body = newAgent();
    const reply = await create(body);
    expect(reply.status).toBe(201);
    expect(reply.headers.get("location")).toBe(`/v1/agents/${reply.body.id}`);
    expect(reply.body).toEqual({
      ...body,
      object: "agent",
      id: expect.stringMatching(/^agt_/),
      built_in: false,
      tools: [],
      unavailable_tools: [],
      mcp_servers: [],
      model: null,
      created_at: expect.any(String),
      updated_at: reply.body.created_at,
    });
    expect((await at("GET", reply.body.id)).body).toEqual(reply.body);
  });

  it("names its tools that are not configured", async () => {
    const reply = await create(newAgent({ tools: ["web_search", "calculator", "http_request"] }));
    expect(reply.body).toMatchObject({
      tools: ["web_search", "calculator", "http_request"],
      unavailable_tools: ["web_search", "http_request"],
    });
  });

  it("may have a model of a configured provider", async () => {
    expect((await create(newAgent({ model: "openai/some/model" }))).body.model).toBe("openai/some/model");
  });

  const wrong: [what: string, more: object, path: string][] = [
    ["no name", { name: undefined }, "name"],
    ["a blank name", { name: "  " }, "name"],
    ["a name that begins with a mark", { name: "-a" }, "name"],
    ["a name with a line break", { name: "a\nb" }, "name"],
    ["a long name", { name: "x".repeat(65) }, "name"],
    ["no capability", { capabilities: [] }, "capabilities"],
    ["an empty capability", { capabilities: ["a", ""] }, "capabilities.1"],
    ["no instructions", { instructions: "" }, "instructions"],
    ["instructions that are too long", { instructions: "x".repeat(20_001) }, "instructions"],
    ["an unknown tool", { tools: ["shell"] }, "tools.0"],
    ["a tool twice", { tools: ["calculator", "calculator"] }, "tools"],
    ["a model of no provider", { model: "gpt" }, "model"],
    ["an unknown field", { colour: "red" }, "colour"],
    ["an id of its own", { id: "agt_1" }, "id"],
    ["an unknown field of a server", { mcp_servers: [server({ token: "x" })] }, "mcp_servers.0.token"],
    ["a server without a URL", { mcp_servers: [{ name: "a" }] }, "mcp_servers.0.url"],
    ["a server with a bad name", { mcp_servers: [server({ name: "My Server" })] }, "mcp_servers.0.name"],
    ["two servers of one name", { mcp_servers: [server(), server()] }, "mcp_servers"],
    [
      "a header that is the protocol's",
      { mcp_servers: [server({ headers: { "Mcp-Session-Id": "1" } })] },
      "mcp_servers.0.headers.Mcp-Session-Id",
    ],
    [
      "headers that are too long together",
      {
        mcp_servers: [1, 2].map((n) =>
          server({ name: `n${n}`, headers: { a: "x".repeat(4000), b: "x".repeat(4000), c: "" } }),
        ),
      },
      "mcp_servers",
    ],
    ["a header that is none", { mcp_servers: [server({ headers: { "a b": "1" } })] }, "mcp_servers.0.headers.a b"],
    [
      "a header with a line break",
      { mcp_servers: [server({ headers: { a: "1\r\nb: 2" } })] },
      "mcp_servers.0.headers.a",
    ],
  ];
  test.each(wrong)("is refused with %s", async (_, more, path) => {
    const reply = await create(newAgent(more));
    expect(reply.status).toBe(422);
    expect(reply.body.errors.map((fieldError: { path: string }) => fieldError.path)).toContain(path);
  });

  it("is refused with every error at once", async () => {
    const reply = await create(
      newAgent({ name: "", tools: ["shell"], model: "nobody", mcp_servers: [server({ url: "ftp://x" })] }),
    );
    expect(reply).toMatchObject(refusal(422, "validation_failed", "name", "tools.0", "model", "mcp_servers.0.url"));
  });

  it("is refused with a provider or a URL that we do not call, each by its own code", async () => {
    const body = newAgent({ model: "nobody/x" });
    const provider = await api("POST", "/v1/agents", { key: client.live, body });
    expect(provider).toMatchObject(refusal(422, "unknown_provider", "model"));
    expect(provider.body.detail).toContain("openai, nowhere");
    expect(await create(newAgent({ mcp_servers: [server({ url: "ftp://x" })] }))).toMatchObject(
      refusal(422, "url_refused", "mcp_servers.0.url"),
    );
  });

  it("may have any model in test mode, which calls none", async () => {
    expect(await create(newAgent({ model: "nobody/x" }))).toMatchObject({ status: 201, body: { model: "nobody/x" } });
    expect(await create(newAgent({ model: "nobody" }))).toMatchObject(refusal(422, "unknown_provider", "model"));
  });
});

it("a tenant has 500 agents at most, and a taken name is reported before a full registry", async () => {
  const tenant = await makeTenant();
  const add = (body: object) => api("POST", "/v1/agents", { key: tenant.test, body });
  const first = (await add(newAgent())).body;
  await bindings.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 499)
     INSERT INTO agents SELECT id || n, tenant_id, mode, name || n, name_key || n, description, capabilities, when_to_use, input, output,
       instructions, tools, mcp_servers, model, created_at, updated_at FROM agents, numbers WHERE id = ?`,
  )
    .bind(first.id)
    .run();
  expect(await add(newAgent())).toMatchObject(refusal(409, "registry_full"));
  expect(await add(newAgent({ name: first.name }))).toMatchObject(refusal(409, "name_taken"));
  await api("DELETE", `/v1/agents/${first.id}`, { key: tenant.test });
  expect((await add(newAgent())).status).toBe(201);
});

describe("names", () => {
  it("are unique in a tenant, ignoring case and width", async () => {
    for (const name of [
      made.name,
      made.name.toUpperCase(),
      made.name.replace("Clerk", "Ｃlerk"),
      made.name.replace(" ", "  "),
    ]) {
      expect(await create(newAgent({ name })), name).toMatchObject(refusal(409, "name_taken"));
    }
    const other = (await create(newAgent())).body;
    expect(await at("PATCH", other.id, { name: made.name.toLowerCase() })).toMatchObject(refusal(409, "name_taken"));
    expect((await at("GET", other.id)).body.name).toBe(other.name);
  });

  it("are not those of built-in agents", async () => {
    expect(await create(newAgent({ name: "maths TUTOR" }))).toMatchObject(refusal(409, "name_taken"));
    expect(await at("PATCH", made.id, { name: "Translator" })).toMatchObject(refusal(409, "name_taken"));
  });

  it("may also exist at another tenant, and a change may alter their case only", async () => {
    const stranger = await makeTenant();
    expect((await api("POST", "/v1/agents", { key: stranger.test, body: newAgent({ name: made.name }) })).status).toBe(
      201,
    );
    const shouted = made.name.toUpperCase();
    expect((await at("PATCH", made.id, { name: shouted })).body.name).toBe(shouted);
  });

  it("are free again when their agent is deleted; of two concurrent requests for one name, one gets it", async () => {
    expect((await at("DELETE", made.id)).status).toBe(204);
    const replies = await Promise.all([1, 2, 3].map(() => create(newAgent({ name: made.name }))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("a change", () => {
  it("changes the given fields and no others", async () => {
    const before = (await at("PATCH", made.id, { tools: ["calculator"], model: "openai/x" })).body;
    const after = (await at("PATCH", made.id, { description: "Finds parcels.", model: null })).body;
    expect(after).toEqual({ ...before, description: "Finds parcels.", model: null, updated_at: expect.any(String) });
    expect((await at("GET", made.id)).body).toEqual(after);
  });

  it("needs at least one field, and only known ones", async () => {
    expect(await at("PATCH", made.id, {})).toMatchObject(refusal(422, "validation_failed", ""));
    expect(await at("PATCH", made.id, { built_in: true })).toMatchObject(refusal(422, "validation_failed", "built_in"));
    expect(await at("PATCH", made.id, { name: null })).toMatchObject(refusal(422, "validation_failed", "name"));
  });
});

describe("the headers of an MCP server", () => {
  const SECRET = "Bearer warehouse-secret-42";
  const sealedOf = async (id: string) => {
    const row = await bindings.DB.prepare("SELECT mcp_servers FROM agents WHERE id = ?")
      .bind(id)
      .first<{ mcp_servers: string }>();
    return JSON.parse(row!.mcp_servers)[0].sealed_headers as string | null;
  };

  it("are shown by name only, and stored encrypted", async () => {
    const reply = await create(newAgent({ mcp_servers: [server({ headers: { Authorization: SECRET } })] }));
    expect(reply.body.mcp_servers).toEqual([server({ header_names: ["Authorization"] })]);
    const { results } = await bindings.DB.prepare("SELECT * FROM agents WHERE id = ?").bind(reply.body.id).all();
    for (const text of [
      JSON.stringify(reply.body),
      JSON.stringify(results),
      JSON.stringify((await at("GET", reply.body.id)).body),
    ])
      expect(text).not.toContain("warehouse-secret");
    expect(await sealedOf(reply.body.id)).toBeTruthy();
  });

  it("are kept by a change that omits them, and removed by another URL or an empty list", async () => {
    const { id } = (await create(newAgent({ mcp_servers: [server({ headers: { Authorization: SECRET } })] }))).body;
    const sealed = await sealedOf(id);
    expect((await at("PATCH", id, { mcp_servers: [server()] })).body.mcp_servers[0].header_names).toEqual([
      "Authorization",
    ]);
    expect(await sealedOf(id)).toBe(sealed);
    const moved = await at("PATCH", id, { mcp_servers: [server({ url: "https://evil.example.org/mcp" })] });
    expect(moved.body.mcp_servers[0].header_names).toEqual([]);
    expect(await sealedOf(id)).toBeNull();
    const back = (await create(newAgent({ mcp_servers: [server({ headers: { Authorization: SECRET } })] }))).body;
    expect(
      (await at("PATCH", back.id, { mcp_servers: [server({ headers: {} })] })).body.mcp_servers[0].header_names,
    ).toEqual([]);
    expect(await sealedOf(back.id)).toBeNull();
  });
});

it("the headers of a server are not taken back by a change at the same time that omits them", async () => {
  for (let n = 0; n < 5; n++) {
    const { id } = (await create(newAgent({ mcp_servers: [server({ headers: { Old: "1" } })] }))).body;
    const changes = [server({ headers: { New: "2" } }), server()];
    const replies = await Promise.all(changes.map((one) => at("PATCH", id, { mcp_servers: [one] })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await at("GET", id)).body.mcp_servers[0].header_names).toEqual(["New"]);
  }
});

describe("built-in agents", () => {
  it("can be read by everyone", async () => {
    const { body } = await at("GET", TUTOR);
    expect(body).toMatchObject({
      id: TUTOR,
      built_in: true,
      name: "Maths Tutor",
      tools: ["calculator"],
      model: null,
      created_at: null,
    });
    expect(body.instructions.length).toBeGreaterThan(100);
  });

  it("are read-only; this is reported before any other error", async () => {
    for (const reply of [
      await at("PATCH", TUTOR, { name: "Mine" }),
      await at("PATCH", TUTOR, { colour: "red" }),
      await at("DELETE", TUTOR),
    ]) {
      expect(reply).toMatchObject(refusal(409, "built_in_agent"));
      expect(reply.body.detail).toContain('"Maths Tutor"');
    }
    expect((await at("GET", TUTOR)).body.name).toBe("Maths Tutor");
  });

  it("that do not exist are not found", async () => {
    for (const method of ["GET", "PATCH", "DELETE"]) {
      for (const id of ["builtin:nobody", "builtin:", "builtin:__proto__", "builtin:Maths-Tutor"]) {
        expect(await at(method, id, method === "PATCH" ? { name: "A" } : undefined), id).toMatchObject(
          refusal(404, "not_found"),
        );
      }
    }
  });
});

it("a deleted agent is not found any more", async () => {
  expect((await at("DELETE", made.id)).status).toBe(204);
  expect(await at("GET", made.id)).toMatchObject(refusal(404, "not_found"));
  expect(await at("DELETE", made.id)).toMatchObject(refusal(404, "not_found"));
  expect(await at("PATCH", made.id, { name: "A" })).toMatchObject(refusal(404, "not_found"));
});

describe("the list", () => {
  const ids = async (key: string, query: string) => (await api("GET", `/v1/agents?${query}`, { key })).body;

  it("has the tenant's own, newest first, then the built-in ones", async () => {
    const owner = await makeTenant();
    const own: string[] = [];
    for (let n = 0; n < 3; n++)
      own.unshift((await api("POST", "/v1/agents", { key: owner.test, body: newAgent() })).body.id);
    const builtIn = BUILT_IN.map(({ slug }) => `builtin:${slug}`);
    const everything = (await all(owner.test, "/v1/agents")).map(({ id }) => id);
    expect(everything).toEqual([...own, ...builtIn]);
    expect((await all(owner.test, "/v1/agents?built_in=false")).map(({ id }) => id)).toEqual(own);
    expect((await all(owner.test, "/v1/agents?built_in=true")).map(({ id }) => id)).toEqual(builtIn);
    for (const limit of [1, 2, 3, 4, 7, 40]) {
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page = await ids(owner.test, `limit=${limit}${cursor && `&cursor=${cursor}`}`);
        expect(page.data.length).toBeLessThanOrEqual(limit);
        seen.push(...page.data.map((agent: { id: string }) => agent.id));
        cursor = page.next_cursor;
      }
      expect(seen, `by ${limit}`).toEqual(everything);
    }
  });

  it("continues after the last entry of a page, although agents are added and deleted", async () => {
    const owner = await makeTenant();
    for (let n = 0; n < 3; n++) await api("POST", "/v1/agents", { key: owner.test, body: newAgent() });
    const first = await ids(owner.test, "limit=2");
    await api("DELETE", `/v1/agents/${first.data[1].id}`, { key: owner.test });
    await api("POST", "/v1/agents", { key: owner.test, body: newAgent() });
    const second = await ids(owner.test, `limit=2&cursor=${first.next_cursor}`);
    expect(second.data.map((agent: { built_in: boolean }) => agent.built_in)).toEqual([false, true]);
  });

  it("refuses a filter that is neither true nor false", async () => {
    expect(await api("GET", "/v1/agents?built_in=maybe", { key: client.test })).toMatchObject(
      refusal(400, "invalid_query", "built_in"),
    );
  });
});

it("reading needs runs:read, changing runs:write", async () => {
  const reader = await addKey(client.tenant, "test", ["runs:read"]);
  expect((await api("GET", `/v1/agents/${made.id}`, { key: reader })).status).toBe(200);
  expect(await api("DELETE", `/v1/agents/${made.id}`, { key: reader })).toMatchObject(refusal(403, "missing_scope"));
  const writer = await addKey(client.tenant, "test", ["runs:write"]);
  expect((await api("PATCH", `/v1/agents/${made.id}`, { key: writer, body: { input: "A number." } })).status).toBe(200);
  expect(await api("GET", `/v1/agents/${made.id}`, { key: writer })).toMatchObject(refusal(403, "missing_scope"));
});

describe("a run of the waterfall", () => {
  const start = (more: object) =>
    api("POST", "/v1/runs", {
      key: client.test,
      body: { workflow: "waterfall", input: { requirement: "Translate a letter." }, ...more },
    });

  it("is refused with unknown agents, each by its index, with all other errors", async () => {
    const options = { agents: [made.id, "builtin:nobody", "agt_0"] };
    expect(await start({ options })).toMatchObject(
      refusal(422, "unknown_agent", "options.agents.1", "options.agents.2"),
    );
    const both = await start({ options: { agents: ["builtin:nobody"] }, models: { default: "nobody" } });
    expect(both).toMatchObject(refusal(422, "validation_failed", "options.agents.0", "models.default"));
  });

  it("is not started with an agent of another tenant", async () => {
    const stranger = await makeTenant();
    const theirs = (await api("POST", "/v1/agents", { key: stranger.test, body: newAgent() })).body.id;
    expect(await start({ options: { agents: [theirs] } })).toMatchObject(
      refusal(422, "unknown_agent", "options.agents.0"),
    );
  });

  it("needs a price for the models of its agents when its cost is limited", async () => {
    const body = newAgent({ model: "openai/unpriced" });
    const own = (await api("POST", "/v1/agents", { key: client.live, body })).body.id;
    const reply = await api("POST", "/v1/runs", {
      key: client.live,
      body: {
        workflow: "waterfall",
        input: { requirement: "Translate a letter." },
        options: { agents: [own] },
        limits: { max_cost_usd: 1 },
      },
    });
    expect(reply).toMatchObject(refusal(422, "validation_failed", "limits.max_cost_usd"));
    expect(reply.body.detail).toContain("openai/unpriced");
  });
});
