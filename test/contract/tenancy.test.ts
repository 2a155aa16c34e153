/** Another tenant's resources are not found, on every path with an id. */
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#core/ids";
import { artifactsOf, call, type Client, makeTenant, runWithStatus, start } from "../support/parley";
import { api, OPERATIONS, prefixOf, refusal } from "./api";
import { askFor, rowsOfTenant, wholeReply, WITH_ID } from "./walk";
import { found, furnish, idFor, type World } from "./world";

let owner: Client;
let stranger: Client;
let ids: World;
let before: Awaited<ReturnType<typeof rowsOfTenant>>;

/** A word of the owner's input, and so of its run's artifacts. */
const MARK = "marmalade";

beforeAll(async () => {
  owner = await makeTenant();
  stranger = await makeTenant();
  ids = await furnish(owner, `A library that lends ${MARK}`);
  before = await rowsOfTenant(owner.tenant);
});

describe.each(WITH_ID)("$method $path", (operation) => {
  const { path } = operation;

  it("does not find another tenant's resource", async () => {
    const asked = idFor(path, ids);
    const reply = await askFor(operation, stranger.test, asked, ids);
    expect(reply).toMatchObject(refusal(404, "not_found"));
    expect(wholeReply(reply)).not.toContain(MARK);
    expect(wholeReply(reply)).not.toContain(owner.tenant);
    for (const id of Object.values(ids))
      if (!path.includes("{artifact_id}") && id !== asked) expect(wholeReply(reply)).not.toContain(id);
  });

  it("does not find an unknown or malformed id", async () => {
    const unknown = { art: newId("art"), doc: newId("doc"), upl: newId("upl") };
    expect(await askFor(operation, stranger.test, newId(prefixOf(path)), unknown)).toMatchObject(
      refusal(404, "not_found"),
    );
    for (const text of ["1", "run_1", `${idFor(path, ids)}x`, "%27%20OR%201", newId("evt")]) {
      expect(await askFor(operation, stranger.test, text, ids), text).toMatchObject(refusal(404, "not_found"));
    }
  });
});

describe("the walk", () => {
  it("covers every route of openapi.json, and each needs a key, except a known few", async () => {
    const { paths } = (await call("GET", "/openapi.json")).body;
    const served = Object.entries<Record<string, unknown>>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const walked = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
    expect(served.toSorted()).toEqual(OPERATIONS.map(walked).toSorted());
    expect(OPERATIONS.filter(({ security }) => security.length === 0).map(walked)).toEqual([
      "get /v1/callbacks/{token}",
      "post /v1/callbacks/{token}",
      "get /healthz",
    ]);
  });

  it("uses ids that exist: their owner finds them", async () => {
    for (const { method, path } of WITH_ID.filter((one) => one.method === "get")) {
      expect((await api(method.toUpperCase(), found(path, ids), { key: owner.test })).status, path).toBe(200);
    }
  });

  it("has changed nothing", async () => {
    const after = await rowsOfTenant(owner.tenant);
    // The owner's own export, in the test above, was entered.
    const entries = after.get("audit_log")!.filter((row) => !row.includes('"exportDataset"'));
    expect(new Map([...after, ["audit_log", entries]])).toEqual(before);
  });
});

it("another tenant's resource is not found when a body names it either", async () => {
  const body = {
    workflow: "waterfall",
    input: { requirement: "Count to ten." },
    options: { agents: [ids.agt] },
  };
  expect(await api("POST", "/v1/runs", { key: stranger.test, body })).toMatchObject(refusal(422, "unknown_agent"));
});

it("lists show a tenant no data of another", async () => {
  for (const path of [
    "/v1/runs",
    "/v1/agents?built_in=false",
    "/v1/webhook-endpoints",
    `/v1/webhook-endpoints?run_id=${ids.run}`,
    "/v1/corpora",
    "/v1/datasets",
    "/v1/interactions",
    `/v1/interactions?run_id=${ids.run}`,
  ]) {
    expect((await api("GET", path, { key: stranger.test })).body.data, path).toEqual([]);
  }
  const { data } = (await api("GET", "/v1/keys", { key: stranger.test })).body;
  expect(data.map((key: { id: string }) => key.id)).not.toContain(ids.key);
});

it("an artifact is not found under another run of the same tenant", async () => {
  const run = await start(stranger.test, { options: { qa_rounds: 0 } });
  await runWithStatus(stranger.test, run, "completed", "failed");
  const other = await start(stranger.test, { options: { qa_rounds: 0 } });
  await runWithStatus(stranger.test, other, "completed", "failed");
  const [artifact] = await artifactsOf(stranger.test, run);
  expect(await api("GET", `/v1/runs/${other}/artifacts/${artifact.id}`, { key: stranger.test })).toMatchObject(
    refusal(404, "not_found"),
  );
});
