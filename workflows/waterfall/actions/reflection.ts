import { defineAction } from "#workflow-kit/action";
import { blanks, escapeUntrusted } from "#workflow-kit/prompt-values";
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
import { mockAnalysis, mockFixedPseudocode } from "../mock/reflection";
import { mockFixedCode } from "../mock/program";
import { briefValues, cardValues, evidenceValues, tasksValues, type CardDetail } from "./prompt-values";
import { withBlocks } from "./prompts";

/** @param detail of the agents with a part in the design; the others are shown as planners see them */
const failedValues = (
  { brief, agents, others, pseudocode, code, evidence }: FailedProgram,
  detail: CardDetail = "use",
) => ({
  agents: [
    ...agents.map((agent) => cardValues(agent, detail)),
    ...others.map((agent) => cardValues(agent, detail === "all" ? "all" : "choice")),
  ],
  ...briefValues(brief),
  pseudocode: pseudocode && escapeUntrusted(pseudocode),
  code: escapeUntrusted(code),
  ...evidenceValues(evidence, code),
});

const analysisValues = (input: AnalyzeErrorInput, detail: CardDetail) => ({
  ...failedValues(input, detail),
  blamed_before: input.blamed_before,
  other_layer: input.blamed_before && otherLayer(input.blamed_before),
});

export const analyzeError = defineAction<AnalyzeErrorInput, ErrorReport>({
  name: "analyze_error",
  role: "error_analyst",
  kind: "error_report",
  summary: "Blames design or implementation for a failed execution, by its evidence.",
  prompt: withBlocks(analyzeErrorPrompt),
  output: errorReportSchema,
  variables: (input) => analysisValues(input, "use"),
  paper: { variables: (input) => analysisValues(input, "all") },
  check: ({ error_description }) => blanks([["`error_description`", error_description]]),
  outcomes: ["by_evidence", "design", "implementation"],
  mock: (input, outcome, feedback) => mockAnalysis(input, outcome, feedback),
});

const designValues = (input: FixPseudocodeInput, detail: CardDetail) => ({
  ...failedValues(input, detail),
  ...tasksValues(input.plan),
  analysis: escapeUntrusted(input.report.error_description),
});

export const fixPseudocode = defineAction<FixPseudocodeInput, string>({
  name: "fix_pseudocode",
  role: "pseudocode_fixer",
  kind: "pseudocode",
  summary: "Repairs the design, with alternative agents as replacements.",
  prompt: withBlocks(fixPseudocodePrompt),
  tidy: pseudocodeOf,
  media_type: "text/plain",
  variables: (input) => designValues(input, "use"),
  paper: { variables: (input) => designValues(input, "all") },
  outcomes: ["fix", "no_fix"],
  mock: (input, outcome, feedback) => mockFixedPseudocode(input, outcome, feedback),
});

const repairValues = (input: FixCodeInput, detail: CardDetail) => ({
  ...failedValues(input, detail),
  analysis: escapeUntrusted(input.report.error_description),
});

export const fixCode = defineAction<FixCodeInput, string>({
  name: "fix_code",
  role: "code_fixer",
  kind: "code",
  summary: "Repairs the program with the smallest change, keeping the logic of the pseudocode.",
  prompt: withBlocks(fixCodePrompt),
  tidy: programOf,
  media_type: "text/javascript",
  variables: (input) => repairValues(input, "use"),
  paper: { variables: (input) => repairValues(input, "all") },
  outcomes: ["fix", "no_fix"],
  mock: (input, outcome, feedback) => mockFixedCode(input, outcome, feedback),
});
