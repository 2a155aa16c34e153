import { defineAction } from "#workflow-kit/action";
import { escapeUntrusted } from "#workflow-kit/prompt-values";
import { listed } from "#workflow-kit/text";
import answerPrompt from "../../../prompts/plain/answer.md";
import paperAnswerPrompt from "../../../prompts/plain/paper/answer.md";
import type { AnswerInput } from "../inputs";
import { mockAnswer } from "../mock/answer";

export const answer = defineAction<AnswerInput, string>({
  name: "answer",
  role: "answerer",
  kind: "answer",
  summary: "Reasons in writing and answers, in one reply.",
  prompt: answerPrompt,
  variables: ({ request, form, labels, functions, instructions }) => ({
    request: escapeUntrusted(request),
    instructions: instructions && escapeUntrusted(instructions),
    line: functions.length === 0 && form === "line",
    labels: labels && escapeUntrusted(listed(labels)),
    json: functions.length === 0 && form === "json",
    functions: functions.length > 0 && escapeUntrusted(JSON.stringify(functions, null, 1)),
  }),
  outcomes: ["answered", "formless"],
  mock: (input, outcome, feedback) => mockAnswer(input, outcome, feedback),
  paper: { prompt: paperAnswerPrompt },
});

export const actions = [answer];
