import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { extractEntity, extractModel, extractRelation } from "../actions";
import type { Entity, RequirementModel } from "../artifacts";
import { diagramOf, toMermaid, toPlantuml, toSvg } from "../reports/diagrams";
import { extractEntityInput, extractModelInput, extractRelationInput } from "../inputs";
import { metamodelOf } from "../rules/metamodels";
import { allowedPairs, batches, settle, type Settlement } from "../rules/pairs";
import { mergeExtractedModel, mergeModel, numberEntities, titleOf } from "../rules/requirement-model";
import { perform, publish, type RequirementsContext } from "../context";
import type { Workspace } from "../rules/workspace";

/** Pairs of entities in one call. */
const PAIRS_PER_CALL = { batched: 40, per_pair: 1 } as const;
/** How often a pair is asked before it counts as undecided. */
const MAX_ROUNDS = 3;

const BY_MODELER = { role: "modeler" };

/** Modeling (MARE, II-B): entities and relations are extracted and merged into the model M, which is then drawn. */
export async function buildModel(
  context: RequirementsContext,
  workspace: Workspace,
  iteration: number,
): Promise<{ model: Artifact<RequirementModel>; diagrams: DocumentReference[] }> {
  const { run, options } = context;
  const { model: content, inputs } =
    options.strategy === "single_model"
      ? await inOneCall(context, workspace)
      : await stepByStep(context, workspace, iteration);
  const model = await publish(run, "requirement_model", content, { ...BY_MODELER, action: "merge_model", inputs });

  const diagram = diagramOf(model.content);
  const drawing = { ...BY_MODELER, action: "draw_diagram", inputs: [model] };
  const drawings = [
    { kind: "diagram_mermaid", text: toMermaid(diagram), mediaType: "text/vnd.mermaid" },
    { kind: "diagram_plantuml", text: toPlantuml(diagram), mediaType: "text/x-plantuml" },
    { kind: "diagram_svg", text: toSvg(diagram), mediaType: "image/svg+xml" },
  ] as const;
  const diagrams = await run.parallel(drawings, ({ kind, text, mediaType }) =>
    publish(run, kind, text, { ...drawing, mediaType }),
  );
  return { model, diagrams: diagrams.map((drawn) => reference(drawn)!) };
}

interface Modeled {
  model: RequirementModel;
  inputs: Artifact[];
}

/** Extracts the entities type by type, then a decision on every pair that the metamodel allows. */
async function stepByStep(context: RequirementsContext, workspace: Workspace, iteration: number): Promise<Modeled> {
  const { run, options } = context;
  const metamodel = metamodelOf(options);
  const extracted = await run.parallel(metamodel.entity_types, (type) =>
    perform(run, workspace, extractEntity, (inbox) => extractEntityInput(inbox, metamodel, type), {
      key: `${iteration}.${type.name}`,
      subject: type.name,
    }),
  );
  const entities = numberEntities(
    metamodel.entity_types.map(({ name }, index) => ({ type: name, entities: extracted[index]!.content.entities })),
  );
  const { settlement, decisions } = await decidePairs(context, workspace.with(...extracted), entities, iteration);
  return {
    model: mergeModel(modelHeader(context, workspace), entities, settlement),
    inputs: [...extracted, ...decisions],
  };
}

/** Asks for a decision on all pairs, then again on pairs without a usable decision. A pair that stays undecided has no relation. */
async function decidePairs(
  { run, options }: RequirementsContext,
  workspace: Workspace,
  entities: Entity[],
  iteration: number,
) {
  const metamodel = metamodelOf(options);
  const settlement: Settlement = { relations: [], none: [], undecided: allowedPairs(entities, metamodel) };
  const decisions: Artifact[] = [];
  for (let round = 1; round <= MAX_ROUNDS && settlement.undecided.length > 0; round++) {
    const calls = batches(settlement.undecided, PAIRS_PER_CALL[options.relation_calls]);
    const answers = await run.parallel(calls, (pairs, index) =>
      perform(run, workspace, extractRelation, (inbox) => extractRelationInput(inbox, metamodel, pairs, round > 1), {
        key: `${iteration}.${round}.${index + 1}`,
        subject: pairs.length > 1 ? `${pairs[0]!.id} to ${pairs.at(-1)!.id}` : pairs[0]!.id,
      }),
    );
    const settled = calls.map((pairs, index) => settle(pairs, answers[index]!.content.decisions));
    settlement.relations.push(...settled.flatMap(({ relations }) => relations));
    settlement.none.push(...settled.flatMap(({ none }) => none));
    settlement.undecided = settled.flatMap(({ undecided }) => undecided);
    decisions.push(...answers);
  }
  return { settlement, decisions };
}

/** The ablation (MARE, RQ3): one model extracts everything from MARE's own draft. */
async function inOneCall(context: RequirementsContext, workspace: Workspace): Promise<Modeled> {
  const { run, options } = context;
  const extracted = await perform(run, workspace, extractModel, (inbox) =>
    extractModelInput(inbox, metamodelOf(options)),
  );
  return { model: mergeExtractedModel(modelHeader(context, workspace), extracted.content), inputs: [extracted] };
}

function modelHeader(
  { input, options }: RequirementsContext,
  workspace: Workspace,
): { model_kind: string; title: string } {
  const [draft] = workspace.newest(["requirement_draft"]);
  return { model_kind: options.model_kind, title: titleOf(input, draft!.content as string) };
}
