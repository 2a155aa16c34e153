import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { Rejected } from "#workflow-kit/rejected";
import { reference, type Run } from "#workflow-kit/run";
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

/** The newest version of each document of a run. */
interface Progress {
  draft?: Artifact;
  model?: Artifact<RequirementModel>;
  diagrams: DocumentReference[];
  check?: Artifact<CheckMessage>;
  report?: Artifact;
  specification?: Artifact;
  iterations: number;
}

/** MARE, Fig. 1: elicitation, modeling, verification, specification; an error report leads back to the Collector. */
async function runRequirements(run: Run, input: Input, options: Options): Promise<Output> {
  const context: RequirementsContext = { run, input, options };
  const progress: Progress = { diagrams: [], iterations: 0 };
  try {
    return outcome(progress, await iterate(context, progress));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // The output holds a rejected document when there is no other version.
    if (error.artifact.kind === "requirement_draft") progress.draft ??= error.artifact;
    if (error.artifact.kind === "error_report") progress.report ??= error.artifact;
    return outcome(progress, "rejected_by_human");
  }
}

/** Iterates until the Checker accepts or a limit is reached. Writes to `progress`, between stages only. */
async function iterate(context: RequirementsContext, progress: Progress): Promise<StopReason> {
  const { run, options } = context;
  let workspace = new Workspace();
  for (let iteration = 1; ; iteration++) {
    const elicited = await run.stage(
      "elicitation",
      () => (iteration === 1 ? elicit(context) : improveDraft(context, workspace, iteration)),
      { iteration },
    );
    workspace = workspace.with(...elicited);
    progress.draft = elicited.findLast(({ kind }) => kind === "requirement_draft")!;

    const { model, diagrams } = await run.stage("modeling", () => buildModel(context, workspace, iteration), {
      iteration,
    });
    workspace = workspace.with(model);
    Object.assign(progress, { model, diagrams });

    const check = await run.stage(
      "verification",
      () => perform(run, workspace, checkRequirement, (inbox) => checkRequirementInput(inbox, iteration)),
      { iteration },
    );
    workspace = workspace.with(check);
    const previous = progress.check;
    Object.assign(progress, { check, iterations: iteration });

    const document = await run.stage(
      "specification",
      () =>
        check.content.accepted
          ? perform(run, workspace, writeSrs, (inbox) => writeSrsInput(inbox, options))
          : perform(run, workspace, writeCheckReport, (inbox) => writeCheckReportInput(inbox, iteration)),
      { iteration },
    );
    if (check.content.accepted) {
      progress.specification = document;
      return "accepted";
    }
    workspace = workspace.with(document);
    progress.report = document;
    if (previous && sameSmells(previous.content, check.content)) return "same_smells";
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
  about: ({ idea, title }) => ({ title: title ?? null, excerpt: idea }),
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
