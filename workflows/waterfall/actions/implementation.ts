import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial } from "#workflow-kit/prompt-values";
import answerDirectlyPrompt from "../../../prompts/waterfall/answer_directly.md";
import callAgentPrompt from "../../../prompts/waterfall/call_agent.md";
import generateCodePrompt from "../../../prompts/waterfall/generate_code.md";
import verifyResponsePrompt from "../../../prompts/waterfall/verify_response.md";
import { directAnswerSchema, verdictSchema, type DirectAnswer, type Verdict } from "../artifacts";
import { callsOfDirectAnswer } from "../rules/answer";
import type { AnswerDirectlyInput, CallAgentInput, GenerateCodeInput, VerifyResponseInput } from "../inputs";
import { programOf } from "../rules/program";
import { rehearseAgent, rehearseDirectAnswer } from "../rehearsal/agent";
import { rehearseCode } from "../rehearsal/program";
import { rehearseVerdict } from "../rehearsal/verdict";
import { verdictFaults } from "./analysis";
import { agentsValues, briefValues, contextValue, functionsValues } from "./prompt-values";

export const generateCode = defineAction<GenerateCodeInput, string>({
  name: "generate_code",
  role: "code_generation_expert",
  kind: "code",
  summary: "Writes the program that carries out the pseudocode by calling agents.",
  prompt: generateCodePrompt,
  tidy: programOf,
  media_type: "text/javascript",
  variables: ({ brief, agents, pseudocode, revision }) => ({
    ...agentsValues(agents),
    ...briefValues(brief),
    pseudocode: pseudocode && escapeMaterial(pseudocode),
    revision: revision && { code: escapeMaterial(revision.code), reason: escapeMaterial(revision.reason) },
  }),
  outcomes: ["ok", "syntax_error", "runtime_error", "endless_loop", "unknown_agent", "no_answer"],
  rehearse: (input, outcome, feedback) => rehearseCode(input, outcome, feedback),
});

export const verifyResponse = defineAction<VerifyResponseInput, Verdict>({
  name: "verify_response",
  role: "response_verification_expert",
  kind: "response_verdict",
  summary: "Judges whether the response answers the request; under `strict_response` whether it is right, too.",
  prompt: verifyResponsePrompt,
  output: verdictSchema,
  variables: ({ brief, response, strict }) => ({
    ...briefValues(brief),
    response: escapeMaterial(response.answer),
    calls: response.calls && escapeMaterial(JSON.stringify(response.calls, null, 1)),
    strict,
  }),
  check: verdictFaults,
  outcomes: ["accept", "reject"],
  rehearse: ({ response }, outcome, feedback) => rehearseVerdict("the response", response.answer, outcome, feedback),
});

/** Longest text of an input field within the JSON; longer texts, and texts of several lines, are shown apart. Characters. */
const LONGEST_FIELD = 200;

/** An agent's input: a text unchanged; an object as JSON, with its long texts apart, because they are hard to read when escaped. */
function inputValues(input: unknown) {
  if (typeof input === "string") return { input: escapeMaterial(input), texts: [] };
  if (typeof input !== "object" || input === null || Array.isArray(input))
    return { input: escapeMaterial(JSON.stringify(input)), texts: [] };
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && (value.length > LONGEST_FIELD || value.includes("\n"));
  const fields = Object.entries(input);
  const short = fields.map(([name, value]) => [name, isLong(value) ? `(see input.${name})` : value]);
  return {
    input: escapeMaterial(JSON.stringify(Object.fromEntries(short))),
    texts: fields.flatMap(([name, value]) =>
      isLong(value) ? [{ name: fieldName(name), text: escapeMaterial(value) }] : [],
    ),
  };
}

/** Programs choose field names, so a name must not close the tag around it. */
const fieldName = (name: string): string => line(name).replace(/["<>]/g, "'");

export const callAgent = defineAction<CallAgentInput, string>({
  name: "call_agent",
  role: "agent",
  kind: "agent_result",
  summary: "A worker agent does one task for the program.",
  prompt: callAgentPrompt,
  variables: ({ agent, task, input }) => ({
    instructions: escapeMaterial(agent.instructions),
    name: line(agent.name),
    task: escapeMaterial(task),
    ...inputValues(input),
  }),
  outcomes: ["answer", "json", "refuse", "silent"],
  rehearse: (input, outcome) => rehearseAgent(input, outcome),
});

export const answerDirectly = defineAction<AnswerDirectlyInput, DirectAnswer>({
  name: "answer_directly",
  role: "agent",
  kind: "direct_answer",
  summary: "One model answers the request on its own: the baseline `single_agent`.",
  prompt: answerDirectlyPrompt,
  output: directAnswerSchema,
  variables: ({ requirement, context, functions }) => ({
    requirement: escapeMaterial(requirement),
    context: contextValue(context),
    ...functionsValues(functions),
  }),
  check: (answer, { functions }) => [
    ...blanks([["`answer`", answer.answer]]),
    ...(functions.length ? callsOfDirectAnswer(answer, functions).faults : []),
  ],
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseDirectAnswer(input, feedback),
});
