import type { Demo } from "./demo.ts";

export const title = "a vague request becomes a program that agents carry out";

const REQUEST =
  "Help me plan a weekend in Lisbon for two people who like science museums: what to see on which day, and what it all costs together.";

export const request: Demo["request"] = (requirement = REQUEST) => ({
  workflow: "waterfall",
  input: { requirement },
  options: { clarification: "ask", max_executions: 5 },
});

export const subjectName = "Request";

/** A user's answers, by the dimension of the question. */
const ANSWERS: Record<string, string> = {
  purpose: "For the two of us to agree on it, and to book.",
  type: "A short list for each day, and one sum at the end.",
  condition: "At most 400 euros for both, without the flight.",
  status: "Relaxed rather than full.",
  event: "A proposal; I book myself.",
};

export const answer: Demo["answer"] = ({ dimension = "" }) => ANSWERS[dimension];

/** The program, and the answer that its last execution returned. */
export const documents: Demo["documents"] = ({ code, answer: given }) => [code?.text, given];
