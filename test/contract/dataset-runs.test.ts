/** Runs that read data sets: they need closed ones of their owner, are checked with all items, and hold them until they end. */
import { describe, expect, it } from "vitest";
import { newId } from "#core/ids";
import { addKey, bindings, makeTenant, runWithStatus } from "../support/parley";
import { tenantOfFile } from "../support/runs";
import { api, refusal } from "./api";
import { datasetsOf, item } from "./dataset";

const client = tenantOfFile();
const datasets = () => datasetsOf(client.test);
const VARIANT = { name: "one", workflow: "waterfall", options: { strategy: "single_agent", clarification: "skip" } };

const experiment = (
  dataset_id: string,
  variants: readonly object[] = [VARIANT],
  more: object = {},
  key = client.test,
) => api("POST", "/v1/runs", { key, body: { workflow: "experiment", input: { dataset_id, variants, ...more } } });
const errorsOf = (reply: { body: any }): string[] => reply.body.errors.map(({ path, code }: any) => `${path} ${code}`);

describe("a run", () => {
  it("reads no data set that does not exist, is another's or of the other mode, or is open", async () => {
    const open = await datasets().filled([item("a")]);
    const foreign = await datasetsOf((await makeTenant()).test).closed([item("a")]);
    const live = await datasetsOf(client.live).closed([item("a")]);
    for (const id of [newId("dst"), foreign, live, "dst_1"])
      expect(await experiment(id), id).toMatchObject(refusal(422, "unknown_dataset", "input.dataset_id"));
    expect(await experiment(open)).toMatchObject(refusal(422, "dataset_open", "input.dataset_id"));
    const body = { workflow: "experiment", input: { dataset_id: open, variants: [VARIANT] } };
    const estimate = await api("POST", "/v1/runs/estimate", { key: client.test, body });
    expect(estimate).toMatchObject(refusal(422, "dataset_open", "input.dataset_id"));
  });

  it("is checked with the items: each error has its item's id and path, and those of variants theirs", async () => {
    const id = await datasets().closed(
      [
        { id: "q1", input: { question: "May a tenant sublet?" }, gold: { choice: "B" } },
        { id: "q2", input: { question: "May it be so?", corpus_ids: [newId("cor")] }, options: { rounds: 2 } },
      ],
      { workflow: "debate" },
    );
    const reply = await experiment(id, [
      { name: "debate", workflow: "debate" },
      { name: "many", workflow: "debate", options: { rounds: 999 }, models: { roles: { nobody: "x/y" } } },
      { name: "other", workflow: "waterfall", options: { agents: [newId("agt")] } },
      { name: "none", workflow: "nothing" },
      { name: "nested", workflow: "requirements", limits: { max_llm_calls: "all" } },
    ]);
    expect(reply.status).toBe(422);
    const errors = errorsOf(reply);
    expect(errors).toEqual(
      expect.arrayContaining([
        "dataset.q2.input.corpus_ids.0 unknown_corpus",
        "input.variants.1.models.roles.nobody unknown_role",
        "input.variants.2.options.agents.0 unknown_agent",
        "dataset.q1.input.requirement required",
        "dataset.q1.input.question unknown_field",
        "input.variants.3.workflow unknown_workflow",
        "input.variants.4.limits.max_llm_calls invalid_type",
        "dataset.q2.input.idea required",
      ]),
    );
    expect(errors.filter((one) => one.includes("variants.1.options.rounds")).length).toBe(1);
    expect((await api("GET", "/v1/runs", { key: client.test })).body.data).toEqual([]);
  });

  it("is checked by each workflow's own rules, under the profile of each variant", async () => {
    const choices = [
      { label: "A", text: "Yes" },
      { label: "B", text: "No" },
    ];
    const id = await datasets().closed(
      [
        { id: "open", input: { question: "May a tenant sublet?" } },
        { id: "closed", input: { question: "May a tenant sublet?", choices } },
      ],
      { workflow: "debate" },
    );
    const variants = [
      { name: "fits", workflow: "debate" },
      { name: "paper", workflow: "debate", options: { profile: "paper", solvers: 3 } },
      { name: "all", workflow: "debate", options: { positions: "all_options" } },
    ];
    const reply = await experiment(id, variants);
    expect(reply).toMatchObject(refusal(422, "validation_failed"));
    const own = reply.body.errors.filter(({ message }: any) => /paper always|the question is open/.test(message));
    expect(own.map(({ path }: any) => path)).toEqual([
      "input.variants.1.options.solvers",
      "input.variants.2.options.positions",
    ]);
    expect(own[1].message).toContain("open");
  });

  it("starts no run of a workflow that its key is not bound to", async () => {
    const id = await datasets().closed([item("a")]);
    const made = { name: "bound", mode: "test", workflows: ["experiment", "plain"] };
    const bound = (await api("POST", "/v1/keys", { key: client.test, body: made })).body.key;
    const refused = await experiment(id, [VARIANT], {}, bound);
    expect(refused).toMatchObject(refusal(403, "workflow_not_allowed"));
    expect(errorsOf(refused)).toEqual(["input.variants.0.workflow workflow_not_allowed"]);
  });
});

