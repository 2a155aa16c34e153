import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { ReviewRejectedError } from "#workflow-kit/rejected";
import { reference } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions, checkRequirement } from "./actions";
import { REVIEW_KINDS, KINDS, type CheckMessage, type RequirementModel } from "./artifacts";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  PAPER_OPTIONS,
  type Input,
  type Options,
  type Output,
  type StopReason,
} from "./contract";
import { checkRequirementInput } from "./inputs";
import { blocks } from "./rules/acceptance";
import { modelErrors } from "./rules/metamodels";
import { sameSmells } from "./rules/requirement-model";
import { PRESENTERS } from "./reports/presenters";
import { roles } from "./roles";
import { elicit, improveDraft } from "./stages/elicitation";
import { buildModel } from "./stages/modeling";
import { writeDocuments } from "./stages/specification";
import { Context } from "./context";
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
async function runRequirements(context: Context): Promise<Output> {
  const progress: Progress = { diagrams: [], iterations: 0 };
  try {
    return outcome(progress, await iterate(context, progress));
  } catch (error) {
    if (!(error instanceof ReviewRejectedError)) throw error;
    // The output holds a rejected document when there is no other version.
    if (error.artifact.kind === "requirement_draft") progress.draft ??= error.artifact;
    if (error.artifact.kind === "error_report") progress.report ??= error.artifact;
    return outcome(progress, "rejected_by_human");
  }
}

/** Iterates until the Checker accepts or a limit is reached. Writes to `progress`, between stages only. */
async function iterate(context: Context, progress: Progress): Promise<StopReason> {
  const { run, options } = context;
  let workspace = new Workspace();
  for (let iteration = 1; ; iteration++) {
    const elicited = await run.stage(
      "elicitation",
      () => (iteration === 1 ? elicit(context) : improveDraft(context, workspace, iteration)),
      { iteration },
    );
    workspace = workspace.with(...elicited);
    const before = progress.draft;
    progress.draft = elicited.findLast(({ kind }) => kind === "requirement_draft")!;

    const { model, diagrams } = await run.stage("modeling", () => buildModel(context, workspace, iteration, before), {
      iteration,
    });
    workspace = workspace.with(model);
    Object.assign(progress, { model, diagrams });

    const check = await run.stage(
      "verification",
      () =>
        context.perform(workspace, checkRequirement, (inbox) =>
          checkRequirementInput(inbox, iteration, context, before && String(before.content)),
        ),
      { iteration },
    );
    workspace = workspace.with(check);
    const stop_reason = stopReason(options, iteration, progress.check, check);
    Object.assign(progress, { check, iterations: iteration });

    const { report, specification } = await run.stage(
      "specification",
      () => writeDocuments(context, workspace, iteration, stop_reason !== null),
      { iteration },
    );
    Object.assign(progress, { report, specification });
    if (stop_reason) return stop_reason;
    workspace = workspace.with(report!);
  }
}

/** Why the loop ends after this check; null: it continues. */
function stopReason(
  options: Options,
  iteration: number,
  before: Artifact<CheckMessage> | undefined,
  check: Artifact<CheckMessage>,
): StopReason | null {
  if (check.content.accepted) return "accepted";
  if (before && sameSmells(before.content, check.content, (severity) => blocks(severity, options)))
    return "same_smells";
  return iteration === options.max_iterations ? "max_iterations" : null;
}

function outcome(
  { draft, model, diagrams, report, specification, iterations }: Progress,
  stop_reason: StopReason,
): Output {
  const accepted = stop_reason === "accepted";
  return {
    accepted,
    document: reference(specification) ?? reference(draft),
    specification: reference(specification),
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
  review_kinds: REVIEW_KINDS,
  presenters: PRESENTERS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  paper_options: PAPER_OPTIONS,
  check: ({ input, options }) => modelErrors(input.model, options),
  about: ({ idea, title }) => ({ title: title ?? null, excerpt: idea }),
  asks: ({ human_stakeholder }) => (human_stakeholder ? ["requirement_question"] : []),
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
  outcomes: { many: { check_requirement: "reject" } },
  run: (run, input, options) => runRequirements(new Context(run, input, options)),
});
