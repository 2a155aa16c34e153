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

/** Pairs a call. */
const BATCH = { batched: 40, per_pair: 1 } as const;
/** How often a pair is asked before it counts as undecided. */
const MAX_ASKINGS = 3;

const BY_MODELER = { role: "modeler" };

/** Modeling (MARE, II-B): entities, then relations, put together to the model M; and the model drawn. */
export async function buildModel(
  assignment: RequirementsContext,
  workspace: Workspace,
  iteration: number,
): Promise<{ model: Artifact<RequirementModel>; diagrams: DocumentReference[] }> {
  const { run, options } = assignment;
  const { model: content, inputs } =
    options.strategy === "single_model"
      ? await inOneCall(assignment, workspace)
      : await stepByStep(assignment, workspace, iteration);
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

/** Entities type by type, then a decision for every pair that the metamodel allows. */
async function stepByStep(assignment: RequirementsContext, workspace: Workspace, iteration: number): Promise<Modeled> {
  const { run, options } = assignment;
  const metamodel = metamodelOf(options);
  const found = await run.parallel(metamodel.entity_types, (type) =>
    perform(run, workspace, extractEntity, (desk) => extractEntityInput(desk, metamodel, type), {
      key: `${iteration}.${type.name}`,
      subject: type.name,
    }),
  );
  const entities = numberEntities(
    metamodel.entity_types.map(({ name }, index) => ({ type: name, entities: found[index]!.content.entities })),
  );
  const { settlement, decisions } = await decidePairs(assignment, workspace.with(...found), entities, iteration);
  return {
    model: mergeModel(aboutModel(assignment, workspace), entities, settlement),
    inputs: [...found, ...decisions],
  };
}

/** Asks for all pairs, then again for those without a usable decision; what stays undecided counts as no relation. */
async function decidePairs(
  { run, options }: RequirementsContext,
  workspace: Workspace,
  entities: Entity[],
  iteration: number,
) {
  const metamodel = metamodelOf(options);
  const settlement: Settlement = { relations: [], none: [], undecided: allowedPairs(entities, metamodel) };
  const decisions: Artifact[] = [];
  for (let asking = 1; asking <= MAX_ASKINGS && settlement.undecided.length > 0; asking++) {
    const asked = batches(settlement.undecided, BATCH[options.relation_calls]);
    const answers = await run.parallel(asked, (pairs, index) =>
      perform(run, workspace, extractRelation, (desk) => extractRelationInput(desk, metamodel, pairs, asking > 1), {
        key: `${iteration}.${asking}.${index + 1}`,
        subject: pairs.length > 1 ? `${pairs[0]!.id} to ${pairs.at(-1)!.id}` : pairs[0]!.id,
      }),
    );
    const settled = asked.map((pairs, index) => settle(pairs, answers[index]!.content.decisions));
    settlement.relations.push(...settled.flatMap(({ relations }) => relations));
    settlement.none.push(...settled.flatMap(({ none }) => none));
    settlement.undecided = settled.flatMap(({ undecided }) => undecided);
    decisions.push(...answers);
  }
  return { settlement, decisions };
}

/** The ablation (MARE, RQ3): one model extracts everything from MARE's own draft. */
async function inOneCall(assignment: RequirementsContext, workspace: Workspace): Promise<Modeled> {
  const { run, options } = assignment;
  const extracted = await perform(run, workspace, extractModel, (desk) =>
    extractModelInput(desk, metamodelOf(options)),
  );
  return { model: mergeExtractedModel(aboutModel(assignment, workspace), extracted.content), inputs: [extracted] };
}

function aboutModel(
  { input, options }: RequirementsContext,
  workspace: Workspace,
): { model_kind: string; title: string } {
  const [draft] = workspace.keep(["requirement_draft"]);
  return { model_kind: options.model_kind, title: titleOf(input, draft!.content as string) };
}
