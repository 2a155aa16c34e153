/** A person edits a JSON artifact in a form with a control for each part, made from the schema of its action. */
import { beforeAll, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { feedbackSchema } from "#engine/people/answer-schemas";
import { workflows } from "#workflows/index";
import { setUpRuns } from "../support/runs";
import { elementsOf, errorsAt, filledIn, getPage, postPage, textOf } from "./page";
import { ask, callbackPath, makeArtifact, opened, waitingRun } from "./questions";

const { client, contentOf, openInteraction, start } = setUpRuns();
let run: string;
beforeAll(async () => {
  run = await waitingRun(client);
});

async function editing(schema: z.ZodType, content: unknown) {
  const artifact = await makeArtifact(client, run, content);
  const answer_schema = feedbackSchema({ output: schema } as any);
  const asked = { kind: "feedback" as const, prompt: "?", questions: [], answer_schema };
  return opened(client, await ask(run, asked, { artifacts: [artifact] }));
}

const stories = z.object({ stories: z.array(z.string().max(500)).min(1).max(30) });
const entities = z.object({
  entities: z.array(z.object({ name: z.string(), description: z.string(), weight: z.number(), open: z.boolean() })),
});
const AB = { stories: ["As a lender, I want rules.", "As a borrower,\nI want tools."] };

describe("a list of texts", () => {
  it("has a box for each, and unchanged it is no edit", async () => {
    const asked = await editing(stories, AB);
    const { body } = await getPage(asked.path);
    expect(textOf(body)).toMatch(/Story 1 .*Remove Story 1 .*Story 2/);
    const shown = filledIn(body);
    expect(shown["edited_content[stories][0]"]).toEqual([AB.stories[0]]);
    await postPage(asked.path, { ...shown, decision: "approve" });
    expect((await asked.now()).answer).toEqual({ decision: "approve" });
  });

  it("takes changed, removed and added texts", async () => {
    const asked = await editing(stories, AB);
    const shown = filledIn((await getPage(asked.path)).body);
    const more = await postPage(asked.path, { ...shown, _add: "edited_content[stories]" });
    expect(more.status).toBe(200);
    expect(more.body).toContain('<details class="edit" open="">');
    const sent = {
      ...filledIn(more.body),
      "edited_content[stories][2]": "New",
      _remove: "edited_content[stories][0]",
    };
    expect((await postPage(asked.path, { ...sent, decision: "approve" })).status).toBe(200);
    expect((await asked.now()).answer.edited_content).toEqual({ stories: [AB.stories[1], "New"] });
  });

  it("is not read with more fields than the page has room for, answered or not", async () => {
    const asked = await editing(stories, AB);
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`edited_content[stories][${n}]`, "x"]));
    expect((await postPage(asked.path, fields(10_001))).status).toBe(413);
    expect((await postPage(asked.path, { ...fields(9_000), decision: "reject" })).status).toBe(422);
    await postPage(asked.path, { decision: "approve" });
    expect((await postPage(asked.path, fields(10_001))).status).toBe(413);
  });

  it("does not take the removal of all for no edit", async () => {
    const asked = await editing(stories, AB);
    const shown = filledIn((await getPage(asked.path)).body);
    const _remove = ["edited_content[stories][0]", "edited_content[stories][1]"];
    const { status, body } = await postPage(asked.path, { ...shown, _remove, decision: "approve" });
    expect(status).toBe(422);
    expect(Object.values(errorsAt(body))).toEqual(["Leave at least one."]);
  });

  it("shows the error of one text at that text", async () => {
    const asked = await editing(stories, AB);
    const shown = filledIn((await getPage(asked.path)).body);
    const long = { ...shown, "edited_content[stories][1]": "x".repeat(501), decision: "approve" };
    const { status, body } = await postPage(asked.path, long);
    expect(status).toBe(422);
    expect(errorsAt(body)).toEqual({ "edited_content[stories][1]": "Shorten this to 500 characters at most." });
    expect(filledIn(body)["edited_content[stories][0]"]).toEqual([AB.stories[0]]);
  });
});

