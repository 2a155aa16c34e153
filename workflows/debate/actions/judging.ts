import { defineAction } from "#workflow-kit/action";
import { blanks, line, escapeUntrusted } from "#workflow-kit/prompt-values";
import answerAloneTask from "../../../prompts/debate/answer_alone.md";
import checkCitationsTask from "../../../prompts/debate/check_citations.md";
import judgeDebateTask from "../../../prompts/debate/judge_debate.md";
import answerAlonePaperTask from "../../../prompts/debate/paper/answer_alone.md";
import judgeDebatePaperTask from "../../../prompts/debate/paper/judge_debate.md";
import {
  aloneSchema,
  paperAloneSchema,
  paperVerdictSchema,
  supportSchema,
  verdictSchema,
  type Alone,
  type Support,
  type Verdict,
} from "../artifacts";
import type { AnswerAloneInput, CaseInput, CheckSupportInput, JudgeDebateInput } from "../inputs";
import { isOpen } from "../rules/question";
import { numberOf } from "../rules/citations";
import { mockAlone, mockSupport, mockVerdict } from "../mock/judging";
import { optionErrors, wordless } from "./output-errors";
import { caseValues, partyValues, supportValues, wholePartyValues } from "./prompt-values";
import { promptsOf } from "./prompts";

/** A label may be punctuation; the answer to an open question must contain words. */
const answerErrors = (
  { answer, rationale }: Pick<Verdict, "answer" | "rationale">,
  { question }: CaseInput,
): string[] => [
  ...(isOpen(question) ? wordless : blanks)([["`answer`", answer]]),
  ...wordless(rationale.map((point, index) => [`Point ${index + 1} of the rationale`, point] as const)),
];

/** An answer must consider every option, or at least one issue. */
const reasoningErrors = (
  { analysis, options_considered, issues }: Pick<Verdict, "analysis" | "options_considered" | "issues">,
  { question }: CaseInput,
): string[] => [
  ...wordless([["`analysis`", analysis]]),
  ...(isOpen(question) ? (issues.length ? [] : ["`issues` is empty."]) : optionErrors(options_considered, question)),
];

const judgmentErrors = (output: Verdict | Alone, input: CaseInput): string[] => [
  ...reasoningErrors(output, input),
  ...answerErrors(output, input),
];

const outsideValue = (outside: string | null) => outside && line(outside);

const courtValues = ({ note, outside, ...given }: JudgeDebateInput) => ({
  ...caseValues(given),
  note: note && escapeUntrusted(note),
  outside: outsideValue(outside),
});

const judgePrompts = promptsOf(judgeDebateTask, judgeDebatePaperTask);

export const judgeDebate = defineAction<JudgeDebateInput, Verdict>({
  name: "judge_debate",
  role: "judge",
  kind: "verdict",
  summary: "Considers every option or issue, decides, says why in three points, and goes through the checklist.",
  prompt: judgePrompts.prompt,
  output: verdictSchema,
  variables: (input) => ({
    ...courtValues(input),
    parties: input.parties.map((party) => partyValues(party, input.question)),
  }),
  check: judgmentErrors,
  outcomes: ["decide", "outside_options", "undefended_option", "no_winner", "from_memory"],
  mock: (input, outcome, feedback) => mockVerdict(input, outcome, feedback),
  paper: {
    ...judgePrompts.paper,
    output: paperVerdictSchema,
    variables: (input) => ({
      ...courtValues(input),
      parties: input.parties.map((party) => wholePartyValues(party, input.question)),
    }),
    check: answerErrors,
  },
});

const alonePrompts = promptsOf(answerAloneTask, answerAlonePaperTask);

export const answerAlone = defineAction<AnswerAloneInput, Alone>({
  name: "answer_alone",
  role: "debater",
  kind: "sole_answer",
  summary: "Answers the question without a debate: the baselines.",
  prompt: alonePrompts.prompt,
  output: aloneSchema,
  variables: ({ outside, ...given }) => ({ ...caseValues(given), outside: outsideValue(outside) }),
  check: judgmentErrors,
  outcomes: ["ok", "other_option", "outside_options", "cite_invented", "no_citation", "from_memory"],
  mock: (input, outcome, feedback) => mockAlone(input, outcome, feedback),
  paper: { ...alonePrompts.paper, output: paperAloneSchema, check: answerErrors },
});

export const checkSupport = defineAction<CheckSupportInput, Support>({
  name: "check_citations",
  role: "judge",
  kind: "citation_support",
  summary: "Says of every citation, of a debate as of a baseline, whether the authority supports it.",
  ...promptsOf(checkCitationsTask),
  output: supportSchema,
  variables: ({ citations, ...given }) => ({ ...caseValues(given), ...supportValues(citations) }),
  check: ({ citation_checks }, { citations }) => {
    const answered = new Set(citation_checks.map(({ citation }) => numberOf(citation)));
    const left_out = citations.filter(({ number }) => !answered.has(number)).map(({ number }) => number);
    return left_out.length ? [`These citations are not checked: ${left_out.join(", ")}.`] : [];
  },
  outcomes: ["supported", "unsupported"],
  mock: (input, outcome, feedback) => mockSupport(input, outcome, feedback),
});
