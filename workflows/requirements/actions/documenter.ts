import { defineAction } from "#workflow-kit/action";
import paperWriteSrsPrompt from "../../../prompts/requirements/paper/write_srs.md";
import writeCheckReportPrompt from "../../../prompts/requirements/write_check_report.md";
import writeSrsPrompt from "../../../prompts/requirements/write_srs.md";
import { A_PERSON, type WriteCheckReportInput, type WriteSrsInput } from "../inputs";
import { mockReport } from "../mock/checking";
import { mockSrs, mockWholeSrs } from "../mock/specification";
import { IDENTITIES } from "../roles";
import { withoutSources } from "../rules/draft-lines";
import { elementsValues, escapeUntrusted, ideaValues, line, modelValues, smellsValues } from "./prompt-values";

const role = IDENTITIES.documenter;

export const writeSrs = defineAction<WriteSrsInput, string>({
  name: "write_srs",
  role: "documenter",
  kind: "specification",
  summary:
    "Writes the software requirements specification from the draft and its model; code fills in requirements and tables.",
  prompt: writeSrsPrompt,
  variables: ({ idea, template, sources, draft, model, findings }) => ({
    role,
    template: escapeUntrusted(template),
    ...ideaValues(idea),
    sources: sources.map(line),
    simulated: sources.some((source) => source !== A_PERSON),
    draft: escapeUntrusted(withoutSources(draft)),
    elements: elementsValues(model),
    remarks: findings.length > 0 && { findings: smellsValues(findings) },
  }),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockSrs(input, feedback),
  // The paper's Documenter writes the whole document.
  paper: {
    prompt: paperWriteSrsPrompt,
    variables: ({ template, draft, model }) => ({
      role,
      template: escapeUntrusted(template),
      draft: escapeUntrusted(draft),
      ...modelValues(model),
    }),
    mock: (input, _outcome, feedback) => mockWholeSrs(input, feedback),
  },
});

export const writeCheckReport = defineAction<WriteCheckReportInput, string>({
  name: "write_check_report",
  role: "documenter",
  kind: "error_report",
  summary: "Turns the Checker's findings into a report for the Collector and the Modeler.",
  prompt: writeCheckReportPrompt,
  variables: ({ check, iteration }) => ({
    role,
    iteration,
    smells: smellsValues(check.smells),
  }),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockReport(input, feedback),
});
