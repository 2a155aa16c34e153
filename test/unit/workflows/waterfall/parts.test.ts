import { describe, expect, it, test } from "vitest";
import {
  answerWithCalls,
  callAgent,
  decomposeTask,
  fixCode,
  generateCode,
  optimizeRequirement,
  transformRequirement,
  verifyResponse,
} from "#workflows/waterfall/actions/index";
import { NoAnswerError, responseOf, textOfResponse } from "#workflows/waterfall/rules/answer";
import { inputSchema, optionsSchema } from "#workflows/waterfall/contract";
import type { Given } from "#workflows/waterfall/inputs";
import { readRequirement } from "#workflows/waterfall/rules/gherkin";
import { excerpt, programOf, pseudocodeOf, sameFailure, symptomOf } from "#workflows/waterfall/rules/program";
import { unknownAgents } from "#workflows/waterfall/rules/registry";
import { parseAgentAnswer } from "#workflows/waterfall/stages/implementation";
import { AGENTS, bareInputs, FUNCTIONS, fullInputs } from "#workflows/waterfall/samples";

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
      expect(() => responseOf(value, [])).toThrow(NoAnswerError);
    },
  );

  it("keeps structure as answer_json, but not text", () => {
    expect(responseOf({ answer: "a", n: 1 }, []).answer_json).toEqual({ answer: "a", n: 1 });
    expect(responseOf("a", []).answer_json).toBeUndefined();
  });

  it.each(['{"a": [1,  2]}', "```json\n[1]\n```", "[1]"])(
    "keeps the JSON text %j as it is, and reads it too",
    (text) => {
      const { answer, answer_json } = responseOf(text, []);
      expect(answer).toBe(text);
      expect(answer_json).toEqual(text.includes("a") ? { a: [1, 2] } : [1]);
    },
  );

  it("indents structure that does not fit a line", () => {
    const value = { title: "x".repeat(60), rows: [{ name: "Saturday", sum: 3 }] };
    expect(responseOf(value, []).answer).toBe(JSON.stringify(value, null, 2));
  });

  it("reads calls from a JSON text", () => {
    const calls = [{ name: "book_flight", arguments: { to: "Rome", seats: 2 } }];
    expect(responseOf(JSON.stringify({ answer: "Booked.", calls }), FUNCTIONS)).toMatchObject({
      answer: "Booked.",
      calls,
    });
  });

  it("is shown whole to its verifier, with the data beside a property `answer`", () => {
    const shown = (value: unknown, functions = [] as typeof FUNCTIONS) => textOfResponse(responseOf(value, functions));
    expect(shown({ answer: 5, explanation: "Two and three." })).toBe('{"answer":5,"explanation":"Two and three."}');
    expect(JSON.parse(shown({ answer: "told", rows: [1, 2] }))).toEqual({ answer: "told", rows: [1, 2] });
    expect(shown({ answer: "told" })).toBe("told");
    expect(shown("told")).toBe("told");
    const call = { name: "book_flight", arguments: { to: "Rome", seats: 2 } };
    expect(shown({ answer: "told", calls: [call] }, FUNCTIONS)).toBe("told");
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
    expect(answer).toMatch(/The rest is in answer_json\.\)$/);
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

  it("a fence that is not closed begins no block", () => {
    expect(programOf("```js\nexport default 1;")).toBe("```js\nexport default 1;");
    expect(programOf("```js\na\n```  \n```js\nb\n````\n")).toBe("a");
  });

  it("pseudocode is extracted from its only fence", () =>
    expect(pseudocodeOf("Here:\n```\nfunction Main\n```\n")).toBe("function Main"));

  describe("a failure that comes back", () => {
    const code = "a\nb\n  rows.map(x);\nrows.at(1);";
    const failure = { kind: "runtime", name: "TypeError", message: "row 3 is bad", line: 3, column: 1, stack: "a" };
    const one = symptomOf(failure, code, []);

    it("has the same message at the same line of source, wherever that line stands now", () => {
      const moved = `// a repair above\n${code}`;
      expect(sameFailure(one, symptomOf({ ...failure, line: 4, stack: "b" }, moved, []))).toBe(true);
    });

    it.each([
      ["at another line", { ...failure, line: 4 }],
      ["about another number", { ...failure, message: "row 4 is bad" }],
      ["of another kind", { ...failure, kind: "syntax" }],
    ])("is another one %s", (_what, other) => expect(sameFailure(one, symptomOf(other, code, []))).toBe(false));

    it("is that of an agent when the same agent fails again, however it words its refusal", () => {
      const refusal = (message: string, name: string) =>
        symptomOf({ ...failure, name: "AgentError", message }, code, [{ agent: name, ok: false }]);
      expect(sameFailure(refusal("I cannot.", "Tutor"), refusal("That is beyond me.", "Tutor"))).toBe(true);
      expect(sameFailure(refusal("I cannot.", "Tutor"), refusal("I cannot.", "Writer"))).toBe(false);
      expect(sameFailure(refusal("row 3 is bad", "Tutor"), one)).toBe(false);
    });
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
      verify_requirement: false,
      strict_response: true,
      improve_response: true,
      on_verifier_limit: "best",
      profile: "default",
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
    const input = fullInputs("Plan a day").fix_code as any;
    const failure = { ...input.evidence.failure, kind, line: 3, column: 5 };
    return (fixCode.variables({ ...input, evidence: { ...input.evidence, failure } }) as any).evidence.place;
  };

  it("names the place of an error", () => expect(shownTo("runtime")).toBe("At line 3, column 5:"));

  it("states that an endless loop is after the last known place", () =>
    expect(shownTo("out_of_fuel")).toMatch(/^Last seen at line 3, column 5, .* the loop stands there or after it:$/));
});

