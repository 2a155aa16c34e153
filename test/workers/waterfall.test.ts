/** The waterfall workflow plays as its paper says, on the rehearsal model and with real programs in the sandbox, through each branch. */
import { beforeAll, describe, expect, it } from "vitest";
import {
  artifactsOf,
  bindings,
  call,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
} from "../support/parley";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const begin = (body: object = {}) =>
  start(client.test, {
    workflow: "waterfall",
    input: { requirement: "Plan a weekend in Lisbon, and add up what it costs" },
    ...body,
  });
/** A run that asks nothing of a person, to its end. */
const play = async ({ options, ...body }: { options?: object; test?: object; input?: object } = {}) =>
  runWithStatus(client.test, await begin({ options: { clarification: "infer", ...options }, ...body }), "completed");
const artifacts = (run: { id: string }) => artifactsOf(client.test, run.id);
const actionsOf = async (run: { id: string }) => (await artifacts(run)).map((artifact) => artifact.caused_by);
const contentsOf = async (run: { id: string }, kind: string): Promise<any[]> => {
  const found = (await artifacts(run)).filter((artifact) => artifact.kind === kind);
  const replies = await Promise.all(
    found.map(({ id }) => call("GET", `/v1/runs/${run.id}/artifacts/${id}`, { key: client.test })),
  );
  return replies.map(({ body }) => body.content);
};
const count = (actions: string[], action: string) => actions.filter((one) => one === action).length;

describe("a run with nothing to go wrong", () => {
  let run: any;
  let actions: string[];
  beforeAll(async () => {
    run = await play();
    actions = await actionsOf(run);
  });

  it("is accepted with an answer that the last agent gave, and with every document", () => {
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "accepted", executions: 1 });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.gherkin.text).toMatch(/^Feature: /);
    expect(JSON.parse(run.output.plan.text).tasks).toHaveLength(3);
    expect(run.output.pseudocode.text).toContain("function Main");
    expect(run.output.code.text).toContain("export default async function main(agents, {");
    expect(run.output).not.toHaveProperty("calls");
    expect(run.output).not.toHaveProperty("reason");
  });

  it("goes through three stages, and has each expert act once in the paper's order", () => {
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "design", "implementation"]);
    expect(actions).toEqual([
      "human_interaction",
      "ask_clarifications",
      "keep_log",
      "optimize_requirement",
      "keep_log",
      "transform_requirement",
      "parse_gherkin",
      "verify_requirement",
      "read_registry",
      "decompose_task",
      "write_pseudocode",
      "verify_pseudocode",
      "generate_code",
      "call_agent",
      "call_agent",
      "call_agent",
      "execute_program",
      "read_result",
      "verify_response",
    ]);
  });

  it("ran the program: its agent calls, their results and what it printed are in the log", async () => {
    const [log] = await contentsOf(run, "execution_log");
    expect(log).toMatchObject({ status: "returned", calls: 3, value: run.output.answer });
    expect(log.log).toEqual([{ level: "log", text: "2 results are there" }]);
    expect(log.agent_calls.map((one: any) => one.completed_seq)).toEqual([1, 2, 3]);
    expect(log.agent_calls.every((one: any) => one.ok && one.line > 0)).toBe(true);
    const results = await contentsOf(run, "agent_result");
    expect(results.at(-1).input.results).toEqual(results.slice(0, 2).map((one) => one.value));
  });

  it("says of what a model made that it was rehearsed, and who it is meant for", async () => {
    const made = (await artifacts(run)).filter((artifact) => artifact.usage.llm_calls > 0);
    expect(new Set(made.map((artifact) => artifact.model))).toEqual(new Set(["rehearsal"]));
    expect(new Set(made.map((artifact) => artifact.role)).size).toBe(10);
  });

  it("gives the Gherkin as a syntax tree too", async () => {
    const [ast] = await contentsOf(run, "gherkin_ast");
    expect(ast.feature.children[0].scenario.steps.length).toBeGreaterThan(2);
  });
});