describe("a data set that a run reads", () => {
  /** A run that does not end by itself. */
  const held = async () => {
    const id = await datasets().closed([item("a"), item("b")]);
    const { status, body } = await experiment(id);
    expect(status, JSON.stringify(body)).toBe(201);
    await api("POST", `/v1/runs/${body.id}/pause`, { key: client.test });
    return { id, run: body.id as string };
  };

  it("cannot be deleted until the run has ended, and the refusal names the run", async () => {
    const { id, run } = await held();
    const refused = await datasets().at("DELETE", id);
    expect(refused).toMatchObject(refusal(409, "dataset_in_use"));
    expect(refused.body.detail).toContain(run);
    expect((await datasets().at("GET", id, "/items")).body.data).toHaveLength(2);
    await api("POST", `/v1/runs/${run}/cancel`, { key: client.test });
    expect((await datasets().at("DELETE", id)).status).toBe(204);
    await api("DELETE", `/v1/runs/${run}`, { key: client.test });
    const left = await bindings.DB.prepare(
      "SELECT COUNT(*) AS n FROM run_datasets WHERE run_id = ?1 OR dataset_id = ?2",
    )
      .bind(run, id)
      .first<number>("n");
    expect(left).toBe(0);
  });

  it("is deleted before a run starts, or kept for it, when both are asked for at the same time", async () => {
    const outcomes = [];
    for (let trial = 0; trial < 8; trial++) {
      const id = await datasets().closed([item("a")]);
      const [started, deleted] = await Promise.all([experiment(id), datasets().at("DELETE", id)]);
      outcomes.push(`${started.status} ${deleted.status}`);
      if (started.status === 422) expect(started).toMatchObject(refusal(422, "unknown_dataset", "input.dataset_id"));
      if (started.status !== 201) continue;
      if (deleted.status === 409) expect(deleted.body.detail).toContain(started.body.id);
      // Deleted between the check of the request and its storing: the run fails with words when it reads the data set.
      const ended = await runWithStatus(client.test, started.body.id, "completed", "failed");
      expect(ended.error?.code ?? "none").toBe(deleted.status === 409 ? "none" : "unknown_dataset");
    }
    for (const outcome of outcomes) expect(["201 204", "201 409", "422 204"]).toContain(outcome);
  }, 60_000);

  it("and is deleted after it ended fails the run's retry, with words", async () => {
    const { id, run } = await held();
    await api("POST", `/v1/runs/${run}/cancel`, { key: client.test });
    await datasets().at("DELETE", id);
    expect((await api("POST", `/v1/runs/${run}/retry`, { key: client.test, body: {} })).status).toBe(200);
    const { error } = await runWithStatus(client.test, run, "failed");
    expect(error).toMatchObject({ code: "unknown_dataset", detail: `There is no data set ${id} any more.` });
  });
});

it("a key without the scope runs:write reads data sets and changes none", async () => {
  const id = await datasets().closed([item("a")]);
  const reader = datasetsOf(await addKey(client.tenant, "test", ["runs:read"]));
  for (const path of ["", "/items", "/export"]) expect((await reader.at("GET", id, path)).status, path).toBe(200);
  expect(await reader.create()).toMatchObject(refusal(403, "missing_scope"));
  expect(await reader.upload(id, "{}\n")).toMatchObject(refusal(403, "missing_scope"));
  expect(await reader.close(id)).toMatchObject(refusal(403, "missing_scope"));
});
