import { describe, expect, it, test } from "vitest";
import {
  answerDirectly,
  callAgent,
  decomposeTask,
  fixCode,
  generateCode,
  optimizeRequirement,
  transformRequirement,
  verifyResponse,
} from "#workflows/waterfall/actions/index";
import { NoAnswer, responseOf } from "#workflows/waterfall/rules/answer";
import { inputSchema, optionsSchema } from "#workflows/waterfall/contract";
import { readRequirement } from "#workflows/waterfall/rules/gherkin";
import { excerpt, programOf, pseudocodeOf, sameFailure } from "#workflows/waterfall/rules/program";
import {
  agentsOfPlan,
  findAgent,
  LARGE_REGISTRY,
  nearestNames,
  rankAgents,
  shortlist,
  unknownAgents,
} from "#workflows/waterfall/rules/registry";
import { parseAgentAnswer } from "#workflows/waterfall/stages/implementation";
import { agent, AGENTS, bareInputs, FUNCTIONS, rehearsedInputs } from "./rehearsed";

describe("the registry as planners see it", () => {
  const many = Array.from({ length: LARGE_REGISTRY }, (_, index) => agent(`Helper ${index}`));
  const poet = agent("Poet", { description: "Writes sonnets and other verse.", capabilities: ["rhyme"] });

  it("is shown whole when it is small", () => expect(shortlist(AGENTS, "anything")).toEqual(AGENTS));

  it("is a shortlist when it is large, with the nearest agent first", () => {
    const listed = shortlist([...many, poet], "Write a sonnet that rhymes");
    expect(listed.length).toBeLessThan(LARGE_REGISTRY);
    expect(listed[0]).toBe(poet);
  });

  it("is a shortlist when its instructions exceed a stage's result", () => {
    const wordy = Array.from({ length: 30 }, (_, index) =>
      agent(`Clerk ${index}`, { instructions: "x".repeat(20_000) }),
    );
    const listed = shortlist([...wordy, poet], "Write a sonnet");
    expect(listed[0]).toBe(poet);
    expect(JSON.stringify(listed).length).toBeLessThan(201_000);
    expect(listed.length).toBeGreaterThan(5);
  });

  it("ranks in the same order every time, whatever the text", () => {
    for (const text of ["", "…", "a sonnet"])
      expect(rankAgents([...many, poet], text)).toEqual(rankAgents([...many, poet], text));
  });

  it("finds a name, ignoring case and blanks", () => {
    expect(findAgent(AGENTS, " maths  TUTOR ")?.name).toBe("Maths Tutor");
    expect(findAgent(AGENTS, "Maths")).toBeUndefined();
  });

  it("names the nearest of an unknown name", () => {
    expect(nearestNames(AGENTS, "Math Teacher")[0]).toBe("Maths Tutor");
    expect(nearestNames(AGENTS, "Writer of copy")[0]).toBe("Copy Writer");
  });

  it("finds unknown primaries and alternatives of a plan, each once", () => {
    const task = { task: "t", primary_agent: "Nobody", alternative_agents: ["Maths Tutor", "Nobody", "Ghost Writer"] };
    expect(unknownAgents({ tasks: [task, task] }, AGENTS).map(({ name }) => name)).toEqual(["Nobody", "Ghost Writer"]);
    expect(agentsOfPlan({ tasks: [task] }, AGENTS).map(({ name }) => name)).toEqual(["Maths Tutor"]);
  });
});

