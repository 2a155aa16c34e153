/** The requirements workflow runs as its paper says, on the mock model, to each of its ends. */
import { beforeAll, describe, expect, it } from "vitest";
import { all } from "../../../support/parley";
import { setUpRuns } from "../../../support/runs";
import { traceFaults } from "../../../support/trace";

const {
  answer,
  artifactsOf,
  client,
  contentOf,
  eventsOf,
  openInteraction,
  runToEnd,
  send,
  start,
  untilCompleted,
  untilStatus,
} = setUpRuns();

const kinds = (artifacts: any[]) => artifacts.map((artifact) => artifact.kind);

describe("a run with the defaults", () => {
  let run: any;
  let artifacts: any[];
  beforeAll(async () => {
    run = await runToEnd({});
    artifacts = await artifactsOf(run.id);
  }, 60_000);

  it("is accepted with a specification, a draft, a model and diagrams", () => {
    expect(run.output).toMatchObject({ accepted: true, stop_reason: "accepted", iterations: 1, error_report: null });
    for (const document of [run.output.specification, run.output.draft, run.output.model, ...run.output.diagrams]) {
      expect(document.text.length).toBeGreaterThan(50);
    }
    expect(run.output.specification.text).toContain("tool");
  });

  it("goes through the four stages in order", async () => {
    expect(run.progress.stages_done).toEqual(["elicitation", "modeling", "verification", "specification"]);
    const events = await eventsOf(run.id);
    const stages = events
      .filter((event) => event.type.startsWith("run.stage_"))
      .map((event) => `${event.type.slice(10)} ${event.data.stage}`);
    expect(stages).toEqual(
      ["elicitation", "modeling", "verification", "specification"].flatMap((stage) => [
        `started ${stage}`,
        `completed ${stage}`,
      ]),
    );
  });

  it("makes an artifact of each kind, with the paper's five properties", () => {
    expect(new Set(kinds(artifacts))).toEqual(
      new Set([
        "rough_idea",
        "user_stories",
        "requirement_question",
        "stakeholders_answer",
        "acceptance_criteria",
        "requirement_draft",
        "entities",
        "relations",
        "requirement_model",
        "diagram_mermaid",
        "diagram_plantuml",
        "diagram_svg",
        "check_message",
        "specification",
      ]),
    );
    for (const artifact of artifacts) {
      expect(artifact).toMatchObject({
        role: expect.any(String),
        caused_by: expect.any(String),
        sent_from: expect.any(String),
      });
      expect(artifact.send_to.length).toBeGreaterThan(0);
    }
  });

  it("asks in two rounds by default", () => {
    expect(kinds(artifacts).filter((kind) => kind === "requirement_question")).toHaveLength(2);
  });

  it("names the mock model in every artifact of a model", () => {
    const made = artifacts.filter((artifact) => artifact.usage.llm_calls > 0);
    expect(made.length).toBeGreaterThan(8);
    expect(new Set(made.map((artifact) => artifact.model))).toEqual(new Set(["mock"]));
  });

  it("follows the action migration table", async () => {
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("numbers its events without a gap, and reports each artifact once", async () => {
    const events = await eventsOf(run.id);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const announced = events
      .filter((event) => event.type === "run.artifact_created")
      .map((event) => event.data.artifact_id);
    expect(announced.toSorted()).toEqual(artifacts.map((artifact) => artifact.id).toSorted());
    expect(events.at(0).type).toBe("run.created");
    expect(events.at(-1)).toMatchObject({ type: "run.completed", data: { accepted: true, stop_reason: "accepted" } });
  });
});

describe("the refinement loop", () => {
  it("repeats Collector, Modeler and Checker after an error report, then accepts, in at most 16 calls", async () => {
    const run = await runToEnd({ test: { script: { check_requirement: ["reject", "accept"] } } });
    expect(run.usage.llm_calls).toBeLessThanOrEqual(16);
    expect(run.output).toMatchObject({ accepted: true, iterations: 2, stop_reason: "accepted" });
    const artifacts = await artifactsOf(run.id);
    const report = artifacts.findIndex((artifact) => artifact.kind === "error_report");
    const after = artifacts.slice(report + 1).map((artifact) => artifact.caused_by);
    expect(after.slice(0, 2)).toEqual(["revise_req_draft", "apply_changes"]);
    expect(after.indexOf("extract_entity")).toBeGreaterThan(after.indexOf("apply_changes"));
    expect(after.indexOf("check_requirement")).toBeGreaterThan(after.indexOf("list_relations"));
    expect(artifacts[report].usage.llm_calls).toBe(0);
    expect(
      artifacts.filter((artifact) => artifact.kind === "requirement_draft").map((artifact) => artifact.version),
    ).toEqual([1, 2]);
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("changes the lines that the findings name, and leaves the rest of the draft", async () => {
    const run = await runToEnd({ test: { script: { check_requirement: ["reject", "accept"] } } });
    const artifacts = await artifactsOf(run.id);
    const contents = async (kind: string) =>
      Promise.all(artifacts.filter((one) => one.kind === kind).map((one) => contentOf(run.id, one)));
    const [first, second] = (await contents("requirement_draft")) as string[];
    const [{ changes }] = (await contents("draft_changes")) as any[];
    const rows = (draft: string) => draft.split("\n");
    expect(rows(second!).filter((row) => !rows(first!).includes(row))).toEqual(changes.map((one: any) => one.text));
    expect(rows(first!).filter((row) => !rows(second!).includes(row))).toEqual([]);
    const [, check] = (await contents("check_message")) as any[];
    for (const { text } of changes) expect(check.review).toContain(/\*\*(R\d+)\*\*/.exec(text)![1]);
  });

  it("writes whole drafts and reports where a person reviews them", async () => {
    const id = await start({
      options: { reviews: ["requirement_draft", "error_report"] },
      test: { script: { check_requirement: ["reject", "accept"] } },
    });
    for (let review = 0; review < 3; review++) {
      const interaction = await openInteraction(id);
      expect((await answer(interaction, { decision: "approve" })).status).toBe(200);
    }
    await untilCompleted(id);
    const actions = (await artifactsOf(id)).filter((one) => one.usage.llm_calls > 0).map((one) => one.caused_by);
    expect(actions.filter((action) => action === "write_req_draft")).toHaveLength(2);
    expect(actions).toContain("write_check_report");
    expect(actions).not.toContain("revise_req_draft");
    expect(await traceFaults(client.test, id)).toEqual([]);
  });

  it("accepts with minor findings, and puts them right in the specification", async () => {
    const run = await runToEnd({ test: { script: { check_requirement: ["accept_minor"] } } });
    expect(run.output).toMatchObject({ accepted: true, iterations: 1, error_report: null });
    expect(run.output.specification.text).toContain(", each time, and at no other time.");
    expect(run.output.specification.text).not.toContain("(minor)");
    const strict = await runToEnd({
      options: { accept_at: "none" },
      test: { script: { check_requirement: ["accept_minor", "accept"] } },
    });
    expect(strict.output).toMatchObject({ accepted: true, iterations: 2 });
  });

  it("ends at max_iterations, not accepted, with the last draft, model, report, and a specification that says so", async () => {
    const run = await runToEnd({
      options: { max_iterations: 2 },
      test: { script: { check_requirement: ["reject", "reject"] } },
    });
    expect(run.output).toMatchObject({
      accepted: false,
      iterations: 2,
      stop_reason: "max_iterations",
    });
    expect(run.output.specification.text).toMatch(/^# .*\n\n> \*\*Not accepted\.\*\*/);
    expect(run.output.specification.text).toContain("## Open findings");
    expect(run.output.document.artifact_id).toBe(run.output.specification.artifact_id);
    expect(run.output.error_report.text.length).toBeGreaterThan(20);
    expect(run.output.draft.text.length).toBeGreaterThan(20);
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("ends when two checks in a row name the same smells", async () => {
    const run = await runToEnd({
      options: { max_iterations: 5 },
      test: { script: { check_requirement: ["reject_same", "reject_same"] } },
    });
    expect(run.output).toMatchObject({ accepted: false, iterations: 2, stop_reason: "same_smells" });
  });

  it("interviews again on an error report when reinterview is set", async () => {
    const run = await runToEnd({
      options: { reinterview: true, qa_rounds: 1 },
      test: { script: { check_requirement: ["reject", "accept"] } },
    });
    const artifacts = await artifactsOf(run.id);
    expect(kinds(artifacts).filter((kind) => kind === "requirement_question")).toHaveLength(2);
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });
});

describe("the options", () => {
  it("has every stakeholder tell stories and answer, and records the senders", async () => {
    const stakeholders = ["Anna", "Boris", "Chen"].map((name) => ({ name, profile: `${name} runs a shop` }));
    const run = await runToEnd({ input: { idea: "A market stall planner", stakeholders }, options: { qa_rounds: 1 } });
    const artifacts = await artifactsOf(run.id);
    for (const kind of ["user_stories", "stakeholders_answer"]) {
      expect(
        artifacts
          .filter((artifact) => artifact.kind === kind)
          .map((artifact) => artifact.sent_from)
          .toSorted(),
      ).toEqual(["Anna", "Boris", "Chen"]);
    }
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("asks no questions when qa_rounds is 0", async () => {
    const run = await runToEnd({ options: { qa_rounds: 0 } });
    expect(kinds(await artifactsOf(run.id))).not.toContain("requirement_question");
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it.each(["problem", "goal"])(
    "models by the %s metamodel, with one call for entities and one for relations",
    async (model_kind) => {
      const run = await runToEnd({ options: { model_kind } });
      const artifacts = await artifactsOf(run.id);
      const calls = artifacts.filter((artifact) => artifact.usage.llm_calls > 0).map((artifact) => artifact.caused_by);
      expect(calls.filter((action) => action === "extract_entity")).toHaveLength(1);
      expect(calls.filter((action) => action === "list_relations")).toHaveLength(1);
      expect(JSON.parse(run.output.model.text).entities.length).toBeGreaterThan(3);
    },
  );

  it("models by the caller's own metamodel", async () => {
    const metamodel = {
      entity_types: [
        { name: "service", meaning: "A deployable part", examples: ["billing"] },
        { name: "store", meaning: "Where data stands", examples: ["ledger"] },
      ],
      relation_types: [{ name: "reads", meaning: "takes data from", from: ["service"], to: ["store"] }],
    };
    const run = await runToEnd({ options: { model_kind: "custom", metamodel } });
    const model = JSON.parse(run.output.model.text);
    expect(new Set(model.entities.map((entity: any) => entity.type))).toEqual(new Set(["service", "store"]));
    for (const relation of model.relations) expect(relation.type).toBe("reads");
  });

  it.each(["batched", "per_pair"])("decides every pair that the metamodel allows (%s)", async (relation_calls) => {
    const run = await runToEnd({ options: { relation_calls } });
    const artifacts = await artifactsOf(run.id);
    const calls = artifacts.filter(
      (artifact) => artifact.caused_by === "extract_relation" && artifact.usage.llm_calls > 0,
    );
    if (relation_calls === "batched") expect(calls.length).toBeLessThan(5);
    else expect(calls.length).toBeGreaterThan(5);
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("asks again for pairs that were left undecided", async () => {
    const options = { qa_rounds: 0, num_user_stories: 2, relation_calls: "batched" };
    const once = await runToEnd({ options });
    const again = await runToEnd({ options, test: { script: { extract_relation: ["undecided_pair"] } } });
    expect(again.usage.llm_calls).toBeGreaterThan(once.usage.llm_calls);
  });

  it("extracts the whole model in one call under strategy single_model", async () => {
    const run = await runToEnd({ options: { strategy: "single_model" } });
    const actions = (await artifactsOf(run.id)).map((artifact) => artifact.caused_by);
    expect(actions).toContain("extract_model");
    expect(actions).not.toContain("extract_entity");
    expect(await traceFaults(client.test, run.id)).toEqual([]);
  });

  it("starts from the caller's draft, and from the caller's model of it", async () => {
    const draft = "# Draft: Badges\n\n- **R1** The system shall allow a clerk to print a badge. [idea]";
    const script = { check_requirement: ["reject", "accept"] };
    const drafted = await runToEnd({ input: { idea: "Badges", draft }, test: { script } });
    const actions = (await artifactsOf(drafted.id)).map((artifact) => artifact.caused_by);
    for (const action of ["speak_user_stories", "propose_question", "write_req_draft"])
      expect(actions).not.toContain(action);
    expect(drafted.output.draft.text).toContain("print a badge");
    expect(await traceFaults(client.test, drafted.id)).toEqual([]);

    const model = {
      entities: [
        { type: "actor", name: "Clerk" },
        { type: "use_case", name: "Print badge" },
      ],
      relations: [{ type: "association", from: "Clerk", to: "Print badge" }],
    };
    const modeled = await runToEnd({ input: { idea: "Badges", draft, model }, options: { max_iterations: 1 } });
    expect(JSON.parse(modeled.output.model.text)).toMatchObject({
      entities: [
        { id: "e1", name: "Clerk" },
        { id: "e2", name: "Print badge" },
      ],
      relations: [{ type: "association", from: "e1", to: "e2" }],
    });
    expect((await artifactsOf(modeled.id)).map((artifact) => artifact.caused_by)).not.toContain("extract_entity");
    expect(await traceFaults(client.test, modeled.id)).toEqual([]);
  });

  it("checks by the given acceptance criteria, and derives none", async () => {
    const run = await runToEnd({
      options: { acceptance_criteria: [{ name: "Brevity", description: "Every requirement is one sentence." }] },
    });
    expect((await artifactsOf(run.id)).map((artifact) => artifact.caused_by)).not.toContain(
      "derive_acceptance_criteria",
    );
  });
});

describe("the profile of the paper", () => {
  it("has one call for each entity type, decisions on pairs, whole drafts, reports by the Documenter, and no extras", async () => {
    const run = await runToEnd({
      options: { profile: "paper" },
      test: { script: { check_requirement: ["reject", "accept"] } },
    });
    expect(run.output).toMatchObject({ accepted: true, iterations: 2 });
    expect(run.output.specification.text).not.toContain("[[");
    const calls = (await artifactsOf(run.id)).filter((one) => one.usage.llm_calls > 0).map((one) => one.caused_by);
    const count = (action: string) => calls.filter((one) => one === action).length;
    expect(count("extract_entity")).toBe(4);
    expect(count("extract_relation")).toBeGreaterThanOrEqual(2);
    expect(count("write_req_draft")).toBe(2);
    expect(count("write_check_report")).toBe(1);
    for (const ours of ["derive_acceptance_criteria", "list_relations", "revise_req_draft"])
      expect(count(ours)).toBe(0);
    expect(await traceFaults(client.test, run.id)).toEqual([]);
    const { body } = await send("GET", `/v1/runs/${run.id}/manifest`);
    for (const { parameters } of body.actions.filter((one: any) => one.parameters?.length > 0))
      expect(parameters[0]).toMatchObject({ temperature: 0, max_output_tokens: 3000 });
  });

  it("ends with a report alone when a minor finding is left; an explicit option overrides the profile", async () => {
    const script = { check_requirement: ["reject"] };
    const run = await runToEnd({ options: { profile: "paper", max_iterations: 1 }, test: { script } });
    expect(run.output).toMatchObject({ accepted: false, specification: null });
    expect(run.output.document.artifact_id).toBe(run.output.draft.artifact_id);
    const listed = await runToEnd({ options: { profile: "paper", relation_calls: "listed" } });
    expect((await artifactsOf(listed.id)).map((one) => one.caused_by)).toContain("list_relations");
  });
});

describe("a human stakeholder", () => {
  it("may leave questions open, and sees whom each is for", async () => {
    const stakeholders = ["Anna", "Boris"].map((name) => ({ name, profile: `${name} runs a shop` }));
    const id = await start({
      input: { idea: "A market stall planner", stakeholders },
      options: { human_stakeholder: true, qa_rounds: 1 },
    });
    const interaction = await openInteraction(id);
    const [toAll, toOne] = interaction.questions;
    expect(toAll.text).not.toMatch(/^To /);
    expect(toOne.text).toMatch(/^To (Anna|Boris): /);
    expect(interaction.questions.map((question: any) => question.required)).toEqual([false, false]);
    expect((await answer(interaction, { answers: { [toAll.id]: "Two stalls" } })).status).toBe(200);
    await untilCompleted(id);
    const given = (await artifactsOf(id)).find((artifact) => artifact.kind === "stakeholders_answer");
    const { answers } = (await contentOf(id, given)) as any;
    expect(answers.map((one: any) => one.answer)).toEqual(["Two stalls", "(left open)"]);
  });

  it("answers the Collector's questions, and the answer is an artifact of role human", async () => {
    const id = await start({ options: { human_stakeholder: true, qa_rounds: 1 } });
    const interaction = await openInteraction(id);
    expect((await untilStatus(id, "input_required")).interactions).toEqual([interaction.id]);
    const answers = Object.fromEntries(
      interaction.questions.map((question: any) => [question.id, "Only at weekends, please"]),
    );
    const reply = await answer(interaction, { answers, answered_by: "Zoe" });
    expect(reply.status).toBe(200);
    const run = await untilCompleted(id);
    const given = (await artifactsOf(id)).find((artifact) => artifact.kind === "stakeholders_answer");
    expect(given.role).toBe("human");
    const content = await contentOf(id, given);
    expect(JSON.stringify(content)).toContain("Only at weekends, please");
    expect(run.output.draft.text).toContain("weekends");
    expect(run.output.specification.text).toContain("(simulated)");
    expect(await traceFaults(client.test, id)).toEqual([]);
  });
});

it("lists its steps in the manifest, by action", async () => {
  const run = await runToEnd({ options: { qa_rounds: 1 } });
  const { body } = await send("GET", `/v1/runs/${run.id}/manifest`);
  const draft = body.actions.find((action: any) => action.action === "write_req_draft");
  expect(draft.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(draft)).toContain("mock");
  expect(draft.parameters[0]).toMatchObject({ temperature: 0, max_output_tokens: 16384, top_p: 1 });
  expect(draft.code_versions).toEqual([body.code_version]);
});

it("pages through several hundred events without repetition", async () => {
  const run = await runToEnd({ options: { relation_calls: "per_pair" } });
  const events = await all(client.test, `/v1/runs/${run.id}/events`);
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
});
