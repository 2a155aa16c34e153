import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import answerDirectlyPrompt from "../../../prompts/waterfall/answer_directly.md";
import answerWithCallsPrompt from "../../../prompts/waterfall/answer_with_calls.md";
import callAgentPrompt from "../../../prompts/waterfall/call_agent.md";
import generateCodePrompt from "../../../prompts/waterfall/generate_code.md";
import verifyResponsePrompt from "../../../prompts/waterfall/verify_response.md";
import paperVerifyResponsePrompt from "../../../prompts/waterfall/paper/verify_response.md";
import {
  directAnswerSchema,
  responseVerdictSchema,
  verdictSchema,
  type DirectAnswer,
  type ResponseVerdict,
} from "../artifacts";
import { callsOfDirectAnswer, textOfResponse } from "../rules/answer";
import type { AnswerDirectlyInput, CallAgentInput, GenerateCodeInput, VerifyResponseInput } from "../inputs";
import { programOf } from "../rules/program";
import { mockAgent, mockDirectAnswer, mockDirectCalls } from "../mock/agent";
import { mockCode } from "../mock/program";
import { mockResponseVerdict, mockVerdict } from "../mock/verdict";
import { verdictErrors } from "./analysis";
import { callValues } from "./call-values";
import { agentsValues, briefValues, contextValue, functionsValues, logBeside, type CardDetail } from "./prompt-values";
import { withBlocks } from "./prompts";

const codeValues = ({ brief, agents, pseudocode, revision }: GenerateCodeInput, detail: CardDetail) => ({
  ...agentsValues(agents, detail),
  ...briefValues(brief),
  pseudocode: pseudocode && escapeUntrusted(pseudocode),
  revision: revision && { code: escapeUntrusted(revision.code), reason: escapeUntrusted(revision.reason) },
});

export const generateCode = defineAction<GenerateCodeInput, string>({
  name: "generate_code",
  role: "code_generation_expert",
  kind: "code",
  summary: "Writes the program that carries out the pseudocode by calling agents.",
  prompt: withBlocks(generateCodePrompt),
  tidy: programOf,
  media_type: "text/javascript",
  variables: (input) => codeValues(input, "use"),
  paper: { variables: (input) => codeValues(input, "all") },
  outcomes: ["ok", "syntax_error", "runtime_error", "endless_loop", "unknown_agent", "no_answer", "no_agent"],
  mock: (input, outcome, feedback) => mockCode(input, outcome, feedback),
});

export const verifyResponse = defineAction<VerifyResponseInput, ResponseVerdict>({
  name: "verify_response",
  role: "response_verification_expert",
  kind: "response_verdict",
  summary:
    "Judges whether the response is what was asked, under `strict_response` also whether it is right, and what would better it.",
  prompt: withBlocks(verifyResponsePrompt),
  output: responseVerdictSchema,
  variables: ({ log, brief, response, strict }) => ({
    ...logBeside(log, brief.requirement),
    ...briefValues(brief),
    response: escapeUntrusted(textOfResponse(response)),
    calls: response.calls && escapeUntrusted(JSON.stringify(response.calls, null, 1)),
    strict,
  }),
  check: verdictErrors,
  outcomes: ["accept", "improve", "reject"],
  mock: ({ response }, outcome, feedback) => mockResponseVerdict(response.answer, outcome, feedback),
  paper: {
    prompt: withBlocks(paperVerifyResponsePrompt),
    output: verdictSchema,
    mock: ({ response }, outcome, feedback) =>
      mockVerdict("the response", response.answer, outcome === "improve" ? "accept" : outcome, feedback),
  },
});

export const callAgent = defineAction<CallAgentInput, string>({
  name: "call_agent",
  role: "agent",
  kind: "agent_result",
  summary: "A worker agent does one task for the program.",
  prompt: callAgentPrompt,
  variables: (input) => ({
    instructions: escapeUntrusted(input.agent.instructions),
    name: line(input.agent.name),
    task: escapeUntrusted(input.task),
    ...callValues(input),
  }),
  outcomes: ["answer", "json", "refuse", "silent"],
  mock: (input, outcome) => mockAgent(input, outcome),
});

export const answerDirectly = defineAction<AnswerDirectlyInput, string>({
  name: "answer_directly",
  role: "agent",
  kind: "direct_answer",
  summary: "One model answers the request in a plain call: the baseline `single_agent`.",
  prompt: answerDirectlyPrompt,
  variables: ({ requirement, context }) => ({
    requirement: escapeUntrusted(requirement),
    context: contextValue(context),
  }),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockDirectAnswer(input, feedback),
});

export const answerWithCalls = defineAction<AnswerDirectlyInput, DirectAnswer>({
  name: "answer_with_calls",
  role: "agent",
  kind: "direct_answer",
  summary: "The baseline `single_agent` when the caller has functions: the answer, and the calls that should be made.",
  prompt: withBlocks(answerWithCallsPrompt),
  output: directAnswerSchema,
  variables: ({ requirement, context, functions }) => ({
    requirement: escapeUntrusted(requirement),
    context: contextValue(context),
    ...functionsValues(functions),
  }),
  check: (answer, { functions }) => [
    ...blanks([["`answer`", answer.answer]]),
    ...callsOfDirectAnswer(answer, functions).errors,
  ],
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockDirectCalls(input, feedback),
});
