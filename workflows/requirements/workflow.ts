import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { Rejected } from "#workflow-kit/rejected";
import { type Run } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions, checkRequirement, writeCheckReport, writeSrs } from "./actions";
import { CHECKPOINT_KINDS, KINDS, type CheckMessage, type RequirementModel } from "./artifacts";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  type Input,
  type Options,
  type Output,
  type StopReason,
} from "./contract";
import { checkRequirementInput, writeCheckReportInput, writeSrsInput } from "./inputs";
import { sameSmells } from "./rules/requirement-model";
import { roles } from "./roles";
import { elicit, improveDraft } from "./stages/elicitation";
import { buildModel } from "./stages/modeling";
import { perform, type RequirementsContext } from "./context";
import { Workspace } from "./rules/workspace";
import { reference } from "#workflow-kit/run";

/** The newest of each document that a run has come to. */
interface Progress {
  draft?: Artifact;
  model?: Artifact<RequirementModel>;
  diagrams: DocumentReference[];
  check?: Artifact<CheckMessage>;
  report?: Artifact;
  specification?: Artifact;
  iterations: number;
}

/** MARE, Fig. 1: elicitation, modeling, verification, specification; from an error report back to the Collector. */
async function runRequirements(run: Run, input: Input, options: Options): Promise<Output> {
  const assignment: RequirementsContext = { run, input, options };
  const progress: Progress = { diagrams: [], iterations: 0 };
  try {
    return outcome(progress, await iterate(assignment, progress));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // The one version of a document that there is stands in the output, although a person rejected it.
    if (error.artifact.kind === "requirement_draft") progress.draft ??= error.artifact;
    if (error.artifact.kind === "error_report") progress.report ??= error.artifact;
    return outcome(progress, "rejected_by_human");
  }
}

/** Works until the Checker accepts, or one of the limits is met. Fills `progress`, between stages only. */
async function iterate(assignment: RequirementsContext, progress: Progress): Promise<StopReason> {
  const { run, options } = assignment;
  let workspace = new Workspace();
  for (let iteration = 1; ; iteration++) {
    const found = await run.stage(
      "elicitation",
      () => (iteration === 1 ? elicit(assignment) : improveDraft(assignment, workspace, iteration)),
      { iteration },
    );
    workspace = workspace.with(...found);
    progress.draft = found.findLast(({ kind }) => kind === "requirement_draft")!;

    const { model, diagrams } = await run.stage("modeling", () => buildModel(assignment, workspace, iteration), {
      iteration,
    });
    workspace = workspace.with(model);
    Object.assign(progress, { model, diagrams });

    const check = await run.stage(
      "verification",
      () => perform(run, workspace, checkRequirement, (desk) => checkRequirementInput(desk, iteration)),
      { iteration },
    );
    workspace = workspace.with(check);
    const before = progress.check;
    Object.assign(progress, { check, iterations: iteration });

    const document = await run.stage(
      "specification",
      () =>
        check.content.accepted
          ? perform(run, workspace, writeSrs, (desk) => writeSrsInput(desk, options))
          : perform(run, workspace, writeCheckReport, (desk) => writeCheckReportInput(desk, iteration)),
      { iteration },
    );
    if (check.content.accepted) {
      progress.specification = document;
      return "accepted";
    }
    workspace = workspace.with(document);
    progress.report = document;
    if (before && sameSmells(before.content, check.content)) return "same_smells";
    if (iteration === options.max_iterations) return "max_iterations";
  }
}

function outcome(
  { draft, model, diagrams, report, specification, iterations }: Progress,
  stop_reason: StopReason,
): Output {
  const accepted = stop_reason === "accepted";
  return {
    accepted,
    specification: accepted ? reference(specification) : null,
    draft: reference(draft),
    model: reference(model),
    diagrams,
    error_report: accepted ? null : reference(report),
    iterations,
    stop_reason,
  };
}

export const requirements = defineWorkflow<Input, Options, Output>({
  name: "requirements",
  version: 1,
  title: "Requirements engineering",
  summary:
    "Five agents turn a rough idea into a requirements draft, a model with diagrams, and a specification, or an error report.",
  source: {
    title: "MARE: Multi-Agents Collaboration Framework for Requirements Engineering (Jin, Jin, Chen, Wang, 2024)",
    url: "https://arxiv.org/abs/2405.03256",
  },
  stages: ["elicitation", "modeling", "verification", "specification"],
  roles,
  actions,
  kinds: KINDS,
  checkpoint_kinds: CHECKPOINT_KINDS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  example: {
    input: {
      idea: "A small web app that lets neighbours share garden tools. Owners list their tools, borrowers reserve them for certain days, and the app reminds borrowers when a tool is due.",
      title: "Tool Share",
      stakeholders: [
        { name: "Owner", profile: "Lends tools and wants them back in one piece." },
        { name: "Borrower", profile: "Needs a tool for a weekend, and does not want to own it." },
      ],
    },
    options: { model_kind: "use_case", num_user_stories: 5, qa_rounds: 2, max_iterations: 3 },
  },
  run: runRequirements,
});
