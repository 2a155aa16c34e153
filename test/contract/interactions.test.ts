/** Interactions: shown by scope, answered once, and never after their expiry. */
import { beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import {
  addKey,
  call,
  type Client,
  eventsOf,
  makeTenant,
  openInteraction,
  runWithStatus,
  start,
  until,
} from "../support/parley";
import { api, refusal } from "./api";
import { askEverything, waitingRun } from "./questions";

let client: Client;
let run: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});

const get = (id: string, key = client.test) => api("GET", `/v1/interactions/${id}`, { key });
const answer = (id: string, body: unknown) =>
  api("POST", `/v1/interactions/${id}/answer`, { key: client.test, body: body as object });
const GOOD = { answers: { q1: "Because", q2: 3 } };

describe("reading", () => {
  it("shows the callback URL to keys that may write runs, and to no others", async () => {
    const id = await askEverything(run);
    expect((await get(id)).body.callback_url).toMatch(
      new RegExp(`^http://parley\\.test/v1/callbacks/${id}\\.\\w+\\.[\\w-]{43}$`),
    );
    const reader = await addKey(client.tenant, "test", ["runs:read"]);
    expect((await get(id, reader)).body.callback_url).toBeNull();
    const { data } = (await api("GET", "/v1/interactions?limit=100", { key: reader })).body;
    expect(data.map((one: { callback_url: string | null }) => one.callback_url)).toEqual(data.map(() => null));
  });

  it("never writes the callback URL into an event", async () => {
    expect(JSON.stringify(await eventsOf(client.test, run))).not.toContain("callbacks");
  });

  it("lists open ones by default, newest first, page by page", async () => {
    const ids = [await askEverything(run), await askEverything(run)].toReversed();
    await answer(ids[0]!, GOOD);
    const list = async (query: string) =>
      (await api("GET", `/v1/interactions?run_id=${run}&${query}`, { key: client.test })).body;
    expect((await list("limit=1")).data[0].id).toBe(ids[1]);
    expect((await list("status=answered")).data[0]).toMatchObject({ id: ids[0], status: "answered" });
    const { next_cursor } = await list("limit=1");
    expect((await list(`limit=1&cursor=${next_cursor}`)).data[0].id < ids[1]!).toBe(true);
    expect(await api("GET", "/v1/interactions?status=done", { key: client.test })).toMatchObject(
      refusal(400, "invalid_query", "status"),
    );
    expect(await api("GET", "/v1/interactions?run_id=1", { key: client.test })).toMatchObject(
      refusal(400, "invalid_query", "run_id"),
    );
  });
});

