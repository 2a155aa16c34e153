import { defineAction } from "#workflow-kit/action";
import writeCheckReportPrompt from "../../../prompts/requirements/write_check_report.md";
import writeSrsPrompt from "../../../prompts/requirements/write_srs.md";
import type { WriteCheckReportInput, WriteSrsInput } from "../inputs";
import { rehearseReport } from "../rehearsal/checking";
import { rehearseSrs } from "../rehearsal/specification";
import { IDENTITIES } from "../roles";
import { ideaValues, escapeMaterial, modelValues, smellsValues } from "./prompt-values";

const role = IDENTITIES.documenter;

export const writeSrs = defineAction<WriteSrsInput, string>({
  name: "write_srs",
  role: "documenter",
  kind: "specification",
  summary: "Writes the software requirements specification from the accepted draft and its model.",
  prompt: writeSrsPrompt,
  variables: ({ idea, template, draft, model }) => ({
    role,
    template: escapeMaterial(template),
    idea: ideaValues(idea).idea,
    draft: escapeMaterial(draft),
    ...modelValues(model),
  }),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseSrs(input, feedback),
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
  rehearse: (input, _outcome, feedback) => rehearseReport(input, feedback),
});