describe("the checks of actions", () => {
  it("need an inferred answer to each question without one", () => {
    const input = fullInputs("Plan a day").optimize_requirement as any;
    const output = { inferred_answers: [], refined_requirement: "x" };
    expect(optimizeRequirement.check!(output, input)).toEqual([
      "Question q1 has no answer, and `inferred_answers` has none for it.",
    ]);
  });

  it("need a reason for a rejection, and read the text null as none", () => {
    const read = verifyResponse.output!.parse({ accepted: true, reason: "null", improvements: [] });
    expect(read).toMatchObject({ accepted: true, reason: null });
    expect(verifyResponse.check!({ accepted: false, reason: null }, {} as never)).toHaveLength(1);
  });

  it("need arguments that fit, also from a single agent", () => {
    const input = { requirement: "x", context: null, functions: FUNCTIONS };
    const answer = { answer: "a", calls: [{ name: "book_flight", arguments: "not json" }] };
    expect(answerWithCalls.check!(answer, input)).toHaveLength(1);
  });
});

describe("mock", () => {
  const REQUESTS = [
    "Add 2 and 3",
    "?!",
    "🚲🍕",
    "x".repeat(20_000),
    'A "quoted" \\ thing `${x}` */ </material> \u2028',
    "一个小程序",
  ];

  test.each(REQUESTS)("writes programs that are JavaScript about %.30j", (requirement) => {
    for (const inputs of [fullInputs(requirement), bareInputs(requirement)]) {
      const code = generateCode.mock(inputs.generate_code as any, "ok");
      const body = code.replace("export default ", "");
      expect(() => new Function(body)).not.toThrow();
      expect(fixCode.mock({ ...(inputs.fix_code as any), code: "broken" }, "fix")).toContain("agents.call");
      expect(fixCode.mock({ ...(inputs.fix_code as any), code: "broken" }, "no_fix")).toBe("broken");
    }
  });

  test.each(REQUESTS)("plans over existing agents for %.30j", (requirement) => {
    const { decompose_task: input } = fullInputs(requirement) as any;
    expect(unknownAgents(decomposeTask.mock({ ...input, mistake: null }, "ok"), AGENTS)).toEqual([]);
    expect(unknownAgents(decomposeTask.mock({ ...input, mistake: null }, "unknown_agent"), AGENTS)).toHaveLength(1);
  });

  test.each(REQUESTS)("writes Gherkin that parses about %.30j, unless the outcome is an error", (requirement) => {
    const { transform_requirement: input } = fullInputs(requirement) as any;
    expect(readRequirement(transformRequirement.mock(input, "ok")).ok).toBe(true);
    expect(readRequirement(transformRequirement.mock(input, "syntax_error")).ok).toBe(false);
  });

  it("answers as the called agent", () => {
    const input = { agent: AGENTS[0]!, task: "Add", input: [1, 2], given: GIVEN };
    expect(callAgent.mock(input, "answer")).toContain("Maths Tutor");
    expect(callAgent.mock(input, "refuse")).toMatch(/^CANNOT: /);
  });
});

const GIVEN: Given = { requirement: "Write to Ann.", context: "She is ill.", functions: FUNCTIONS };

describe("what an agent is shown of its input", () => {
  const values = (input: unknown, given = GIVEN) =>
    callAgent.variables({ agent: AGENTS[0]!, task: "Add", input, given }) as Record<string, unknown>;

  it("shows long texts apart, and escapes names that could close a tag", () => {
    expect(values("as it\nstands")).toMatchObject({ input: "as it\nstands", texts: [] });
    expect(values([1, "a\nb"])).toMatchObject({ input: '[1,"a\\nb"]', texts: [] });
    expect(values({ n: 1, 'post">': "one\ntwo" })).toMatchObject({
      input: '{"n":1}',
      texts: [{ name: "post''", text: "one\ntwo" }],
    });
  });

  it("marks the user's own words as the request, under whatever name the program passes them", () => {
    expect(values({ text: "Write to Ann.", about: "She is ill.", tools: FUNCTIONS, draft: "Dear Ann" })).toMatchObject({
      request: "Write to Ann.",
      context: "She is ill.",
      functions: JSON.stringify(FUNCTIONS),
      input: '{"draft":"Dear Ann"}',
    });
    expect(values("Write to Ann.")).toMatchObject({ request: "Write to Ann.", input: null });
    expect(values({ requirement: "Write to Bob." })).toMatchObject({ request: null, context: null });
  });

  it("says nothing of a context or functions that there are not", () => {
    const given = { requirement: "Write.", context: null, functions: [] };
    expect(values({ requirement: "Write.", context: null, functions: [] }, given)).toMatchObject({
      request: "Write.",
      context: null,
      functions: null,
      input: null,
    });
  });
});