describe("answering", () => {
  let id: string;
  beforeEach(async () => {
    id = await askEverything(run);
  });

  it("stores the answer, its author and its time", async () => {
    const reply = await answer(id, { ...GOOD, comment: "Gladly.", answered_by: "Ada" });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: "answered",
      answer: { ...GOOD, comment: "Gladly." },
      answered_by: "Ada",
      answered_at: expect.any(String),
    });
    expect((await get(id)).body).toEqual(reply.body);
    expect((await eventsOf(client.test, run)).at(-1)).toMatchObject({
      type: "run.input_received",
      data: { interaction_id: id, answered_by: "Ada" },
    });
  });

  it("again with the same answer is a 200, whatever the order of its fields; with another a 409", async () => {
    const first = await answer(id, { answers: { q1: "a", q2: 1 }, comment: "c" });
    const again = await answer(id, { comment: "c", answers: { q2: 1, q1: "a" }, answered_by: "Bob" });
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(await answer(id, { answers: { q1: "a", q2: 2 }, comment: "c" })).toMatchObject(
      refusal(409, "already_answered"),
    );
    expect(await answer(id, { nonsense: true })).toMatchObject(refusal(409, "already_answered"));
    expect((await get(id)).body.answer).toEqual({ answers: { q1: "a", q2: 1 }, comment: "c" });
  });

  it("by many at once is accepted from one", async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, n) => answer(id, { answers: { q1: "a", q2: n } })));
    const won = replies.filter((reply) => reply.status === 200);
    expect(won).toHaveLength(1);
    expect(replies.filter((reply) => reply.body.code === "already_answered")).toHaveLength(7);
    expect((await get(id)).body.answer).toEqual(won[0]!.body.answer);
    const received = (await eventsOf(client.test, run)).filter(
      (event) => event.type === "run.input_received" && event.data.interaction_id === id,
    );
    expect(received).toHaveLength(1);
  });

  const wrong: [what: string, body: unknown, ...paths: string[]][] = [
    ["without a required question", { answers: { q1: "a" } }, "answers.q2"],
    ["with nothing", {}, "answers"],
    ["with an unknown field", { ...GOOD, colour: "red" }, "colour"],
    ["to an unknown question", { answers: { ...GOOD.answers, q9: 1 } }, "answers.q9"],
    ["of the wrong type", { answers: { q1: 1, q2: "3", q3: "yes" } }, "answers.q1", "answers.q2", "answers.q3"],
    ["with an empty text", { answers: { q1: "", q2: 1 } }, "answers.q1"],
    ["with a blank text", { answers: { q1: " \n", q2: 1 } }, "answers.q1"],
    ["outside the choices", { answers: { ...GOOD.answers, q4: "green" } }, "answers.q4"],
    ["that is a list", [], ""],
  ];
  test.each(wrong)("%s is refused with every error, and may be tried again", async (_, body, ...paths) => {
    const reply = await answer(id, body);
    expect(reply).toMatchObject(refusal(422, "validation_failed", ...paths));
    expect(new Set(reply.body.errors.map((fieldError: { path: string }) => fieldError.path))).toEqual(new Set(paths));
    expect((await answer(id, GOOD)).status).toBe(200);
  });

  it("with a blank text is refused in plain words", async () => {
    const reply = await answer(id, { answers: { q1: "   ", q2: 1 } });
    expect(reply.body.errors).toEqual([
      { path: "answers.q1", code: "blank", message: "Write something: blanks alone do not count." },
    ]);
  });

  it("late is a 410, before the maintenance worker has expired it and after", async () => {
    const late = await askEverything(run, { expires_in: -1 });
    expect(await answer(late, GOOD)).toMatchObject(refusal(410, "interaction_expired"));
    await until("the maintenance worker expires it", async () => (await get(late)).body.status === "expired");
    expect(await answer(late, GOOD)).toMatchObject(refusal(410, "interaction_expired"));
  });

  it("after the run was canceled is a 410", async () => {
    const other = await waitingRun(client);
    const { id: asked } = await openInteraction(client.test, other);
    await call("POST", `/v1/runs/${other}/cancel`, { key: client.test });
    expect(await answer(asked, GOOD)).toMatchObject(refusal(410, "interaction_canceled"));
    expect((await get(asked)).body.status).toBe("canceled");
  });
});

describe("feedback", () => {
  const review = async () =>
    openInteraction(
      client.test,
      await start(client.test, { options: { reviews: ["requirement_draft"], qa_rounds: 0 } }),
    );

  it("to revise needs a comment", async () => {
    const { id } = await review();
    for (const comment of [undefined, "", " \n"]) {
      expect(await answer(id, { decision: "revise", comment }), comment).toMatchObject(
        refusal(422, "validation_failed", "comment"),
      );
    }
    expect((await answer(id, { decision: "revise", comment: "Shorter." })).status).toBe(200);
  });

  it("must be an allowed decision", async () => {
    const { id } = await review();
    expect(await answer(id, { decision: "maybe" })).toMatchObject(refusal(422, "validation_failed", "decision"));
    expect(await answer(id, {})).toMatchObject(refusal(422, "validation_failed", "decision"));
    expect(await answer(id, { decision: "approve", edited_content: 7 })).toMatchObject(
      refusal(422, "validation_failed", "edited_content"),
    );
    expect((await answer(id, { decision: "approve" })).status).toBe(200);
  });
});

it("a run is input_required while any interaction is open, and names the open ones", async () => {
  const id = await waitingRun(client);
  const own = await openInteraction(client.test, id);
  const second = await askEverything(id);
  const now = async () => {
    const { status, interactions } = (await call("GET", `/v1/runs/${id}`, { key: client.test })).body;
    return { status, interactions: interactions.toSorted() };
  };
  expect(await now()).toEqual({ status: "input_required", interactions: [own.id, second].toSorted() });
  expect((await answer(second, GOOD)).status).toBe(200);
  expect(await now()).toEqual({ status: "input_required", interactions: [own.id] });
  const answers = Object.fromEntries(own.questions.map((question: { id: string }) => [question.id, "Neighbours."]));
  await answer(own.id, { answers });
  expect((await now()).interactions).not.toContain(own.id);
});

it("an answer continues the run", async () => {
  const id = await waitingRun(client);
  for (let open = await openInteraction(client.test, id); open;) {
    const answers = Object.fromEntries(
      open.questions.map((question: { id: string }) => [question.id, "Neighbours with a garden."]),
    );
    expect((await answer(open.id, { answers })).status).toBe(200);
    await runWithStatus(client.test, id, "input_required", "completed");
    open = (await call("GET", `/v1/interactions?run_id=${id}`, { key: client.test })).body.data[0];
  }
  await runWithStatus(client.test, id, "completed");
});
