import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeMaterial } from "#workflow-kit/prompt-values";
import answerAlonePrompt from "../../../prompts/debate/answer_alone.md";
import checkCitationsPrompt from "../../../prompts/debate/check_citations.md";
import judgeDebatePrompt from "../../../prompts/debate/judge_debate.md";
import { aloneSchema, supportSchema, verdictSchema, type Alone, type Support, type Verdict } from "../artifacts";
import type { AnswerAloneInput, CaseInput, CheckSupportInput, JudgeDebateInput } from "../inputs";
import { isOpen } from "../rules/question";
import { rehearseAlone, rehearseSupport, rehearseVerdict } from "../rehearsal/judging";
import { wordless } from "./faults";
import { evidenceValues, anyQuestionValues, partyValues, supportValues } from "./prompt-values";

/** A label may be punctuation; the answer to an open question must contain words. */
const rationaleFaults = (
  { answer, rationale }: Pick<Verdict, "answer" | "rationale">,
  { question }: CaseInput,
): string[] => [
  ...(isOpen(question) ? wordless : blanks)([["`answer`", answer]]),
  ...wordless(rationale.map((point, index) => [`Point ${index + 1} of the rationale`, point] as const)),
];

const outsideValue = (outside: string | null) => outside && line(outside);

export const judgeDebate = defineAction<JudgeDebateInput, Verdict>({
  name: "judge_debate",
  role: "judge",
  kind: "verdict",
  summary: "Decides, says why in three points, goes through the checklist, and checks the citations.",
  prompt: judgeDebatePrompt,
  output: verdictSchema,
  variables: ({ question, authorities, parties, note, outside }) => ({
    ...anyQuestionValues(question),
    ...evidenceValues(authorities),
    parties: parties.map((party) => partyValues(party, question)),
    note: note && escapeMaterial(note),
    outside: outsideValue(outside),
  }),
  check: rationaleFaults,
  outcomes: ["decide", "outside_options", "undefended_option", "unsupported", "no_winner", "from_memory"],
  rehearse: (input, outcome, feedback) => rehearseVerdict(input, outcome, feedback),
});

export const answerAlone = defineAction<AnswerAloneInput, Alone>({
  name: "answer_alone",
  role: "debater",
  kind: "sole_answer",
  summary: "Answers the question without a debate: the baselines.",
  prompt: answerAlonePrompt,
  output: aloneSchema,
  variables: ({ question, authorities, outside }) => ({
    ...anyQuestionValues(question),
    ...evidenceValues(authorities),
    outside: outsideValue(outside),
  }),
  check: rationaleFaults,
  outcomes: ["ok", "other_option", "outside_options", "cite_invented", "no_citation", "from_memory"],
  rehearse: (input, outcome, feedback) => rehearseAlone(input, outcome, feedback),
});

export const checkSupport = defineAction<CheckSupportInput, Support>({
  name: "check_citations",
  role: "judge",
  kind: "citation_support",
  summary: "Says whether authorities support the citations of a baseline.",
  prompt: checkCitationsPrompt,
  output: supportSchema,
  variables: ({ question, authorities, citations }) => ({
    question: escapeMaterial(question.text),
    authorities: evidenceValues(authorities).authorities,
    ...supportValues(citations),
  }),
  outcomes: ["supported", "unsupported"],
  rehearse: (input, outcome, feedback) => rehearseSupport(input, outcome, feedback),
});