describe("the result of a program", () => {
  test.each([
    ["text", "text"],
    [" 42 ", "42"],
    [42, "42"],
    [false, "false"],
    [{ answer: "told", rows: [1] }, "told"],
    [{ answer: 7 }, "7"],
    [["a", "b"], '["a","b"]'],
    [[], "[]"],
    [{ answer: [5, 1, 3] }, "[5,1,3]"],
    [{ total_cost: 3, days: [{ name: "Sat" }] }, '{"total_cost":3,"days":[{"name":"Sat"}]}'],
  ])("%j is the answer %j", (value, answer) => expect(responseOf(value, []).answer).toBe(answer));

  test.each([[""], [null], ["  "], [{}], [{ answer: "" }], [{ answer: null }], [{ answer: {} }]])(
    "%j is no answer",
    (value) => {
      expect(() => responseOf(value, [])).toThrow(NoAnswer);
    },
  );

  it("keeps structure as answer_json, but not text", () => {
    expect(responseOf({ answer: "a", n: 1 }, []).answer_json).toEqual({ answer: "a", n: 1 });
    expect(responseOf("a", []).answer_json).toBeUndefined();
  });

  it("with functions needs calls that fit their schemas", () => {
    const good = { answer: "", calls: [{ name: "book_flight", arguments: { to: "Rome", seats: 2 } }] };
    expect(responseOf(good, FUNCTIONS)).toMatchObject({
      answer: 'book_flight({"to":"Rome","seats":2})',
      calls: good.calls,
    });
    expect(responseOf({ answer: "none", calls: [] }, FUNCTIONS).calls).toEqual([]);
    const one = { name: "book_flight", arguments: { to: "Rome", seats: 1 } };
    expect(() => responseOf({ calls: [one] }, FUNCTIONS)).toThrow(/book_flight, seats: /);
    expect(() => responseOf("text", FUNCTIONS)).toThrow(/must return \{ answer, calls \}/);
    expect(() => responseOf({ calls: [{ name: "fly", arguments: {} }] }, FUNCTIONS)).toThrow(
      /there is no function "fly"/,
    );
  });

  it("is never much longer than its structure", () => {
    let nested: unknown = Array.from({ length: 50_000 }, () => 1);
    for (let depth = 0; depth < 200; depth++) nested = [nested];
    const { answer } = responseOf(nested, []);
    expect(answer.length).toBeLessThan(61_000);
    expect(answer).toMatch(/The rest stands in answer_json\.\)$/);
  });
});

describe("the answer of an agent", () => {
  test.each([
    ["It is 3.", true, "It is 3."],
    ["3", true, "3"],
    ['{"a": [1]}', true, { a: [1] }],
    ["[1, 2]", true, [1, 2]],
    ["[see below] it is 3", true, "[see below] it is 3"],
    ["CANNOT: no numbers given", false, "Tutor cannot do this: no numbers given"],
    ["**CANNOT:** no", false, "Tutor cannot do this: no"],
  ])("%j is parsed for the program", (text, ok, value) =>
    expect(parseAgentAnswer("Tutor", text)).toEqual({ ok, value }),
  );
});

describe("programs and pseudocode", () => {
  const source = "export default async function main() {}";

  test.each([
    ["alone", source],
    ["in a fence", `\`\`\`js\n${source}\n\`\`\``],
    ["among words", `Sure!\n\n\`\`\`javascript\n${source}\n\`\`\`\n\nIt calls nobody.`],
    ["beside another block", `\`\`\`json\n{}\n\`\`\`\n\`\`\`js\n${source}\n\`\`\``],
  ])("a program is found %s", (_where, text) => expect(programOf(text)).toBe(source));

  it("pseudocode is extracted from its only fence", () =>
    expect(pseudocodeOf("Here:\n```\nfunction Main\n```\n")).toBe("function Main"));

  it("failures are equal apart from their line and numbers", () => {
    const one = { kind: "runtime", name: "TypeError", message: "row 3 is bad", line: 3, column: 1, stack: "a" };
    expect(sameFailure(one, { ...one, message: "row 17  is bad", line: 9, stack: "b" })).toBe(true);
    expect(sameFailure(one, { ...one, message: "column 3 is bad" })).toBe(false);
    expect(sameFailure(one, { ...one, kind: "syntax" })).toBe(false);
  });

  it("shows the lines around a failure", () => {
    expect(excerpt("a\nb\nc\nd\ne", 3)).toBe("  1 | a\n  2 | b\n> 3 | c\n  4 | d\n  5 | e");
    expect(excerpt("a", null)).toBe("");
  });
});

describe("the contract", () => {
  it("fills in the defaults of the design", () => {
    expect(optionsSchema.parse({})).toMatchObject({
      clarification: "ask",
      max_requirement_revisions: 3,
      max_pseudocode_revisions: 3,
      max_response_revisions: 3,
      max_repairs: 5,
      max_executions: 8,
      on_gherkin_rejected: "optimize",
      verify_repaired_pseudocode: false,
      strict_response: false,
      skip_stages: [],
      strategy: "waagents",
    });
  });

  test.each([
    [{ max_executions: 0 }],
    [{ max_repairs: 11 }],
    [{ skip_stages: ["implementation"] }],
    [{ functions: [{ name: "a b" }] }],
    [{ functions: [{ name: "a", parameters: { type: "string" } }] }],
    [{ functions: [{ name: "a", parameters: { type: "object", properties: { x: { type: "hashmap" } } } }] }],
    [{ functions: [{ name: "a" }, { name: "a" }] }],
    [{ unknown: 1 }],
  ])("refuses options %j", (options) => expect(optionsSchema.safeParse(options).success).toBe(false));

  test.each([[{ requirement: " " }], [{ requirement: "x".repeat(20_001) }], [{}], [{ requirement: "x", idea: "y" }]])(
    "refuses input %j",
    (input) => expect(inputSchema.safeParse(input).success).toBe(false),
  );
});

