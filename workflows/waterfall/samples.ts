import type { AgentProfile } from "#workflow-kit/agents";
import {
  askClarifications,
  decomposeTask,
  generateCode,
  optimizeRequirement,
  transformRequirement,
  writePseudocode,
} from "./actions";
import type { UserLog } from "./artifacts";
import type { FunctionSpec } from "#workflow-kit/functions";
import type { Brief, Evidence } from "./inputs";

export const agent = (name: string, more: Partial<AgentProfile> = {}): AgentProfile => ({
  id: `builtin:${name.toLowerCase().replaceAll(" ", "-")}`,
  name,
  description: `Does what a ${name} does.`,
  capabilities: [`everything about ${name}`],
  when_to_use: `When a ${name} is needed.`,
  input: "a question",
  output: "an answer",
  tools: [],
  instructions: `You are a ${name}.`,
  model: null,
  mcp_servers: [],
  ...more,
});

export const AGENTS = [agent("Maths Tutor", { tools: ["calculator"] }), agent("Travel Planner"), agent("Copy Writer")];

export const FUNCTIONS: FunctionSpec[] = [
  {
    name: "book_flight",
    description: "Books a flight.",
    parameters: {
      type: "object",
      properties: { to: { type: "string" }, seats: { type: "integer", minimum: 2 } },
      required: ["to", "seats"],
    },
  },
];

export const evidence = (more: Partial<Evidence> = {}): Evidence => ({
  failure: {
    kind: "runtime",
    name: "TypeError",
    message: "x is not a function",
    line: 3,
    column: 5,
    stack: "at main (program.js:3:5)",
  },
  log: [{ level: "log", text: "2 results are there" }],
  calls: [
    {
      agent: "Maths Tutor",
      task: "Add",
      input: "[1,2]",
      ok: false,
      value: '"Maths Tutor cannot do this"',
      line: 4,
      completed_seq: 1,
      artifact_id: "art_1",
    },
  ],
  ...more,
});

/** The input of each action of a mock run: every part of every input is present. */
export function fullInputs(requirement: string): Record<string, unknown> {
  const ask = { requirement, context: "They spoke of it yesterday.", functions: FUNCTIONS };
  const { questions } = askClarifications.mock(ask, "questions");
  const log: UserLog = {
    ...ask,
    entries: questions.map(({ id, dimension, question }, index) => ({
      id,
      dimension,
      question,
      answer: [null, "A list.", "Under 100."][index] ?? null,
      source: index === 0 ? null : index === 1 ? "user" : "inferred",
    })),
    comment: "Be quick.",
  };
  const refined = optimizeRequirement.mock({ log, functions: FUNCTIONS, rejection: null }, "ok").refined_requirement;
  const fresh = { requirement: refined, context: ask.context, invalid: null, rejection: null };
  const gherkin = transformRequirement.mock(fresh, "ok");
  const brief: Brief = { requirement: refined, context: ask.context, gherkin, functions: FUNCTIONS };
  const base = { brief, agents: AGENTS };
  const reason = "The sum is missing.";
  const given = { requirement: refined, context: ask.context, functions: FUNCTIONS };
  const mistaken = decomposeTask.mock({ ...base, mistake: null }, "unknown_agent");
  const plan = decomposeTask.mock({ ...base, mistake: null }, "several_agents");
  const pseudocode = writePseudocode.mock({ ...base, plan, revision: null }, "ok");
  const code = generateCode.mock({ ...base, pseudocode, revision: null }, "ok");
  const failed = { brief, agents: AGENTS.slice(0, 2), others: AGENTS.slice(2), pseudocode, code, evidence: evidence() };
  const report = { error_aspect: "design" as const, error_description: "The agent was not given the numbers." };
  const response = {
    answer: "It is 3.",
    answer_json: undefined,
    calls: [{ name: "book_flight", arguments: { to: "Rome", seats: 2 } }],
  };
  return {
    ask_clarifications: ask,
    optimize_requirement: { log, functions: FUNCTIONS, rejection: { requirement: refined, gherkin, reason } },
    transform_requirement: {
      ...fresh,
      invalid: { text: "Featur: x", errors: ["Line 1, column 1: expected: #Feature"] },
      rejection: { gherkin, reason },
    },
    verify_requirement: { log, requirement: refined, gherkin },
    decompose_task: { ...base, mistake: { plan: mistaken, unknown: [{ name: "Nobody", nearest: ["Maths Tutor"] }] } },
    write_pseudocode: { ...base, plan, revision: { pseudocode, reason, response: "It is 2." } },
    choose_agents: { brief, agents: AGENTS, most: 2 },
    verify_pseudocode: { log, brief, agents: AGENTS, pseudocode },
    generate_code: { ...base, pseudocode, revision: { code, reason } },
    call_agent: {
      agent: AGENTS[0],
      task: `Add the numbers. ${requirement}`,
      input: { ...given, numbers: [1, 2], draft: `It is 3.\n${requirement}` },
      given,
    },
    verify_response: { log, brief, response, strict: true },
    analyze_error: { ...failed, blamed_before: "implementation" },
    fix_pseudocode: { ...failed, plan, report },
    fix_code: { ...failed, report },
    answer_directly: ask,
    answer_with_calls: ask,
  };
}

