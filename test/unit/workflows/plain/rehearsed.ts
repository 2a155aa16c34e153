import type { AnswerInput } from "#workflows/plain/inputs";
import { FUNCTIONS } from "../waterfall/rehearsed";

/** Inputs of every action about a request: with all parts. */
export const rehearsedInputs = (request: string): Record<string, AnswerInput> => ({
  answer: { request, form: "line", labels: null, functions: FUNCTIONS, instructions: "Answer like a lawyer." },
});

/** The same without the optional parts. */
export const bareInputs = (request: string): Record<string, AnswerInput> => ({
  answer: { request, form: "line", labels: ["A", "B"], functions: [], instructions: null },
});
