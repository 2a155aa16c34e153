/** Callback URLs: the holder of one may read and answer, by JSON or by form; a forged one is not found. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Secrets } from "#core/secrets";
import { call, type Client, makeTenant } from "../support/parley";
import { api, refusal } from "./api";
import { askEverything, callbackPath, waitingRun } from "./questions";

let client: Client;
let run: string;
let id: string;
let path: string;
beforeAll(async () => {
  client = await makeTenant();
  run = await waitingRun(client);
});
beforeEach(async () => {
  id = await askEverything(run);
  path = await callbackPath(client, id);
});

const sendForm = (fields: Record<string, string>) =>
  api("POST", path, {
    body: new URLSearchParams(fields).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

it("shows the interaction without a key, and is not kept by caches", async () => {
  const reply = await api("GET", path);
  expect(reply.body).toEqual((await call("GET", `/v1/interactions/${id}`, { key: client.test })).body);
  expect(reply.headers.get("cache-control")).toBe("no-store");
});

it("is not found with a suffix", async () => {
  expect(await api("GET", `${path}.tail`)).toMatchObject(refusal(404, "not_found"));
});

it("takes an answer as JSON, once", async () => {
  const body = { answers: { q1: "a", q2: 1 } };
  expect(await api("POST", path, { body })).toMatchObject({ status: 200, body: { status: "answered", answer: body } });
  expect((await api("POST", path, { body })).status).toBe(200);
  expect(await api("POST", path, { body: { answers: { q1: "b", q2: 1 } } })).toMatchObject(
    refusal(409, "already_answered"),
  );
});

describe("a form", () => {
  it("is read by the types of its questions", async () => {
    const reply = await sendForm({
      "answers[q1]": "a",
      q2: "2.5",
      q3: "on",
      q4: "red",
      comment: "c",
      answered_by: "Ada",
    });
    expect(reply).toMatchObject({
      status: 200,
      body: { answer: { answers: { q1: "a", q2: 2.5, q3: true, q4: "red" }, comment: "c" }, answered_by: "Ada" },
    });
  });

  it("ignores empty fields", async () => {
    const reply = await sendForm({ q1: "0", q2: "0", q3: "", q4: "", comment: "" });
    expect(reply.body.answer).toEqual({ answers: { q1: "0", q2: 0 } });
  });

  it("is refused like JSON, fieldError by fieldError", async () => {
    expect(await sendForm({ q1: "a", q2: "many", q3: "perhaps", colour: "red" })).toMatchObject(
      refusal(422, "validation_failed", "answers.q2", "answers.q3", "colour"),
    );
    expect(await sendForm({})).toMatchObject(refusal(422, "validation_failed", "answers.q1", "answers.q2"));
  });
});

it("accepts no other kind of body", async () => {
  for (const type of ["text/plain", "multipart/form-data; boundary=x", ""]) {
    expect(await api("POST", path, { body: "{}", headers: { "content-type": type } }), type).toMatchObject(
      refusal(415, "unsupported_media_type"),
    );
  }
  expect(await api("POST", path, { body: "{" })).toMatchObject(refusal(400, "malformed_json"));
});

it("a forged one is not found", async () => {
  const token = path.split("/").at(-1)!;
  const mac = token.split(".").at(-1)!;
  const forged = [
    id,
    `${id}.`,
    `${id}.${mac.slice(0, -1)}${mac.endsWith("A") ? "B" : "A"}`,
    `${id}.${mac}x`,
    `${await askEverything(run)}.${mac}`,
    new Secrets("another secret, as long as it must be").callbackToken(id),
    "x".repeat(4000),
    "%00",
  ];
  for (const one of forged) {
    expect(await api("GET", `/v1/callbacks/${one}`), one).toMatchObject(refusal(404, "not_found"));
    expect(await api("POST", `/v1/callbacks/${one}`, { body: { answers: { q1: "a", q2: 1 } } }), one).toMatchObject(
      refusal(404, "not_found"),
    );
  }
  expect((await api("GET", path)).body.status).toBe("open");
});

it("is not found when its interaction is deleted", async () => {
  const other = await waitingRun(client);
  const gone = await callbackPath(client, await askEverything(other));
  await call("POST", `/v1/runs/${other}/cancel`, { key: client.test });
  expect(await api("POST", gone, { body: {} })).toMatchObject(refusal(410, "interaction_canceled"));
  await call("DELETE", `/v1/runs/${other}`, { key: client.test });
  expect(await api("GET", gone)).toMatchObject(refusal(404, "not_found"));
});
