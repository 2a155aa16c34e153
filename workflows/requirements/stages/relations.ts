import type { Artifact } from "#workflow-kit/artifact";
import { extractRelation, listRelations } from "../actions";
import type { Entity, Relation, RequirementModel } from "../artifacts";
import type { Context } from "../context";
import { extractRelationInput, listRelationsInput, type ListRelationsInput } from "../inputs";
import { metamodelOf } from "../rules/metamodels";
import { allowedPairs, batches, resolvePairs, type PairResolution } from "../rules/pairs";
import { describeRelations, mergeListedModel, mergeModel, type ModelHeader } from "../rules/requirement-model";
import type { Workspace } from "../rules/workspace";

/** Entities whose relations one call lists: with more, the list might be cut. */
const ENTITIES_PER_CALL = 80;
/** Pairs of entities in one call. */
const PAIRS_PER_CALL = { batched: 40, per_pair: 1 } as const;
/** How often a pair is asked before it counts as undecided. */
const MAX_ROUNDS = 3;

/** What the calls of one iteration work with. */
interface Step {
  context: Context;
  workspace: Workspace;
  iteration: number;
  header: ModelHeader;
}

interface Related {
  model: RequirementModel;
  answers: Artifact[];
}

/** Lists the relations between all entities. */
export async function listAll(step: Step, entities: Entity[]): Promise<Related> {
  const parts = batches(entities, ENTITIES_PER_CALL);
  const scopes = parts.map((open) => ({ open: parts.length > 1 ? open : null, settled: [], dropped: [] }));
  return merged(step, entities, [], entities.length > 1 ? scopes : []);
}

/**
 * Lists the relations of the open entities anew; relations between the others stay.
 * @param earlier the model of the iteration before, with the same ids of entities
 */
export async function listChanged(
  step: Step,
  entities: Entity[],
  open: readonly Entity[],
  earlier: RequirementModel,
): Promise<Related> {
  const known = new Set(entities.map(({ id }) => id));
  const opened = new Set(open.map(({ id }) => id));
  const kept = earlier.relations.filter(({ from, to }) => known.has(from) && known.has(to));
  const isOpen = ({ from, to }: Relation) => opened.has(from) || opened.has(to);
  const settled = kept.filter((relation) => !isOpen(relation));
  const described = (relations: Relation[]) => describeRelations({ ...earlier, entities, relations });
  const scope = { settled: described(settled), dropped: described(kept.filter(isOpen)) };
  const parts = batches(open, ENTITIES_PER_CALL);
  const isAll = parts.length === 1 && open.length === entities.length;
  const scopes = parts.map((part) => ({ ...scope, open: isAll ? null : part }));
  return merged(step, entities, settled, scopes);
}

async function merged(
  { context, workspace, iteration, header }: Step,
  entities: Entity[],
  settled: readonly Relation[],
  scopes: readonly Pick<ListRelationsInput, "open" | "settled" | "dropped">[],
): Promise<Related> {
  const metamodel = metamodelOf(context.options);
  const answers = await context.run.parallel(scopes, (scope, index) =>
    context.perform(workspace, listRelations, (inbox) => listRelationsInput(inbox, metamodel, entities, scope), {
      key: scopes.length > 1 ? `${iteration}.${index + 1}` : `${iteration}`,
      subject: scopes.length > 1 ? `part ${index + 1}` : "",
    }),
  );
  const listed = answers.flatMap(({ content }) => content.relations);
  return { model: mergeListedModel(header, entities, [...settled, ...listed], metamodel), answers };
}

/** Asks for a decision on all pairs, then again on pairs without a usable decision. A pair that stays undecided has no relation. */
export async function decidePairs(
  { context, workspace, iteration, header }: Step,
  entities: Entity[],
): Promise<Related> {
  const { run, options } = context;
  const resolution: PairResolution = {
    relations: [],
    none: [],
    undecided: allowedPairs(entities, metamodelOf(options)),
  };
  const size = PAIRS_PER_CALL[options.relation_calls === "per_pair" ? "per_pair" : "batched"];
  const decisions: Artifact[] = [];
  for (let round = 1; round <= MAX_ROUNDS && resolution.undecided.length > 0; round++) {
    const calls = batches(resolution.undecided, size);
    const answers = await run.parallel(calls, (pairs, index) =>
      context.perform(workspace, extractRelation, (inbox) => extractRelationInput(inbox, options, pairs, round > 1), {
        key: `${iteration}.${round}.${index + 1}`,
        subject: pairs.length > 1 ? `${pairs[0]!.id} to ${pairs.at(-1)!.id}` : pairs[0]!.id,
      }),
    );
    const settled = calls.map((pairs, index) => resolvePairs(pairs, answers[index]!.content.decisions));
    resolution.relations.push(...settled.flatMap(({ relations }) => relations));
    resolution.none.push(...settled.flatMap(({ none }) => none));
    resolution.undecided = settled.flatMap(({ undecided }) => undecided);
    decisions.push(...answers);
  }
  return { model: mergeModel(header, entities, resolution), answers: decisions };
}
