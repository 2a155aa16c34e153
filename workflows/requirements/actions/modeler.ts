import { defineAction } from "#workflow-kit/action";
import extractEntityPrompt from "../../../prompts/requirements/extract_entity.md";
import extractModelPrompt from "../../../prompts/requirements/extract_model.md";
import extractRelationPrompt from "../../../prompts/requirements/extract_relation.md";
import {
  entitiesSchema,
  extractedModelSchema,
  relationsSchema,
  type Entities,
  type Entity,
  type ExtractedModel,
  type Relations,
} from "../artifacts";
import type { ExtractEntityInput, ExtractModelInput, ExtractRelationInput } from "../inputs";
import type { Pair } from "../rules/pairs";
import { rehearseDecisions, rehearseEntities, rehearseModel } from "../rehearsal/model";
import { faultsOf } from "../rules/requirement-model";
import { IDENTITIES } from "../roles";
import { blanks, improvementValues, line, escapeMaterial } from "./prompt-values";

const role = IDENTITIES.modeler;

export const extractEntity = defineAction<ExtractEntityInput, Entities>({
  name: "extract_entity",
  role: "modeler",
  kind: "entities",
  summary: "Finds all entities of one type of the metamodel in the draft.",
  prompt: extractEntityPrompt,
  output: entitiesSchema,
  variables: ({ draft, types, type, improvement }) => ({
    role,
    draft: escapeMaterial(draft),
    types: types.map(({ name, meaning }) => ({ name, meaning: line(meaning) })),
    ...improvementValues(improvement),
    type: type.name,
    meaning: line(type.meaning),
    examples: type.examples.map(line).join(", "),
  }),
  check: ({ entities }) => blanks(entities.map(({ name }, index) => [`The name of entity ${index + 1}`, name])),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseEntities(input, feedback),
});

export const extractRelation = defineAction<ExtractRelationInput, Relations>({
  name: "extract_relation",
  role: "modeler",
  kind: "relations",
  summary: "Decides for each pair of a batch whether a relation holds, and which.",
  prompt: extractRelationPrompt,
  output: relationsSchema,
  variables: ({ draft, metamodel, pairs, improvement, again }) => ({
    role,
    draft: escapeMaterial(draft),
    relation_types: metamodel.relation_types.map(({ name, meaning }) => ({ name, meaning: line(meaning) })),
    ...improvementValues(improvement),
    entities: entitiesOf(pairs).map(({ id, type, name, description }) => ({
      id,
      type,
      name: line(name),
      description: line(description),
    })),
    groups: groups(pairs),
    again,
  }),
  // Missing and disallowed decisions are no fault of the whole answer: the workflow asks again for those pairs.
  check({ decisions }, { pairs }) {
    if (decisions.some((decision) => pairs.some((pair) => pair.id === decision.pair.trim()))) return [];
    return [`No decision names one of the pairs. Pairs are: ${pairs.map(({ id }) => id).join(", ")}.`];
  },
  outcomes: ["complete", "undecided_pair", "undecided_once"],
  rehearse: (input, outcome, feedback) => rehearseDecisions(input, outcome, feedback),
});

export const extractModel = defineAction<ExtractModelInput, ExtractedModel>({
  name: "extract_model",
  role: "modeler",
  kind: "extracted_model",
  summary: "Extracts the whole model in one call: the ablation `single_model`.",
  prompt: extractModelPrompt,
  output: extractedModelSchema,
  variables: ({ draft, metamodel, improvement }) => ({
    role,
    draft: escapeMaterial(draft),
    entity_types: metamodel.entity_types.map(({ name, meaning, examples }) => ({
      name,
      meaning: line(meaning),
      examples: examples.map(line).join(", "),
    })),
    relation_types: metamodel.relation_types.map(({ name, meaning, from, to, same_type }) => ({
      name,
      meaning: line(meaning),
      from: from.join(" or "),
      to: same_type ? "the same type" : to.join(" or "),
    })),
    ...improvementValues(improvement),
  }),
  check: (model, { metamodel }) => faultsOf(model, metamodel),
  outcomes: ["ok"],
  rehearse: (input, _outcome, feedback) => rehearseModel(input, feedback),
});

/** The entities of the pairs, each once, e2 before e10. */
function entitiesOf(pairs: readonly Pair[]): Entity[] {
  const byId = new Map(pairs.flatMap(({ a, b }) => [a, b]).map((entity) => [entity.id, entity]));
  return [...byId.values()].sort((a, b) => a.id.localeCompare(b.id, "en", { numeric: true }));
}

/** Groups pairs by their choices, so that the prompt names each choice once. */
function groups(pairs: readonly Pair[]) {
  const byChoices = new Map<string, { id: string; a: string; b: string }[]>();
  for (const pair of pairs) {
    const choices = describeChoices(pair);
    const shown = { id: pair.id, a: idAndName(pair.a), b: idAndName(pair.b) };
    byChoices.set(choices, [...(byChoices.get(choices) ?? []), shown]);
  }
  return [...byChoices].map(([choices, members]) => ({ choices, pairs: members }));
}

const idAndName = ({ id, name }: Entity): string => `${id} ${line(name)}`;

/** "`association` from the actor, `include` from either" */
function describeChoices({ a, b, choices }: Pair): string {
  const words = new Map<string, string>();
  for (const { type, from } of choices) {
    const start = from === a.id ? a.type : b.type;
    words.set(type, words.has(type) || a.type === b.type ? `\`${type}\` from either` : `\`${type}\` from the ${start}`);
  }
  return [...words.values()].join(", ");
}
