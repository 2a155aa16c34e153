import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { extractEntity, extractModel } from "../actions";
import type { Entities, RequirementModel } from "../artifacts";
import type { Context } from "../context";
import { extractEntityInput, extractModelInput } from "../inputs";
import { diagramOf, toMermaid, toPlantuml, toSvg } from "../reports/diagrams";
import type { LineChanges } from "../rules/draft-lines";
import { metamodelOf } from "../rules/metamodels";
import { batches } from "../rules/pairs";
import {
  improveEntities,
  mergeExtractedModel,
  numberEntities,
  oncePerName,
  titleOf,
  type ModelHeader,
} from "../rules/requirement-model";
import type { Workspace } from "../rules/workspace";
import { decidePairs, listAll, listChanged } from "./relations";
import { modelBasis } from "../rules/model-basis";

/** Entity types in one call: with more, the list might be cut. */
const TYPES_PER_CALL = 6;

const BY_MODELER = { role: "modeler" };

/**
 * Modeling (MARE, II-B): entities and relations are extracted and merged into the model M, which is drawn while the run continues.
 * @param before the draft of the iteration before; undefined in the first
 */
export async function buildModel(
  context: Context,
  workspace: Workspace,
  iteration: number,
  before?: Artifact,
): Promise<{ model: Artifact<RequirementModel>; diagrams: DocumentReference[] }> {
  const { run } = context;
  const { model: content, inputs } = await modelOf(context, workspace, iteration, before);
  const model = await context.publish("requirement_model", content, { ...BY_MODELER, action: "merge_model", inputs });

  const drawing = { ...BY_MODELER, action: "draw_diagram", inputs: [model] };
  const diagrams = DRAWINGS.map(({ kind, mediaType, draw }) =>
    run.recordLater({ ...drawing, kind, mediaType }, () => draw(diagramOf(model.content))),
  );
  return { model, diagrams };
}

const DRAWINGS = [
  { kind: "diagram_mermaid", mediaType: "text/vnd.mermaid", draw: toMermaid },
  { kind: "diagram_plantuml", mediaType: "text/x-plantuml", draw: toPlantuml },
  { kind: "diagram_svg", mediaType: "image/svg+xml", draw: toSvg },
] as const;

interface Modeled {
  model: RequirementModel;
  inputs: readonly Artifact[];
}

function modelOf(
  context: Context,
  workspace: Workspace,
  iteration: number,
  before: Artifact | undefined,
): Promise<Modeled> {
  const { input, options } = context;
  if (iteration === 1 && input.model) return givenModel(context, workspace);
  if (options.strategy === "single_model") return inOneCall(context, workspace);
  if (options.profile === "paper" || !before) return afresh(context, workspace, iteration);
  return improved(context, workspace, iteration, before);
}

/** The model of the request, in place of one that the Modeler extracts. */
async function givenModel({ input, options }: Context, workspace: Workspace): Promise<Modeled> {
  const { entities, relations } = input.model!;
  const named = entities.map(({ name, ...entity }) => ({ ...entity, id: name, name }));
  const draft = workspace.newest(["requirement_draft"]);
  return {
    model: mergeExtractedModel(header({ input, options }, workspace), { entities: named, relations }),
    inputs: draft,
  };
}

/** Extracts the entities from the whole draft, then the relations between them. */
async function afresh(context: Context, workspace: Workspace, iteration: number): Promise<Modeled> {
  const extracted = await extractEntities(context, workspace, iteration, null);
  const found = extracted.flatMap(({ content }) => content.entities);
  // The paper's calls, one for each type, are not reconciled.
  const entities = numberEntities(context.options.profile === "paper" ? found : oncePerName(found));
  const step = { context, workspace: workspace.with(...extracted), iteration, header: header(context, workspace) };
  const { model, answers } =
    context.options.relation_calls === "listed" ? await listAll(step, entities) : await decidePairs(step, entities);
  return { model, inputs: [...extracted, ...answers] };
}

/** Keeps the decisions of the earlier model of which the basis did not change, and asks anew for the others. */
async function improved(context: Context, workspace: Workspace, iteration: number, before: Artifact): Promise<Modeled> {
  const [earlier] = workspace.newest(["requirement_model"]) as [Artifact<RequirementModel>];
  const basis = modelBasis(workspace, String(before.content));
  if (!basis.isChanged) return { model: earlier.content, inputs: [earlier] };

  const extracted = await extractEntities(context, workspace, iteration, basis.changes);
  const found: Entities = {
    entities: oncePerName(extracted.flatMap(({ content }) => content.entities)),
    removed: extracted.flatMap(({ content }) => content.removed),
  };
  const { entities, changed } = improveEntities(earlier.content.entities, found);
  const step = { context, workspace: workspace.with(...extracted), iteration, header: header(context, workspace) };
  const { model, answers } =
    context.options.relation_calls === "listed"
      ? await listChanged(step, entities, basis.concerned(entities, changed), earlier.content)
      : await decidePairs(step, entities);
  return { model, inputs: [earlier, ...extracted, ...answers] };
}

/** Under `profile: paper` there is one call for each type. */
function extractEntities(
  context: Context,
  workspace: Workspace,
  iteration: number,
  changes: LineChanges | null,
): Promise<Artifact<Entities>[]> {
  const { run, options } = context;
  const metamodel = metamodelOf(options);
  const calls = batches(metamodel.entity_types, options.profile === "paper" ? 1 : TYPES_PER_CALL);
  return run.parallel(calls, (wanted) =>
    context.perform(workspace, extractEntity, (inbox) => extractEntityInput(inbox, metamodel, wanted, changes), {
      key: calls.length > 1 ? `${iteration}.${wanted[0]!.name}` : `${iteration}`,
      subject: wanted.map(({ name }) => name).join(", "),
    }),
  );
}

/** The ablation (MARE, RQ3): one model extracts everything from MARE's own draft. */
async function inOneCall(context: Context, workspace: Workspace): Promise<Modeled> {
  const extracted = await context.perform(workspace, extractModel, (inbox) =>
    extractModelInput(inbox, context.options),
  );
  return { model: mergeExtractedModel(header(context, workspace), extracted.content), inputs: [extracted] };
}

function header({ input, options }: Pick<Context, "input" | "options">, workspace: Workspace): ModelHeader {
  const [draft] = workspace.newest(["requirement_draft"]);
  return { model_kind: options.model_kind, title: titleOf(input, draft!.content as string) };
}