describe("clarification", () => {
  it("asks a person by default, infers what was not answered, and marks it so", async () => {
    const id = await begin();
    const interaction = await openInteraction(client.test, id);
    expect(interaction.questions.map((question: any) => question.dimension)).toEqual(["purpose", "type", "condition"]);
    const [first] = interaction.questions;
    const answered = await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.test,
      body: { answers: { [first.id]: "A honeymoon with two children" }, comment: "No museums", answered_by: "Ada" },
    });
    expect(answered.status).toBe(200);
    const run = await runWithStatus(client.test, id, "completed");
    const logs = await contentsOf(run, "user_log");
    expect(logs.at(-1).entries.map((entry: any) => entry.source)).toEqual(["user", "inferred", "inferred"]);
    expect(logs.at(-1)).toMatchObject({ comment: "No museums" });
    const [refined] = await contentsOf(run, "refined_requirement");
    expect(refined.refined_requirement).toContain("A honeymoon with two children");
    expect(refined.inferred_answers).toHaveLength(2);
    expect(run.output.gherkin.text).toContain("honeymoon");
  });

  it("goes on by inference when a person answers nothing", async () => {
    const id = await begin();
    const interaction = await openInteraction(client.test, id);
    await call("POST", `/v1/interactions/${interaction.id}/answer`, { key: client.test, body: { answers: {} } });
    const run = await runWithStatus(client.test, id, "completed");
    const [, , log] = await contentsOf(run, "user_log");
    expect(log.entries.every((entry: any) => entry.source === "inferred")).toBe(true);
  });

  it("goes on by inference when nobody answers in time", async () => {
    const id = await begin();
    const interaction = await openInteraction(client.test, id);
    await bindings.DB.prepare("UPDATE interactions SET expires_at = ? WHERE id = ?")
      .bind(Date.now() - 1, interaction.id)
      .run();
    const run = await runWithStatus(client.test, id, "completed");
    expect((await contentsOf(run, "user_log")).at(-1).entries.map((entry: any) => entry.source)).toEqual(
      Array.from({ length: 3 }, () => "inferred"),
    );
    expect(run.output.accepted).toBe(true);
  });

  it("takes a clear request as it stands", async () => {
    const run = await runWithStatus(
      client.test,
      await begin({ test: { script: { ask_clarifications: ["none"] } } }),
      "completed",
    );
    expect(await actionsOf(run)).not.toContain("optimize_requirement");
    expect(run.output.accepted).toBe(true);
  });

  it("asks nothing under skip", async () => {
    const actions = await actionsOf(await play({ options: { clarification: "skip" } }));
    expect(actions).not.toContain("ask_clarifications");
  });
});

describe("a Gherkin that is rejected", () => {
  it("by the parser goes back to its writer with the line, before any verifier is asked", async () => {
    const run = await play({ test: { script: { transform_requirement: ["syntax_error", "ok"] } } });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /transform|parse|verify_req|optimize/.test(one))).toEqual([
      "optimize_requirement",
      "transform_requirement",
      "transform_requirement",
      "parse_gherkin",
      "verify_requirement",
    ]);
    expect(run.output.accepted).toBe(true);
  });

  it("by the verifier goes to the Optimization Expert", async () => {
    const run = await play({ test: { script: { verify_requirement: ["reject", "accept"] } } });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /optimize|transform|verify_req/.test(one))).toEqual([
      "optimize_requirement",
      "transform_requirement",
      "verify_requirement",
      "optimize_requirement",
      "transform_requirement",
      "verify_requirement",
    ]);
    const versions = await contentsOf(run, "refined_requirement");
    expect(versions[1].refined_requirement).toContain("Mind this above all");
  });

  it("goes to its writer at once when the option says so", async () => {
    const run = await play({
      options: { on_gherkin_rejected: "transform" },
      test: { script: { verify_requirement: ["reject", "accept"] } },
    });
    expect(count(await actionsOf(run), "optimize_requirement")).toBe(1);
    expect(run.output.gherkin.text).toContain("this is put right");
  });

  it.each([
    ["verifier", { verify_requirement: ["reject", "reject"] }, /missing/],
    ["parser", { transform_requirement: ["syntax_error", "syntax_error"] }, /^Line \d+, column \d+: expected: /],
  ])("ends the run at the limit, by the %s, with the reason", async (_by, script, reason) => {
    const run = await play({ options: { max_requirement_revisions: 1 }, test: { script } });
    expect(run.output).toMatchObject({
      accepted: false,
      stop_reason: "max_requirement_revisions",
      answer: null,
      executions: 0,
      plan: null,
    });
    expect(run.output.reason).toMatch(reason);
    expect(run.output.gherkin.text).toMatch(/^Feature/);
  });
});