describe("a list of objects", () => {
  const content = { entities: [{ name: "Tool", description: "", weight: 0.5, open: false }] };

  it("has a control for each field, which may be empty where the schema allows it", async () => {
    const asked = await editing(entities, content);
    const shown = filledIn((await getPage(asked.path)).body);
    expect(shown).toMatchObject({
      "edited_content[entities][0][name]": ["Tool"],
      "edited_content[entities][0][description]": [""],
      "edited_content[entities][0][weight]": ["0.5"],
      "edited_content[entities][0][open]": ["false"],
    });
    await postPage(asked.path, { ...shown, decision: "approve" });
    expect((await asked.now()).answer).toEqual({ decision: "approve" });
  });

  it("may lose its last entry where the schema allows it", async () => {
    const asked = await editing(entities, content);
    const shown = filledIn((await getPage(asked.path)).body);
    await postPage(asked.path, { ...shown, _remove: "edited_content[entities][0]", decision: "approve" });
    expect((await asked.now()).answer.edited_content).toEqual({ entities: [] });
  });
});

test.each<[string, z.ZodType, unknown]>([
  ["a union of shapes", z.object({ a: z.union([z.string(), z.object({ b: z.string() })]) }), { a: "x" }],
  ["free keys", z.object({ a: z.record(z.string(), z.number()) }), { a: { b: 1 } }],
  ["an entry that a form would drop", stories, { stories: ["a", ""] }],
  ["a field that the schema does not have", stories, { stories: ["a"], note: "b" }],
  ["more entries than a form has room for", z.object({ a: z.array(z.string()) }), { a: Array(101).fill("x") }],
])("%s is edited as JSON, and the page says why", async (_, schema, content) => {
  const asked = await editing(schema, content);
  const { body } = await getPage(asked.path);
  expect(textOf(body)).toContain("It is shown as JSON, because a form has no place for some of its parts.");
  const shown = filledIn(body);
  expect(JSON.parse(shown.edited_content![0]!)).toEqual(content);
  await postPage(asked.path, { ...shown, decision: "approve" });
  expect((await asked.now()).answer).toEqual({ decision: "approve" });
});

it("a program may still send the whole artifact as JSON", async () => {
  const asked = await editing(stories, AB);
  await postPage(asked.path, { decision: "approve", edited_content: '{"stories":["c"]}' });
  expect((await asked.now()).answer.edited_content).toEqual({ stories: ["c"] });
});

const TOPIC = { topic: "Prompting methods that tell how sure a model is." };
const QUESTION = {
  question: "Is a signed offer binding?",
  choices: [..."AB"].map((label) => ({ label, text: `${label}?` })),
};
const INPUTS: Record<string, object> = {
  requirements: { idea: "A library that lends tools" },
  waterfall: { requirement: "Count to ten." },
  debate: QUESTION,
  ideation: TOPIC,
};
const OPTIONS: Record<string, object> = {
  waterfall: { clarification: "infer" },
  ideation: {
    preset: "baseline",
    ideas: 2,
    trials: 1,
    proposals: 1,
    filters: ["feasibility"],
    rubric: true,
    paper_source: "none",
  },
};
/** Artifacts of a model in JSON at which each workflow can stop. */
const KINDS: [workflow: keyof typeof workflows, kind: string][] = [
  ["requirements", "user_stories"],
  ["requirements", "requirement_question"],
  ["requirements", "acceptance_criteria"],
  ["requirements", "entities"],
  ["requirements", "relations"],
  ["requirements", "check_message"],
  ["waterfall", "refined_requirement"],
  ["waterfall", "task_plan"],
  ["debate", "brief"],
  ["debate", "verdict"],
  ["ideation", "proposed_ideas"],
  ["ideation", "critique"],
  ["ideation", "proposal"],
];

test.each(KINDS)("of %s, %s has a form, and sent unchanged it is no edit", async (workflow, kind) => {
  expect(workflows[workflow].review_kinds).toContain(kind);
  const options = { reviews: [kind], ...OPTIONS[workflow] };
  const id = await start({ workflow, input: INPUTS[workflow], options });
  const asked = await openInteraction(id);
  const path = await callbackPath(client, asked.id);
  const { body } = await getPage(path);
  const names = elementsOf(body).map(({ attributes }) => attributes.name);
  expect(names).toContain("edited_content[]");
  expect(names).not.toContain("edited_content");
  const content = await contentOf(id, asked.artifacts[0]);
  expect(Object.keys(content).length).toBeGreaterThan(0);
  expect((await postPage(path, { ...filledIn(body), decision: "reject" })).status).toBe(200);
  const { answer } = (await (await opened(client, asked.id)).now()) as { answer: object };
  expect(answer).toEqual({ decision: "reject" });
});
