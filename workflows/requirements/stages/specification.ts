import type { Artifact } from "#workflow-kit/artifact";
import { writeCheckReport, writeSrs } from "../actions";
import type { CheckMessage, RequirementModel } from "../artifacts";
import type { Context } from "../context";
import { srsTemplateOf, writeCheckReportInput, writeSrsInput } from "../inputs";
import { errorReport } from "../reports/error-report";
import { assembleSpecification } from "../reports/specification";
import type { Workspace } from "../rules/workspace";

/** The documents of one check; undefined where there is none. */
export interface Documents {
  report?: Artifact<string>;
  specification?: Artifact<string>;
}

/**
 * Specification (MARE, II-B): the SRS after acceptance, else the error report. When the loop ends without acceptance, an SRS that is marked so
 * is beside the report; under `profile: paper` the report alone.
 * @param isLast no further check follows
 */
export async function writeDocuments(
  context: Context,
  workspace: Workspace,
  iteration: number,
  isLast: boolean,
): Promise<Documents> {
  const [check] = workspace.newest(["check_message"]) as [Artifact<CheckMessage>];
  if (check.content.accepted) return { specification: await specify(context, workspace, iteration, check) };
  const report = await reportErrors(context, workspace, iteration, check);
  if (!isLast || context.options.profile === "paper") return { report };
  return { report, specification: await specify(context, workspace, iteration, check) };
}

/** Code writes the report, unless the paper or a person who reviews reports asks for the Documenter's. */
function reportErrors(
  context: Context,
  workspace: Workspace,
  iteration: number,
  check: Artifact<CheckMessage>,
): Promise<Artifact<string>> {
  const { profile, reviews } = context.options;
  if (profile === "paper" || reviews.includes("error_report"))
    return context.perform(workspace, writeCheckReport, (inbox) => writeCheckReportInput(inbox, iteration));
  const by = { action: writeCheckReport.name, role: "documenter", inputs: [check] };
  return context.publish("error_report", errorReport(check.content.smells, iteration), by);
}

/** The Documenter writes the text; code fills in requirements and tables. The paper's Documenter writes the whole. */
async function specify(
  context: Context,
  workspace: Workspace,
  iteration: number,
  check: Artifact<CheckMessage>,
): Promise<Artifact<string>> {
  const { options } = context;
  const written = await context.perform(workspace, writeSrs, (inbox) => writeSrsInput(inbox, options));
  if (options.profile === "paper") return written;
  const [draft] = workspace.newest(["requirement_draft"]) as [Artifact<string>];
  const [model] = workspace.newest(["requirement_model"]) as [Artifact<RequirementModel>];
  const text = assembleSpecification({
    text: written.content,
    template: srsTemplateOf(options),
    draft: draft.content,
    model: model.content,
    findings: check.content.smells,
    accepted: check.content.accepted,
    iteration,
  });
  const by = { action: "assemble_specification", role: "documenter", inputs: [written, draft, model, check] };
  return context.publish("specification", text, by);
}
