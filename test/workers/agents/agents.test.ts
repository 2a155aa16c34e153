/** The registry of agents inside workerd: agents, their tools, and MCP servers called over the network. */
import { beforeAll, describe, expect, it } from "vitest";
import { agentRegistry, modelsOfAgents } from "#agents/registry";
import { BUILT_IN } from "#agents/built-in/index";
import { readSettings } from "#services/settings";
import { newId } from "#core/ids";
import type { Owner } from "#core/owner";
import { Secrets } from "#core/secrets";
import { Store } from "#store/store";
import { bindings, call, type Client, makeTenant } from "../../support/parley";
import { newAgent } from "../../contract/agent";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const store = new Store(bindings.DB, bindings.BUCKET);
const registryWith = (vars: object = {}) => {
  const settings = readSettings({ ...bindings, ...vars });
  return agentRegistry({ store, settings, secrets: new Secrets(settings.secrets) });
};
const registry = registryWith();
const of = ({ tenant }: Client, mode: Owner["mode"] = "test"): Owner => ({ tenant_id: tenant, mode });
const create = async (more: object, key = client.test) =>
  (await call("POST", "/v1/agents", { key, body: newAgent(more) })).body;

describe("the agents of a run", () => {
  it("are the tenant's and the built-in ones, or those that the run names", async () => {
    const owner = await makeTenant();
    const own = await create({}, owner.test);
    const everyone = await registry.load(of(owner), null);
    expect(everyone.map(({ id }) => id)).toEqual([own.id, ...BUILT_IN.map(({ slug }) => `builtin:${slug}`)]);
    const chosen = await registry.load(of(owner), ["builtin:translator", own.id]);
    expect(chosen.map(({ id }) => id)).toEqual([own.id, "builtin:translator"]);
    expect(await registry.load(of(owner), [])).toEqual([]);
  });

  it("have the given profile, without secrets", async () => {
    const mcp_servers = [{ name: "shop", url: bindings.TEST_MCP_URL, headers: { authorization: "Bearer x-99" } }];
    const own = await create({ model: "openai/big", tools: ["calculator", "web_search"], mcp_servers });
    const [profile] = await registry.load(of(client), [own.id]);
    const { name, description, capabilities, when_to_use, input, output, instructions } = own;
    expect(profile).toEqual({
      id: own.id,
      name,
      description,
      capabilities,
      when_to_use,
      input,
      output,
      instructions,
      tools: ["calculator"],
      model: "openai/big",
      mcp_servers: [{ name: "shop", url: bindings.TEST_MCP_URL }],
    });
    expect(await modelsOfAgents(store, of(client), [own.id])).toEqual(["openai/big"]);
  });

  it("show a tool once it is configured", async () => {
    const searching = registryWith({ BRAVE_SEARCH_API_KEY: "k" });
    const [before] = await registry.load(of(client), ["builtin:news-researcher"]);
    const [after] = await searching.load(of(client), ["builtin:news-researcher"]);
    expect(before!.tools).toEqual(["date_arithmetic"]);
    expect(after!.tools).toEqual(["date_arithmetic", "web_search"]);
  });

  it("that do not exist are all reported, by index", async () => {
    const stranger = await create({}, (await makeTenant()).test);
    const missing = newId("agt");
    await expect(registry.load(of(client), [missing, "builtin:writer", stranger.id, "Writer"])).rejects.toMatchObject({
      code: "unknown_agent",
      errors: [missing, stranger.id, "Writer"].map((id) => ({
        path: `options.agents.${[missing, "", stranger.id, "Writer"].indexOf(id)}`,
        code: "unknown_agent",
        message: `There is no agent ${id}.`,
      })),
    });
  });
});

describe("the tools of an agent", () => {
  const agentWith = async (headers?: object, url = bindings.TEST_MCP_URL) => {
    const mcp_servers = [{ name: "shop", url, headers }];
    const own = await create({ tools: ["calculator"], mcp_servers }, client.live);
    return (await registry.load(of(client, "live"), [own.id]))[0]!;
  };
  const ask = async (profile: Awaited<ReturnType<typeof agentWith>>, name: string, args: object) => {
    const tools = await registry.tools(profile, of(client, "live"));
    return tools.find((tool) => tool.name === name)!.call(args, AbortSignal.timeout(5000));
  };

  it("work inside workerd, including those of its MCP servers", async () => {
    const profile = await agentWith();
    expect(await ask(profile, "calculator", { expression: "1/3 + 1/6" })).toBe("0.5");
    expect(await ask(profile, "shop__add", { a: 40, b: 2 })).toBe("42");
    await expect(ask(profile, "shop__fail", {})).rejects.toThrow("the shelf is empty");
    await expect(ask(profile, "shop__flood", {})).rejects.toThrow(/said more than 4 MiB/);
    expect(await ask(profile, "shop__who_asks", {})).toBe("nobody");
  });

  it("work over MCP 2026-07-28, where the server speaks no other version", async () => {
    const profile = await agentWith(undefined, bindings.TEST_MODERN_MCP_URL);
    expect(await ask(profile, "shop__add", { a: 40, b: 2 })).toBe("42");
    await expect(ask(profile, "shop__fail", {})).rejects.toThrow("the shelf is empty");
  });

  it("are called with the agent's headers, until these are removed", async () => {
    const profile = await agentWith({ authorization: "Bearer shelf-42" });
    expect(await ask(profile, "shop__who_asks", {})).toBe("Bearer shelf-42");
    await call("DELETE", `/v1/agents/${profile.id}`, { key: client.live });
    expect(await ask(profile, "shop__who_asks", {})).toBe("nobody");
  });

  it("are mocked in test mode", async () => {
    const profile = await agentWith();
    const tools = await registry.tools(profile, of(client));
    expect(tools.map(({ name }) => name)).toEqual(["calculator", "shop__mock"]);
  });
});
