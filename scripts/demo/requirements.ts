import type { Demo } from "./demo.ts";

export const title = "a rough idea becomes a requirements specification";

const IDEA =
  "A tool library for a neighbourhood: members find, reserve, borrow and return tools, and volunteers record damage and remind members of overdue tools.";

export const request: Demo["request"] = (idea = IDEA) => ({
  workflow: "requirements",
  input: { idea },
  options: { human_stakeholder: true, qa_rounds: 1, num_user_stories: 4, reviews: ["requirement_draft"] },
});

/** A stakeholder's answers to usual questions about a system. */
const ANSWERS: [about: RegExp, answer: string][] = [
  [/\bwho\b/i, "Registered members and volunteers; guests may only look."],
  [/fail|wrong|error|lost|unavailable|half way/i, "Nothing is lost, and a message says what to do next."],
  [/how many|how much|how often|volume|number of/i, "A few hundred members, and at most ten of them at the same time."],
  [/how long|how quick|how fast|when|deadline/i, "Within two days, and a reminder goes out one day before."],
];
const ANY_ANSWER = "As is usual in systems of this kind; note it as an assumption.";

export const answer: Demo["answer"] = ({ text }) => ANSWERS.find(([about]) => about.test(text))?.[1] ?? ANY_ANSWER;

/** The first draft is sent back once, so that the demo shows a revision. */
export const feedback: Demo["feedback"] = (number) =>
  number === 1 ? "A member sees at most 20 tools on a page, nearest first." : "";

export const documents: Demo["documents"] = ({ accepted, specification, error_report, draft }) =>
  (accepted ? [specification] : [error_report, draft]).map((document) => document?.text);
