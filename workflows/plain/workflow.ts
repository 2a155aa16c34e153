import { ReviewRejectedError } from "#workflow-kit/rejected";
import { reference, type Run } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions, answer } from "./actions";
import { REVIEW_KINDS, KINDS } from "./artifacts";
import { formOf, inputSchema, optionsSchema, outputSchema, type Input, type Options, type Output } from "./contract";
import type { AnswerInput } from "./inputs";
import { roles } from "./roles";
import { readReply } from "./rules/answer";
import { labelsOf, requestText } from "./rules/request";

/** One request, one call. The baseline that every other method has to beat. */
async function runPlain(run: Run, input: Input, options: Options): Promise<Output> {
  const { functions = [], instructions = null } = options;
  const asked: AnswerInput = {
    request: requestText(input),
    form: formOf(input, options),
    labels: labelsOf(input),
    functions,
    instructions,
  };
  try {
    return await run.stage("answer", async () => {
      const reply = await run.step(answer, asked);
      const read = readReply(reply.content, asked);
      return {
        ...read,
        document: reference(reply),
        stop_reason: read.answer === null ? ("formless" as const) : ("answered" as const),
      };
    });
  } catch (error) {
    if (!(error instanceof ReviewRejectedError)) throw error;
    return { answer: null, document: reference(error.artifact), stop_reason: "rejected_by_human" };
  }
}

export const plain = defineWorkflow<Input, Options, Output>({
  name: "plain",
  version: 1,
  title: "One plain call",
  summary:
    "One model answers any request in one reply, with visible reasoning: the baseline that a method has to beat.",
  source: {
    title: "Large Language Models are Zero-Shot Reasoners (Kojima et al., NeurIPS 2022)",
    url: "https://arxiv.org/abs/2205.11916",
  },
  stages: ["answer"],
  roles,
  actions,
  kinds: KINDS,
  review_kinds: REVIEW_KINDS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  about: (input) => ({ title: null, excerpt: requestText(input) }),
  example: {
    input: { question: "A ferry takes 24 cars and leaves every 40 minutes. How many cars can cross in four hours?" },
    options: { form: "line" },
  },
  run: runPlain,
});
