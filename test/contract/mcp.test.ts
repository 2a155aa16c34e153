/** The MCP server: official clients of both protocol eras start runs, are asked, answer, and read the result. */
import { exports } from "cloudflare:workers";
import { type CallToolResult, type Client as McpClient } from "@modelcontextprotocol/client";
import { beforeEach, describe, expect, it } from "vitest";
import { call, type Client, makeTenant, runWithStatus, until } from "../support/parley";
import { datasetsOf, item } from "./dataset";
import { connectMcp, type Era, ERAS, type McpClientOptions } from "../support/mcp-client";

const served = ((input: RequestInfo, init?: RequestInit) =>
  (exports as any).default.fetch(new Request(input, init))) as typeof fetch;
const connect = (key: string, era: Era, options: Partial<McpClientOptions> = {}) =>
  connectMcp({ url: "http://parley.test", key, era, fetch: served, ...options });

const dataOf = (result: unknown) => (result as CallToolResult).structuredContent as any;
const textOf = (result: unknown) =>
  (result as CallToolResult).content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

let tenant: Client;
beforeEach(async () => {
  tenant = await makeTenant();
});

describe.each(ERAS)("a %s client", (era) => {
  let client: McpClient;
  beforeEach(async () => {
    client = await connect(tenant.test, era);
  });
  const use = (name: string, args: object) => client.callTool({ name, arguments: args as Record<string, unknown> });
  const get = async (run: string) => dataOf(await use("get_run", { run_id: run }));

  it("starts requirements, is asked, answers, and gets the specification", async () => {
    const started = await use("start_requirements", {
      input: { idea: "A library that lends tools to neighbours" },
      options: { human_stakeholder: true, qa_rounds: 1 },
    });
    const { id } = dataOf(started);
    expect(textOf(started)).toContain("Call get_run");
    for (let round = 0; round < 10; round++) {
      const run = await until("a question or the end", async () => {
        const now = await get(id);
        return ["input_required", "completed", "failed"].includes(now.status) && now;
      });
      if (run.status !== "input_required") break;
      const [question] = dataOf(await use("list_questions", { run_id: id })).questions;
      const answers = Object.fromEntries(question.questions.map((one: { id: string }) => [one.id, "Thirty a day."]));
      const said = await use("answer_question", { interaction_id: question.id, answer: { answers } });
      expect(dataOf(said)).toMatchObject({ id: question.id, status: "answered", answer: { answers } });
    }
    const ended = await use("get_run", { run_id: id });
    expect(dataOf(ended).status).toBe("completed");
    const links = (ended as CallToolResult).content.filter((part) => part.type === "resource_link");
    expect(links.length).toBeGreaterThan(2);
    for (const { uri } of links) {
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([{ uri, text: expect.any(String) }]);
    }
    const { contents } = await client.readResource({ uri: `parley://runs/${id}` });
    expect(JSON.parse((contents[0] as { text: string }).text)).toMatchObject({ id, status: "completed" });
  });

  it("sees a tool for each workflow with the schemas of the API, and tools that say what they change", async () => {
    const { tools } = await client.listTools();
    const { data: workflows } = (await call("GET", "/v1/workflows", { key: tenant.test })).body;
    const names = tools.map(({ name }) => name);
    expect(names).toEqual([
      ...workflows.map(({ name }: { name: string }) => `start_${name}`),
      "get_run",
      "list_questions",
      "answer_question",
      "cancel_run",
      "retry_run",
      "search_corpus",
    ]);
    for (const { name, input } of workflows) {
      const { inputSchema } = tools.find((tool) => tool.name === `start_${name}`)!;
      const { $schema: _, $defs: __, ...own } = input;
      expect(Object.keys((inputSchema.properties as any).input.properties ?? own)).toEqual(
        Object.keys(own.properties ?? own),
      );
      expect(inputSchema.required).toEqual(["input"]);
    }
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
    expect(reading).toEqual(["get_run", "list_questions", "search_corpus"]);
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive).toEqual(["cancel_run"]);
  });

  it("cancels, retries, searches, and lists questions and runs", async () => {
    const { id } = dataOf(
      await use("start_requirements", { input: { idea: "A kiosk" }, options: { human_stakeholder: true } }),
    );
    await runWithStatus(tenant.test, id, "input_required");
    expect(dataOf(await use("list_questions", {})).questions).toMatchObject([{ run_id: id }]);
    expect(dataOf(await use("cancel_run", { run_id: id }))).toMatchObject({ id, status: "canceled" });
    expect(dataOf(await use("list_questions", { run_id: id })).questions).toEqual([]);
    const failing = dataOf(
      await use("start_requirements", { input: { idea: "A kiosk" }, limits: { max_llm_calls: 1 } }),
    );
    await runWithStatus(tenant.test, failing.id, "failed");
    expect(await use("get_run", { run_id: failing.id })).toMatchObject({ isError: true });
    const retried = await use("retry_run", { run_id: failing.id, limits: { max_llm_calls: 300 } });
    expect(dataOf(retried)).toMatchObject({ id: failing.id, limits: { max_llm_calls: 300 } });
    await runWithStatus(tenant.test, failing.id, "completed");
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`parley://runs/${failing.id}`, `parley://runs/${id}`]);
    const corpus = (await call("POST", "/v1/corpora", { key: tenant.test, body: { name: "Laws" } })).body.id;
    const body = { source: "A law", text: "A fine of ten euros is due for noise at night." };
    await call("POST", `/v1/corpora/${corpus}/documents`, { key: tenant.test, body });
    const found = await use("search_corpus", { corpus_id: corpus, query: "noise at night" });
    expect(JSON.stringify(dataOf(found).data)).toContain("ten euros");
  });

  it("starts each workflow, once under an idempotency key", async () => {
    const { data } = (await call("GET", "/v1/workflows", { key: tenant.test })).body;
    const dataset = await datasetsOf(tenant.test).filled([item("ten", { gold: { choice: "A" } })]);
    await datasetsOf(tenant.test).close(dataset);
    const variants = [{ name: "one-call", workflow: "plain" }];
    const experiment = {
      input: { title: "One call", dataset_id: dataset, variants },
      options: { metrics: ["accuracy"] },
    };
    for (const { name, example } of data) {
      const once = { ...(name === "experiment" ? experiment : example), idempotency_key: `start-${name}` };
      const first = await use(`start_${name}`, once);
      expect(dataOf(first), textOf(first)).toMatchObject({ workflow: name });
      expect(dataOf(await use(`start_${name}`, once)).id).toBe(dataOf(first).id);
    }
    const { data: entries } = (await call("GET", "/v1/audit?limit=100", { key: tenant.test })).body;
    const starts = entries.filter(({ action }: { action: string }) => action === "createRun");
    expect(starts).toHaveLength(data.length);
  });

  it("has a prompt for each workflow", async () => {
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toContain("debate");
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { about: "a kiosk for bread" } });
      expect(JSON.stringify(messages)).toContain("a kiosk for bread");
      expect(JSON.stringify(messages)).toContain(`start_${name}`);
    }
    await expect(client.getPrompt({ name: "poem", arguments: { about: "bread" } })).rejects.toThrow('no prompt "poem"');
  });

  it("is told what was wrong and what to do", async () => {
    const wrong = await use("start_requirements", { input: { idea: "" }, colour: "red" });
    expect(wrong).toMatchObject({ isError: true, structuredContent: { code: "validation_failed" } });
    expect(textOf(wrong)).toContain("input.idea");
    expect(textOf(wrong)).toContain("colour");
    expect(textOf(wrong).split("colour:")).toHaveLength(2); // each error once
    expect(textOf(await use("get_run", { run_id: "7" }))).toContain("ids look like run_01");
    expect(textOf(await use("get_run", {}))).toContain("run_id");
    await expect(use("dance", {})).rejects.toThrow(/no tool "dance".*start_requirements.*search_corpus/);
    await expect(client.readResource({ uri: "parley://elsewhere" })).rejects.toThrow("no such resource");
  });
});