describe("the evidence of a failure", () => {
  const shownTo = (kind: string) => {
    const input = rehearsedInputs("Plan a day").fix_code as any;
    const failure = { ...input.evidence.failure, kind, line: 3, column: 5 };
    return (fixCode.variables({ ...input, evidence: { ...input.evidence, failure } }) as any).evidence.place;
  };

  it("names the place of an error", () => expect(shownTo("runtime")).toBe("At line 3, column 5:"));

  it("states that an endless loop is after the last known place", () =>
    expect(shownTo("out_of_fuel")).toMatch(/^Last seen at line 3, column 5, .* the loop stands there or after it:$/));
});

describe("the checks of actions", () => {
  it("need an inferred answer to each question without one", () => {
    const input = rehearsedInputs("Plan a day").optimize_requirement as any;
    const output = { inferred_answers: [], refined_requirement: "x" };
    expect(optimizeRequirement.check!(output, input)).toEqual([
      "Question q1 has no answer, and `inferred_answers` has none for it.",
    ]);
  });

  it("need a reason for a rejection, and read the text null as none", () => {
    const read = verifyResponse.output!.parse({ accepted: true, reason: "null" });
    expect(read).toEqual({ accepted: true, reason: null });
    expect(verifyResponse.check!({ accepted: false, reason: null }, {} as never)).toHaveLength(1);
  });

  it("need arguments that fit, also from a single agent", () => {
    const input = { requirement: "x", context: null, functions: FUNCTIONS };
    const answer = { answer: "a", calls: [{ name: "book_flight", arguments: "not json" }] };
    expect(answerDirectly.check!(answer, input)).toHaveLength(1);
  });
});

describe("rehearsal", () => {
  const REQUESTS = [
    "Add 2 and 3",
    "?!",
    "🚲🍕",
    "x".repeat(20_000),
    'A "quoted" \\ thing `${x}` */ </material> \u2028',
    "一个小程序",
  ];

  test.each(REQUESTS)("writes programs that are JavaScript about %.30j", (requirement) => {
    for (const inputs of [rehearsedInputs(requirement), bareInputs(requirement)]) {
      const code = generateCode.rehearse(inputs.generate_code as any, "ok");
      const body = code.replace("export default ", "");
      expect(() => new Function(body)).not.toThrow();
      expect(fixCode.rehearse({ ...(inputs.fix_code as any), code: "broken" }, "fix")).toContain("agents.call");
      expect(fixCode.rehearse({ ...(inputs.fix_code as any), code: "broken" }, "no_fix")).toBe("broken");
    }
  });

  test.each(REQUESTS)("plans over existing agents for %.30j", (requirement) => {
    const { decompose_task: input } = rehearsedInputs(requirement) as any;
    expect(unknownAgents(decomposeTask.rehearse({ ...input, mistake: null }, "ok"), AGENTS)).toEqual([]);
    expect(unknownAgents(decomposeTask.rehearse({ ...input, mistake: null }, "unknown_agent"), AGENTS)).toHaveLength(1);
  });

  test.each(REQUESTS)("writes Gherkin that parses about %.30j, unless the outcome is a fault", (requirement) => {
    const { transform_requirement: input } = rehearsedInputs(requirement) as any;
    expect(readRequirement(transformRequirement.rehearse(input, "ok")).ok).toBe(true);
    expect(readRequirement(transformRequirement.rehearse(input, "syntax_error")).ok).toBe(false);
  });

  it("answers as the called agent", () => {
    const input = { agent: AGENTS[0]!, task: "Add", input: [1, 2] };
    expect(callAgent.rehearse(input, "answer")).toContain("Maths Tutor");
    expect(callAgent.rehearse(input, "refuse")).toMatch(/^CANNOT: /);
  });

  it("shows long texts of an input apart, and escapes names that could close a tag", () => {
    const values = (given: unknown) => callAgent.variables({ agent: AGENTS[0]!, task: "Add", input: given });
    expect(values("as it\nstands")).toMatchObject({ input: "as it\nstands", texts: [] });
    expect(values([1, "a\nb"])).toMatchObject({ input: '[1,"a\\nb"]', texts: [] });
    expect(values({ n: 1, 'post">': "one\ntwo" })).toMatchObject({
      input: '{"n":1,"post\\">":"(see input.post\\">)"}',
      texts: [{ name: "post''", text: "one\ntwo" }],
    });
  });
});
