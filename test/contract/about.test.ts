/** What a person or a receiver learns of a run: its title, the beginning of its input, and who asked for it. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { aboutInput } from "#services/runs/about-input";
import { workflows } from "#workflows/index";
import { received, verified } from "../support/hooks";
import { call, type Client, hookUrl, makeTenant, openInteraction } from "../support/parley";
import { api, refusal, startBody } from "./api";
import { getPage, postPage, textOf } from "./page";
import { callbackPath } from "./questions";

let client: Client;
beforeAll(async () => {
  client = await makeTenant();
});

const create = (body: object) => api("POST", "/v1/runs", { key: client.test, body });

test.each([
  ["requirements", { idea: "Neighbours lend each other tools.", title: "Tool Share" }, { human_stakeholder: true }],
  ["waterfall", { requirement: "Plan a week in Lisbon." }, {}],
  ["debate", { question: "May a landlord enter without notice?" }, { reviews: ["option_ranking", "framings"] }],
  [
    "ideation",
    { topic: "Cheaper evaluation of language models" },
    { preset: "baseline", ideas: 2, trials: 1, proposals: 1, reviews: ["idea_set"] },
  ],
])("a %s run says what it is about, in the API, on the page and in its webhook", async (workflow, input, options) => {
  const title = "title" in input ? input.title : null;
  const told = { about: { title, excerpt: Object.values(input)[0] }, requested_by: "Grace <grace@x>" };
  const name = `about_${workflow}`;
  const webhook = { url: hookUrl(name) };
  const { status, body } = await create({ workflow, input, options, webhook, requested_by: "Grace <grace@x>" });
  expect(status).toBe(201);
  expect(body).toMatchObject(told);
  expect((await api("GET", `/v1/runs/${body.id}`, { key: client.test })).body).toMatchObject(told);
  const { id } = await openInteraction(client.test, body.id);
  expect((await api("GET", `/v1/interactions/${id}`, { key: client.test })).body).toMatchObject(told);

  const path = await callbackPath(client, id);
  const page = textOf((await getPage(path)).body);
  expect(page).toContain(`${title ?? ""} ${told.about.excerpt} Asked by Grace <grace@x>`.trim());
  const [hook] = await received(name, 1);
  const { data } = verified(body.webhook.secret, hook!);
  expect(data.run).toMatchObject(told);
  expect(data.interaction).toMatchObject(told);

  await call("POST", `/v1/runs/${body.id}/cancel`, { key: client.test });
  expect(textOf((await postPage(path, {})).body)).toContain(`Asked by Grace <grace@x>`);
});

it("a run without a title and without a name shows neither", async () => {
  const { body } = await create(startBody({ options: { human_stakeholder: true } }));
  expect(body).toMatchObject({
    about: { title: null, excerpt: "A library that lends tools to neighbours" },
    requested_by: null,
  });
  const { id } = await openInteraction(client.test, body.id);
  expect(textOf((await getPage(await callbackPath(client, id))).body)).not.toContain("Asked by");
});

describe("requested_by", () => {
  test.each([
    ["longer than 200 characters", "x".repeat(201)],
    ["blank", "  "],
    ["not a text", 7],
  ])("that is %s is refused", async (_, requested_by) => {
    expect(await create(startBody({ requested_by }))).toMatchObject(refusal(422, "validation_failed", "requested_by"));
  });
});

describe("the excerpt", () => {
  const { requirements } = workflows;

  it("is one line of at most 300 characters, cut between words", () => {
    const { title, excerpt } = aboutInput(requirements!, {
      idea: `${"word ".repeat(90)}\r\n\u0000${"x".repeat(20_000)}`,
    });
    expect(title).toBeNull();
    expect(excerpt.length).toBeLessThanOrEqual(300);
    expect(excerpt).toMatch(/^(?:word )+word…$/);
  });

  it("is well-formed, also of half a surrogate pair", () => {
    expect(aboutInput(requirements!, { idea: "a\ud800b", title: "\u0007" })).toEqual({ title: null, excerpt: "a�b" });
  });
});
