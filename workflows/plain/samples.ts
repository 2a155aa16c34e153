import type { AnswerInput } from "./inputs";
import type { FunctionSpec } from "#workflow-kit/functions";

const functions: FunctionSpec[] = [
  {
    name: "book_flight",
    description: "Books a flight.",
    parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  },
];

/** Inputs of every action about a request: with all parts. */
export const fullInputs = (request: string): Record<string, AnswerInput> => ({
  answer: { request, form: "line", labels: null, functions, instructions: "Answer like a lawyer." },
});

/** The same without the optional parts. */
export const bareInputs = (request: string): Record<string, AnswerInput> => ({
  answer: { request, form: "line", labels: ["A", "B"], functions: [], instructions: null },
});

/** Texts of inputs that need no fence: of a closed set of words, or an id that code made. By action and path. */
export const CLOSED = /\/form$/;

/** Texts by which the caller or the deployment instructs the model: they stand outside of fences. */
export const INSTRUCTIONS = /\/labels\.\d+$/;

/** Lists that are never empty. */
export const FILLED = /\/labels$/;
