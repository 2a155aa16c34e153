import { defineAction } from "#workflow-kit/action";
import { blanks, escapeMaterial } from "#workflow-kit/prompt-values";
import analyzeErrorPrompt from "../../../prompts/waterfall/analyze_error.md";
import fixCodePrompt from "../../../prompts/waterfall/fix_code.md";
import fixPseudocodePrompt from "../../../prompts/waterfall/fix_pseudocode.md";
import { errorReportSchema, type ErrorReport } from "../artifacts";
import {
  otherLayer,
  type AnalyzeErrorInput,
  type FailedProgram,
  type FixCodeInput,
  type FixPseudocodeInput,
} from "../inputs";
import { programOf, pseudocodeOf } from "../rules/program";
import { rehearseAnalysis, rehearseFixedPseudocode } from "../rehearsal/reflection";
import { rehearseFixedCode } from "../rehearsal/program";
import { agentsValues, briefValues, evidenceValues, tasksValues } from "./prompt-values";

const failedValues = ({ brief, agents, pseudocode, code, evidence }: FailedProgram) => ({
  ...agentsValues(agents),
  ...briefValues(brief),
  pseudocode: pseudocode && escapeMaterial(pseudocode),
  code: escapeMaterial(code),
  ...evidenceValues(evidence, code),
});

export const analyzeError = defineAction<AnalyzeErrorInput, ErrorReport>({
  name: "analyze_error",
  role: "error_analyst",
  kind: "error_report",
  summary: "Blames design or implementation for a failed execution, by its evidence.",
  prompt: analyzeErrorPrompt,
  output: errorReportSchema,
  variables: (input) => ({
    ...failedValues(input),
    blamed_before: input.blamed_before,
    other_layer: input.blamed_before && otherLayer(input.blamed_before),
  }),
  check: ({ error_description }) => blanks([["`error_description`", error_description]]),
  outcomes: ["by_evidence", "design", "implementation"],
  rehearse: (input, outcome, feedback) => rehearseAnalysis(input, outcome, feedback),
});

export const fixPseudocode = defineAction<FixPseudocodeInput, string>({
  name: "fix_pseudocode",
  role: "pseudocode_fixer",
  kind: "pseudocode",
  summary: "Repairs the design, with alternative agents as replacements.",
  prompt: fixPseudocodePrompt,
  tidy: pseudocodeOf,
  media_type: "text/plain",
  variables: (input) => ({
    ...failedValues(input),
    ...tasksValues(input.plan),
    analysis: escapeMaterial(input.report.error_description),
  }),
  outcomes: ["fix", "no_fix"],
  rehearse: (input, outcome, feedback) => rehearseFixedPseudocode(input, outcome, feedback),
});

export const fixCode = defineAction<FixCodeInput, string>({
  name: "fix_code",
  role: "code_fixer",
  kind: "code",
  summary: "Repairs the program with the smallest change, keeping the logic of the pseudocode.",
  prompt: fixCodePrompt,
  tidy: programOf,
  media_type: "text/javascript",
  variables: (input) => ({
    ...failedValues(input),
    analysis: escapeMaterial(input.report.error_description),
  }),
  outcomes: ["fix", "no_fix"],
  rehearse: (input, outcome, feedback) => rehearseFixedCode(input, outcome, feedback),
});
