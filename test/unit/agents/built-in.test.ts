/** The built-in agents: complete, distinct, and from every domain. */
import { describe, expect, it, test } from "vitest";
import { BUILT_IN } from "#agents/built-in/index";
import { readAgent } from "#agents/built-in/agent";
import { BUILT_IN_ID } from "#core/ids";
import { nameKey } from "#agents/name-key";
import { createAgentSchema } from "#services/agents/requests";
import { builtInId } from "#agents/built-in/ids";

it("there are at least two dozen, with distinct names", () => {
  expect(BUILT_IN.length).toBeGreaterThanOrEqual(24);
  expect(new Set(BUILT_IN.map(({ name }) => nameKey(name))).size).toBe(BUILT_IN.length);
  expect(new Set(BUILT_IN.map(({ slug }) => slug)).size).toBe(BUILT_IN.length);
  expect(new Set(BUILT_IN.map(({ instructions }) => instructions)).size).toBe(BUILT_IN.length);
});

const DOMAINS: [domain: string, slug: string][] = [
  ["education", "lesson-planner"],
  ["finance", "financial-analyst"],
  ["news", "news-researcher"],
  ["travel", "travel-planner"],
  ["health information", "health-information-guide"],
  ["law", "legal-information-guide"],
  ["science", "science-explainer"],
  ["mathematics", "maths-tutor"],
  ["programming", "software-developer"],
  ["data analysis", "data-analyst"],
  ["writing", "writer"],
  ["translation", "translator"],
  ["summarising", "summariser"],
  ["extraction", "extractor"],
  ["role run", "role-player"],
  ["planning", "project-planner"],
];
test.each(DOMAINS)("%s has one", (_, slug) => {
  expect(BUILT_IN.map((agent) => agent.slug)).toContain(slug);
});

describe.each(BUILT_IN.map((agent) => ({ agent, name: agent.name })))("$name", ({ agent }) => {
  const { slug: _, ...request } = agent;

  it("is an agent that a tenant could create", () => {
    expect(createAgentSchema(null).parse(request)).toMatchObject(request);
    expect(builtInId(agent)).toMatch(BUILT_IN_ID);
  });

  it("names only existing agents", () => {
    const names = BUILT_IN.map(({ name }) => name);
    const named = [...agent.when_to_use.matchAll(/\b(?:use|for [\w ]+?) the ((?:[A-Z]\w+(?: and)? ?)+)/g)].map(
      ([, name]) => name!.trim(),
    );
    for (const name of named) expect(names).toContain(name);
  });

  it("asks for no result before its working: a model that answers first cannot work it out", () => {
    expect(`${agent.output} ${agent.instructions}`).not.toMatch(
      /result first|answer first|recommendation in the first|answer in the first sentence/i,
    );
  });

  it("lists the tools that its instructions mention", () => {
    const { instructions, tools } = agent;
    if (/calculator/.test(instructions)) expect(tools).toContain("calculator");
    if (/date tool/.test(instructions)) expect(tools).toContain("date_arithmetic");
    if (/\bby search\b|\blook(ed)? (it |something |them )?up\b/.test(instructions))
      expect(tools).toContain("web_search");
  });
});

test.each([
  ["no front matter", "You are an agent.\n", "This is no agent"],
  ["a line without a value", "---\nname\n---\n\nYou.\n", "no field and no item of a list: name"],
  [
    "a text that YAML would read as a field",
    "---\ninput: A text: any\n---\n\nYou.\n",
    "YAML needs quotes here: A text: any",
  ],
])("the file of an agent with %s is refused", (_, markdown, message) => {
  expect(() => readAgent(markdown)).toThrow(message);
});
