import { defineAction } from "#workflow-kit/action";
import extractEntityPrompt from "../../../prompts/requirements/extract_entity.md";
import extractModelPrompt from "../../../prompts/requirements/extract_model.md";
import extractRelationPrompt from "../../../prompts/requirements/extract_relation.md";
import paperExtractEntityPrompt from "../../../prompts/requirements/paper/extract_entity.md";
import paperExtractRelationPrompt from "../../../prompts/requirements/paper/extract_relation.md";
import listRelationsPrompt from "../../../prompts/requirements/list_relations.md";
import {
  entitiesSchema,
  extractedModelSchema,
  relationListSchema,
  relationsSchema,
  type Entities,
  type Entity,
  type ExtractedModel,
  type RelationList,
  type Relations,
} from "../artifacts";
import type { ExtractEntityInput, ExtractModelInput, ExtractRelationInput, ListRelationsInput } from "../inputs";
import { modelText } from "../rules/draft-lines";
import type { Pair } from "../rules/pairs";
import { mockDecisions, mockEntities, mockModel, mockRelationList } from "../mock/model";
import { entityErrors, errorsOf, relationFaults } from "../rules/requirement-model";
import { IDENTITIES } from "../roles";
import {
  block,
  entityTypeValues,
  escapeUntrusted,
  ideaValues,
  improvementValues,
  line,
  metamodelValues,
  relationTypeValues,
} from "./prompt-values";

const role = IDENTITIES.modeler;

export const extractEntity = defineAction<ExtractEntityInput, Entities>({
  name: "extract_entity",
  role: "modeler",
  kind: "entities",
  summary: "Finds the entities of the metamodel's types; in an improvement those that are new, changed or gone.",
  prompt: extractEntityPrompt,
  output: entitiesSchema,
  variables: ({ idea, draft, types, wanted, improvement }) => ({
    role,
    ...ideaValues(idea),
    draft: !improvement && escapeUntrusted(modelText(draft)),
    wanted: entityTypeValues(wanted),
    others: types
      .filter((type) => !wanted.includes(type))
      .map(({ name }) => name)
      .join(", "),
    improving: improvement && {
      previous: improvement.previous.map(line),
      changes: (improvement.changes.removed.length > 0 || improvement.changes.added.length > 0) && {
        removed: improvement.changes.removed.map(line),
        added: improvement.changes.added.map(line),
      },
      findings: block(improvement.findings),
    },
  }),
  check: (found, { wanted }) => entityErrors(found, wanted),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockEntities(input, feedback),
  paper: {
    prompt: paperExtractEntityPrompt,
    variables: ({ draft, wanted }) => ({ role, draft: escapeUntrusted(draft), wanted: entityTypeValues(wanted) }),
  },
});

export const listRelations = defineAction<ListRelationsInput, RelationList>({
  name: "list_relations",
  role: "modeler",
  kind: "relations",
  summary: "Lists the relations that hold between the entities; every other pair has none.",
  prompt: listRelationsPrompt,
  output: relationListSchema,
  variables: ({ idea, draft, metamodel, entities, open, settled, dropped, findings }) => ({
    role,
    ...ideaValues(idea),
    draft: escapeUntrusted(modelText(draft)),
    relation_types: relationTypeValues(metamodel),
    entities: entities.map(({ id, type, name }) => ({ id, type, name: line(name) })),
    open: open && open.map(idAndName).join(", "),
    settled: block(settled),
    dropped: block(dropped),
    findings: block(findings),
  }),
  check: ({ relations }, { entities, metamodel }) => relationFaults(relations, entities, metamodel),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockRelationList(input, feedback),
});

export const extractRelation = defineAction<ExtractRelationInput, Relations>({
  name: "extract_relation",
  role: "modeler",
  kind: "relations",
  summary: "Decides for each pair of a batch whether a relation holds, and which.",
  prompt: extractRelationPrompt,
  output: relationsSchema,
  variables: ({ idea, draft, metamodel, pairs, improvement, again }) => ({
    role,
    ...ideaValues(idea),
    draft: escapeUntrusted(draft),
    relation_types: metamodelValues(metamodel).relation_types,
    ...improvementValues(improvement),
    ...pairsValues(pairs),
    again,
  }),
  // Missing and disallowed decisions are no error of the whole answer: the workflow asks again for those pairs.
  check({ decisions }, { pairs }) {
    if (decisions.some((decision) => pairs.some((pair) => pair.id === decision.pair.trim()))) return [];
    return [`No decision names one of the pairs. Pairs are: ${pairs.map(({ id }) => id).join(", ")}.`];
  },
  outcomes: ["complete", "undecided_pair", "undecided_once"],
  mock: (input, outcome, feedback) => mockDecisions(input, outcome, feedback),
  paper: {
    prompt: paperExtractRelationPrompt,
    variables: ({ draft, metamodel, pairs }) => ({
      role,
      draft: escapeUntrusted(draft),
      relation_types: metamodelValues(metamodel).relation_types,
      ...pairsValues(pairs),
    }),
  },
});

export const extractModel = defineAction<ExtractModelInput, ExtractedModel>({
  name: "extract_model",
  role: "modeler",
  kind: "extracted_model",
  summary: "Extracts the whole model in one call: the ablation `single_model`.",
  prompt: extractModelPrompt,
  output: extractedModelSchema,
  variables: ({ idea, draft, metamodel, improvement }) => ({
    role,
    ...ideaValues(idea),
    draft: escapeUntrusted(draft),
    entity_types: entityTypeValues(metamodel.entity_types),
    relation_types: relationTypeValues(metamodel),
    ...improvementValues(improvement),
  }),
  check: (model, { metamodel }) => errorsOf(model, metamodel),
  outcomes: ["ok"],
  mock: (input, _outcome, feedback) => mockModel(input, feedback),
});

/** Entities with the ids by which pairs and relations name them. */
const entitiesValues = (entities: readonly Entity[]) =>
  entities.map(({ id, type, name, description }) => ({ id, type, name: line(name), description: line(description) }));

const pairsValues = (pairs: readonly Pair[]) => ({
  entities: entitiesValues(entitiesOf(pairs)),
  groups: groups(pairs),
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