/** The same inputs without their optional parts. */
export function bareInputs(requirement: string): Record<string, unknown> {
  const log: UserLog = { requirement, context: null, entries: [], comment: null };
  const brief: Brief = { requirement, context: null, gherkin: null, functions: [] };
  const base = { brief, agents: AGENTS.slice(0, 1) };
  const plan = { tasks: [{ task: "Answer", primary_agent: "Maths Tutor", alternative_agents: [] }] };
  const code = generateCode.mock({ ...base, pseudocode: null, revision: null }, "ok");
  const failure = { kind: "no_answer", name: "NoAnswer", message: "nothing", line: null, column: null, stack: "" };
  const failed = {
    brief,
    agents: base.agents,
    others: [],
    pseudocode: null,
    code,
    evidence: evidence({ failure, log: [], calls: [] }),
  };
  const report = { error_aspect: "implementation" as const, error_description: "Nothing was returned." };
  const response = { answer: "It is 3.", answer_json: undefined, calls: null };
  return {
    ask_clarifications: { requirement, context: null, functions: [] },
    optimize_requirement: { log, functions: [], rejection: null },
    transform_requirement: { requirement, context: null, invalid: null, rejection: null },
    verify_requirement: { log, requirement, gherkin: "Feature: x" },
    decompose_task: { ...base, mistake: null },
    write_pseudocode: { ...base, plan, revision: null },
    choose_agents: { brief, agents: base.agents, most: 1 },
    verify_pseudocode: { log, brief, agents: base.agents, pseudocode: "function Main" },
    generate_code: { ...base, pseudocode: null, revision: null },
    call_agent: {
      agent: AGENTS[1],
      task: "Plan",
      input: "a day",
      given: { requirement, context: null, functions: [] },
    },
    verify_response: { log, brief, response, strict: false },
    analyze_error: { ...failed, blamed_before: null },
    fix_pseudocode: { ...failed, pseudocode: "function Main", plan: null, report },
    fix_code: { ...failed, report },
    answer_directly: { requirement, context: null, functions: [] },
    answer_with_calls: { requirement, context: null, functions: [] },
  };
}

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED = /\.dimension$|\/evidence\.failure\.kind$|\/blamed_before$/;

/** Texts by which the caller or the deployment instructs the model: they stand outside of fences. */
export const INSTRUCTIONS = /\/agent\.(name|instructions)$|\.nearest\.\d+$|^answer_directly\/(requirement|context)$/;

/** Lists that are never empty. */
export const FILLED = /\/(agents|plan\.tasks|invalid\.errors|mistake\.unknown)$/;
