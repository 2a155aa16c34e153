import type { Demo, Question } from "./demo.ts";
import type { Json } from "../lib/api.ts";
import { bold, say } from "../lib/terminal.ts";

export const title = "a rough idea becomes a requirements specification";

const IDEA =
  "A tool library for a neighbourhood: members find, reserve, borrow and return tools, and volunteers record damage and remind members of overdue tools.";

export const request: Demo["request"] = (idea = IDEA) => ({
  workflow: "requirements",
  input: { idea },
  options: { human_stakeholder: true, qa_rounds: 1, num_user_stories: 4, reviews: ["requirement_draft"] },
});

export const subject: Demo["subject"] = ({ input }) => input.idea;

/** A stakeholder's answers to usual questions about a system. */
const ANSWERS: [about: RegExp, answer: string][] = [
  [/\bwho\b/i, "Registered members and volunteers; guests may only look."],
  [/fail|wrong|error|lost|unavailable|half way/i, "Nothing is lost, and a message says what to do next."],
  [/how many|how much|how often|volume|number of/i, "A few hundred members, and at most ten of them at the same time."],
  [/how long|how quick|how fast|when|deadline/i, "Within two days, and a reminder goes out one day before."],
];
const ANY_ANSWER = "As is usual in systems of this kind; note it as an assumption.";

const BY_TYPE: Record<string, (question: Question) => string | number | boolean | undefined> = {
  choice: ({ choices }) => choices?.[0],
  boolean: () => true,
  number: () => 10,
};
const byType = (question: Question) =>
  BY_TYPE[question.type]?.(question) ?? ANSWERS.find(([about]) => about.test(question.text))?.[1] ?? ANY_ANSWER;

/** Answers without a person at the terminal. The first draft is sent back once, so that the demo shows a revision. */
export const suggestions: Demo["suggestions"] = {
  answer: (question) => question.default ?? byType(question),
  feedback: (number) => (number === 1 ? "A member sees at most 20 tools on a page, nearest first." : ""),
};

/** Prints the documents of the run's output. */
export function show({ accepted, stop_reason, iterations, specification, error_report, draft }: Json) {
  const checks = `${iterations} check${iterations === 1 ? "" : "s"}`;
  say(
    bold(
      accepted
        ? `Specification (accepted after ${checks})`
        : `Not accepted after ${checks}: ${stop_reason}. The last report and draft:`,
    ),
  );
  say();
  for (const document of accepted ? [specification] : [error_report, draft])
    if (document) say(`${document.text.trim()}\n`);
}