describe("design", () => {
  it("sends a plan with an unknown agent back to its maker", async () => {
    const run = await play({ test: { script: { decompose_task: ["unknown_agent", "ok"] } } });
    const plans = await contentsOf(run, "task_plan");
    expect(plans).toHaveLength(2);
    expect(plans[0].tasks[0].primary_agent).toBe(`${plans[1].tasks[0].primary_agent} Deluxe`);
    expect(run.output.accepted).toBe(true);
  });

  it("ends when a plan keeps naming agents that are not there, and says which are nearest", async () => {
    const script = { decompose_task: ["unknown_agent", "unknown_agent", "unknown_agent"] };
    const run = await play({ test: { script } });
    const plan = JSON.parse(run.output.plan.text);
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "unknown_agents", pseudocode: null });
    expect(run.output.reason).toContain(plan.tasks[0].primary_agent.replace(" Deluxe", ""));
  });

  it("has a rejected pseudocode written anew, with the reason", async () => {
    const run = await play({ test: { script: { verify_pseudocode: ["reject", "accept"] } } });
    const versions = await contentsOf(run, "pseudocode");
    expect(versions).toHaveLength(2);
    expect(versions[1]).toContain("minding: Something that was asked for is missing");
    expect(run.output.accepted).toBe(true);
  });

  it("ends at the limit of pseudocode revisions", async () => {
    const run = await play({
      options: { max_pseudocode_revisions: 0 },
      test: { script: { verify_pseudocode: ["reject"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_pseudocode_revisions", code: null });
  });

  it("plans over the agents that the caller chose, and over no others", async () => {
    const { body } = await call("GET", "/v1/agents?limit=3", { key: client.test });
    const chosen = body.data.slice(0, 2);
    const run = await play({ options: { agents: chosen.map(({ id }: any) => id) } });
    const names = chosen.map(({ name }: any) => name);
    const { tasks } = JSON.parse(run.output.plan.text);
    for (const task of tasks) expect(names).toContain(task.primary_agent);
    expect((await contentsOf(run, "agent_profiles"))[0]).toHaveLength(2);
  });
});

it("shows planners a shortlist of a large registry", async () => {
  const { test: key } = await makeTenant();
  for (let number = 1; number <= 20; number++) {
    const agent = {
      name: `Filing Clerk ${number}`,
      description: "Puts letters into folders.",
      capabilities: ["filing"],
      when_to_use: "When a letter lies about.",
      input: "a letter",
      output: "a folder",
      instructions: "You file letters.",
    };
    expect((await call("POST", "/v1/agents", { key, body: agent })).status).toBe(201);
  }
  const id = await start(key, {
    workflow: "waterfall",
    input: { requirement: "Plan a trip to Lisbon with flights and hotels" },
    options: { clarification: "skip" },
  });
  const run = await runWithStatus(key, id, "completed");
  const listed = (await artifactsOf(key, id)).find((artifact) => artifact.kind === "agent_shortlist");
  const { content } = (await call("GET", `/v1/runs/${id}/artifacts/${listed.id}`, { key })).body;
  expect(content).toHaveLength(24);
  expect(content[0]).toMatch(/Travel/);
  for (const task of JSON.parse(run.output.plan.text).tasks) expect(content).toContain(task.primary_agent);
});

describe("a program that fails", () => {
  it.each([
    ["syntax_error", "syntax", /expecting|unexpected/i],
    ["runtime_error", "runtime", /undefined/],
    ["endless_loop", "out_of_fuel", /fuel/],
    ["no_answer", "no_answer", /main returned nothing/],
    ["unknown_agent", "runtime", /There is no agent ".* Deluxe"\. Nearest are/],
  ])("by a %s is analysed as implementation and repaired by the Code Fixer", async (outcome, kind, message) => {
    const run = await play({ test: { script: { generate_code: [outcome] } } });
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /analyze|fix/.test(one))).toEqual(["analyze_error", "fix_code"]);
    const [log] = await contentsOf(run, "execution_log");
    if (kind !== "no_answer") expect(log.error).toMatchObject({ kind, message: expect.stringMatching(message) });
    if (kind === "syntax" || outcome === "runtime_error") expect(log.error.line).toBeGreaterThan(2);
    const [report] = await contentsOf(run, "error_report");
    expect(report.error_aspect).toBe("implementation");
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "design", "implementation", "reflection"]);
  });

  it.each(["refuse", "silent"])(
    "because its agents %s is blamed on the design, which takes an alternative",
    async (outcome) => {
      const run = await play({ test: { script: { call_agent: [outcome, "answer"] } } });
      expect(run.output).toMatchObject({ accepted: true, executions: 2 });
      const actions = await actionsOf(run);
      expect(actions.filter((one) => /analyze|fix|generate/.test(one))).toEqual([
        "generate_code",
        "analyze_error",
        "fix_pseudocode",
        "generate_code",
      ]);
      const [first, second] = await contentsOf(run, "pseudocode");
      const agentsIn = (text: string) => [...text.matchAll(/ask "([^"]+)"/g)].map(([, name]) => name);
      expect(agentsIn(second)).not.toEqual(agentsIn(first));
      const [log] = await contentsOf(run, "execution_log");
      expect(log).toMatchObject({ status: "failed", error: { name: "AgentError" } });
      expect(log.agent_calls.every((one: any) => !one.ok)).toBe(true);
    },
  );

  it("twice in a row for the same reason has the other layer blamed", async () => {
    const script = {
      generate_code: ["runtime_error", "ok"],
      fix_code: ["no_fix"],
      analyze_error: ["implementation", "implementation"],
    };
    const run = await play({ test: { script } });
    const reports = await contentsOf(run, "error_report");
    expect(reports.map((report) => report.error_aspect)).toEqual(["implementation", "implementation", "design"]);
    const actions = await actionsOf(run);
    expect(actions.filter((one) => /change_layer|fix/.test(one))).toEqual([
      "fix_code",
      "change_layer",
      "fix_pseudocode",
    ]);
    expect(run.output).toMatchObject({ accepted: true, executions: 3 });
  });

  it("has a repaired pseudocode verified when the option says so", async () => {
    const run = await play({
      options: { verify_repaired_pseudocode: true },
      test: { script: { call_agent: ["refuse", "answer"] } },
    });
    expect(count(await actionsOf(run), "verify_pseudocode")).toBe(2);
    expect(run.output.accepted).toBe(true);
  });

  it("ends the run at the limit of repairs, with the last reason", async () => {
    const run = await play({
      options: { max_repairs: 1 },
      test: { script: { generate_code: ["runtime_error"], fix_code: ["no_fix"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_repairs", executions: 2, answer: null });
    expect(run.output.reason).toMatch(/^TypeError: /);
  });

  it("ends the run at the limit of executions", async () => {
    const run = await play({
      options: { max_executions: 2 },
      test: { script: { generate_code: ["runtime_error"], fix_code: ["no_fix"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_executions", executions: 2 });
  });
});

describe("a response that is rejected", () => {
  it("goes back to the design with the reason, and to a new program", async () => {
    const run = await play({ test: { script: { verify_response: ["reject", "accept"] } } });
    const actions = await actionsOf(run);
    expect(run.output).toMatchObject({ accepted: true, executions: 2 });
    expect(count(actions, "write_pseudocode")).toBe(2);
    expect(count(actions, "generate_code")).toBe(2);
    expect(count(actions, "verify_pseudocode")).toBe(1);
    expect(run.output.answer).toContain("minding");
  });

  it("ends the run at the limit, with the best response so far", async () => {
    const run = await play({
      options: { max_response_revisions: 1 },
      test: { script: { verify_response: ["reject", "reject"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_response_revisions", executions: 2 });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.reason).toContain("missing");
  });

  it("keeps the response when a later program fails", async () => {
    const run = await play({
      options: { max_repairs: 0 },
      test: { script: { verify_response: ["reject"], generate_code: ["ok", "runtime_error"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "max_repairs", executions: 2 });
    expect(run.output.answer).toContain("has done it");
  });
});

describe("the answer", () => {
  it("is text, with answer_json when the program returned structure", async () => {
    const run = await play({ test: { script: { call_agent: ["json"] } } });
    expect(run.output.answer).toContain("has done it");
    expect(run.output.answer_json).toMatchObject({ answer: run.output.answer, given: expect.any(String) });
  });

  it("holds the calls of the caller's functions, with arguments that fit their schema", async () => {
    const functions = [
      {
        name: "book_hotel",
        description: "Books a hotel",
        parameters: {
          type: "object",
          properties: { city: { type: "string" }, nights: { type: "integer", minimum: 2 } },
          required: ["city", "nights"],
        },
      },
    ];
    const run = await play({ options: { functions } });
    expect(run.output.calls).toEqual([{ name: "book_hotel", arguments: { city: expect.any(String), nights: 2 } }]);
    const alone = await play({ options: { functions, strategy: "single_agent" } });
    expect(alone.output.calls).toEqual(run.output.calls.map((one: any) => ({ ...one, arguments: expect.anything() })));
  });
});

describe("ablations and the baseline", () => {
  it("without requirement analysis plans over the request as it came", async () => {
    const run = await play({ options: { skip_stages: ["requirement_analysis"] } });
    expect(run.output).toMatchObject({ accepted: true, gherkin: null });
    expect(run.progress.stages_done).toEqual(["design", "implementation"]);
  });

  it("without design writes the program from the Gherkin, and anew for a rejected response", async () => {
    const run = await play({
      options: { skip_stages: ["design"] },
      test: { script: { verify_response: ["reject", "accept"] } },
    });
    expect(run.output).toMatchObject({ accepted: true, plan: null, pseudocode: null, executions: 2 });
    expect(run.progress.stages_done).toEqual(["requirement_analysis", "implementation"]);
  });

  it("without design writes a program anew when the design is blamed", async () => {
    const run = await play({
      options: { skip_stages: ["requirement_analysis", "design"] },
      test: { script: { generate_code: ["runtime_error", "ok"], analyze_error: ["design"] } },
    });
    const actions = await actionsOf(run);
    expect(count(actions, "generate_code")).toBe(2);
    expect(actions).not.toContain("fix_pseudocode");
    expect(run.output.accepted).toBe(true);
  });

  it("without reflection ends at the first failure", async () => {
    const run = await play({
      options: { skip_stages: ["reflection"] },
      test: { script: { generate_code: ["syntax_error"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "execution_failed", executions: 1 });
    expect(await actionsOf(run)).not.toContain("analyze_error");
  });

  it("as a single agent answers in one call", async () => {
    const run = await play({ options: { strategy: "single_agent" } });
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "answered", executions: 0, code: null });
    expect(run.usage.llm_calls).toBe(1);
    expect(run.output.answer).toContain("Lisbon");
  });
});

describe("checkpoints", () => {
  it("let a person edit the program, and run what the person wrote", async () => {
    const id = await begin({ options: { clarification: "skip", checkpoints: ["code"] } });
    const interaction = await openInteraction(client.test, id);
    const edited_content = 'export default async function main() { return "written by hand"; }';
    const reply = await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.test,
      body: { decision: "approve", edited_content },
    });
    expect(reply.status).toBe(200);
    const run = await runWithStatus(client.test, id, "completed");
    expect(run.output).toMatchObject({ answer: "written by hand", accepted: true });
    expect(run.output.code.text).toBe(edited_content);
  });

  it("let no program make large events, whatever it calls", async () => {
    const id = await begin({ options: { clarification: "skip", checkpoints: ["code"] } });
    const interaction = await openInteraction(client.test, id);
    const edited_content = `export default async function main(agents) {
  try { await agents.call("x".repeat(100_000), "y", null); } catch (error) { return error.message; }
}`;
    await call("POST", `/v1/interactions/${interaction.id}/answer`, {
      key: client.test,
      body: { decision: "approve", edited_content },
    });
    const run = await runWithStatus(client.test, id, "completed");
    expect(run.output.answer).toMatch(/^There is no agent "x{99}…"\. Nearest are: /);
    expect(JSON.stringify(await eventsOf(client.test, id)).length).toBeLessThan(20_000);
  });

  it("end the run when a person rejects", async () => {
    const id = await begin({ options: { clarification: "skip", checkpoints: ["task_plan"] } });
    const interaction = await openInteraction(client.test, id);
    await call("POST", `/v1/interactions/${interaction.id}/answer`, { key: client.test, body: { decision: "reject" } });
    const run = await runWithStatus(client.test, id, "completed");
    expect(run.output).toMatchObject({ accepted: false, stop_reason: "rejected_by_human", answer: null });
    expect(run.output.plan.kind).toBe("task_plan");
  });
});

it("numbers its events densely, and tells of each artifact once", async () => {
  const run = await play({ test: { script: { generate_code: ["runtime_error"] } } });
  const events = await eventsOf(client.test, run.id);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const told = events.filter((event) => event.type === "run.artifact_created").map((event) => event.data.artifact_id);
  expect(told.toSorted()).toEqual((await artifacts(run)).map((artifact) => artifact.id).toSorted());
});
