import type { Feedback } from "#workflow-kit/action";
import { at, clip, quoted } from "#workflow-kit/text";
import type { LogEntry, Questions, Refined } from "../artifacts";
import type { AskClarificationsInput, OptimizeRequirementInput, TransformRequirementInput } from "../inputs";

const QUESTIONS = [
  { dimension: "purpose", question: (about: string) => `What do you need the result for: "${about}"?` },
  { dimension: "type", question: () => "Is there a document or a system of yours that the result has to fit?" },
  { dimension: "condition", question: () => "Is there a limit of yours to keep to, such as a date or a sum?" },
] as const;

export function mockQuestions(
  { requirement }: AskClarificationsInput,
  outcome: string,
  feedback?: Feedback<Questions>,
): Questions {
  if (outcome === "none" && !feedback) return { questions: [] };
  const asked = QUESTIONS.map(({ dimension, question }, index) => ({
    id: `q${index + 1}`,
    dimension,
    question: question(quoted(requirement, 80)),
  }));
  if (!feedback) return { questions: asked };
  const remarked = {
    id: `q${asked.length + 1}`,
    dimension: "status" as const,
    question: `How is this meant: "${quoted(feedback.comment, 120)}"?`,
  };
  return { questions: [...asked, remarked] };
}

/** The inferred answer that leaves a question open (see the rules of `optimize_requirement`). */
const OPEN = "open";

const INFERRED: Record<string, string> = { purpose: "It is for the person who asks, to read and to act on." };

export function mockRefinement({ log, rejection }: OptimizeRequirementInput, feedback?: Feedback<Refined>): Refined {
  const inferred_answers = log.entries
    .filter(({ answer }) => answer === null)
    .map(({ id, dimension }) => ({ question: id, answer: INFERRED[dimension] ?? OPEN }));
  const assumed = inferred_answers.filter(({ answer }) => answer !== OPEN);
  const given = log.entries.filter((entry): entry is LogEntry & { answer: string } => entry.answer !== null);
  const statements = [
    log.requirement.trim(),
    ...given.map(({ question, answer }) => `${clip(question, 160)} ${clip(answer, 300)}`),
    ...assumed.map(({ answer }) => `Assume this: ${clip(answer, 300)}`),
    ...(log.comment ? [clip(log.comment, 300)] : []),
    ...(rejection ? [`Mind this above all: ${clip(rejection.reason, 300)}`] : []),
    ...(feedback ? [`A reviewer asks: ${clip(feedback.comment, 300)}`] : []),
  ];
  return { inferred_answers, refined_requirement: statements.join("\n") };
}

export function mockGherkin(
  { requirement, rejection }: TransformRequirementInput,
  outcome: string,
  feedback?: Feedback<string>,
): string {
  const statements = requirement.split("\n").map((line) => quoted(line, 160));
  const given = statements.filter((line) => line !== "").slice(0, 8);
  const about = given[0] ?? "an empty request";
  // "Finally" is no keyword: a line that the parser cannot place.
  const then = outcome === "syntax_error" ? "Finally" : "Then";
  const steps = [
    ...given.map((line, index) => `    ${index === 0 ? "Given" : "And"} the request says "${line}"`),
    ...(given.length ? [] : ["    Given nothing in particular"]),
    "    When the agents have done their tasks",
    `    ${then} the user reads an answer to "${clip(about, 80)}"`,
    ...(rejection ? [`    And this is put right: "${quoted(rejection.reason, 160)}"`] : []),
    ...(feedback ? [`    And the reviewer finds "${quoted(feedback.comment, 160)}"`] : []),
  ];
  return [`Feature: ${clip(about, 80)}`, `  Scenario: ${at(SCENARIOS, given.length)}`, ...steps].join("\n");
}

const SCENARIOS = ["The request is answered", "The answer is there", "All that was asked for is done"] as const;
