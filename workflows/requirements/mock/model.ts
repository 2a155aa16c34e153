import type { Feedback } from "#workflow-kit/action";
import { capitalized, clip, quoted } from "#workflow-kit/text";
import type { Entities, Entity, ExtractedModel, Relation, RelationList, Relations } from "../artifacts";
import type { ExtractEntityInput, ExtractModelInput, ExtractRelationInput, ListRelationsInput } from "../inputs";
import { idLines } from "../rules/draft-lines";
import type { EntityType } from "../rules/metamodel";
import { NO_RELATION, UNDECIDED } from "../rules/metamodels";
import { allowedPairs, type Pair } from "../rules/pairs";
import { numberEntities } from "../rules/requirement-model";
import { shareWords, understand, type Concept } from "./concept";

/** The word or two after a verb. */
const OBJECT = /^\S+ (?:(?:an?|the|their) )?(?!this)(\p{L}{4,}(?: \p{L}{4,})?)/u;

const functions = ({ features }: Concept) => features.map(({ does }) => does);

/** The names of a type's entities, by a pattern of the type's name. The first matching pattern counts. */
const NAMES: readonly (readonly [RegExp, (concept: Concept) => readonly string[]])[] = [
  [/use.?case|function|feature|process|service|story|task|action|operation/iu, functions],
  [/actor|user|role|stakeholder|person|people|party|environment/iu, ({ actors }) => actors],
  [/machine|agent|system|component/iu, ({ name }) => [`${name} software`]],
  [/device|sensor|actuator|hardware/iu, () => ["display", "input device"]],
  [/phenomen|event|signal|state/iu, (concept) => functions(concept).map((one) => `signal: ${one}`)],
  [/requirement|rule|need|goal|objective/iu, (concept) => functions(concept).map((one) => `possible: ${one}`)],
  [/quality|attribute/iu, () => ["quick answers", "privacy of entries"]],
  [/./u, (all) => [...functions(all).flatMap((one) => OBJECT.exec(one)?.slice(1) ?? []), all.name]],
];

const asName = (text: string): string => capitalized(clip(text, 100));

/** The entities of all types; a name that has one type already has no other. */
function entitiesIn(draft: string, types: readonly EntityType[]): Entities["entities"] {
  const concept = understand(draft);
  const requirements = idLines(draft).filter(({ id }) => id.startsWith("R"));
  const entities = types.flatMap((type) => {
    const names = NAMES.find(([pattern]) => pattern.test(type.name))![1];
    const description = `Named in the draft of "${concept.name}" as ${type.name.replaceAll("_", " ")}`;
    return [...names(concept)].slice(0, 12).map((text) => {
      const naming = requirements.filter((line) => line.text.includes(` ${text}`)).map(({ id }) => id);
      return { name: asName(text), type: type.name, requirements: naming, description };
    });
  });
  return entities.filter(({ name }, index) => entities.findIndex((other) => other.name === name) === index);
}

/** The text of an entity shows that a remark was heard. */
const remarked = <T extends { description: string }>(entities: readonly T[], feedback: Feedback): T[] =>
  entities.map((one) => ({ ...one, description: `${one.description}; remarked: ${quoted(feedback.comment, 100)}` }));

export function mockEntities({ draft, wanted, improvement }: ExtractEntityInput, feedback?: Feedback): Entities {
  const entities = entitiesIn(draft, wanted);
  if (feedback) return { entities: remarked(entities, feedback), removed: [] };
  const known = (improvement?.previous ?? []).map((row) => `${row.split(")")[0]})`);
  return { entities: entities.filter(({ name, type }) => !known.includes(`${name} (${type})`)), removed: [] };
}

/** Relations of which the mock model never is sure. */
const NEVER = /^(?:include|extend|generalization|is_a|plays|refinement_or|contribution)$/u;

/** Whether an actor takes part in a use case, the machine shares a phenomenon, or two entities share words. */
function holds(type: string, from: Entity, to: Entity, { features, actors }: Concept): boolean {
  if (type === "association") {
    const feature = features.find(({ does }) => asName(does) === to.name);
    return asName(feature?.actor ?? actors[0]!) === from.name;
  }
  return !NEVER.test(type) && (to.type === "machine_domain" || shareWords(from.name, to.name));
}

const relationOf = ({ a, b, choices }: Pair, concept: Concept): Relation | undefined =>
  choices.find(({ type, from }) => (from === a.id ? holds(type, a, b, concept) : holds(type, b, a, concept)));

export function mockRelationList(
  { draft, entities, metamodel, open }: ListRelationsInput,
  feedback?: Feedback,
): RelationList {
  const concept = understand(draft);
  const isOpen = ({ id }: Entity) => !open || open.some((entity) => entity.id === id);
  const pairs = allowedPairs(entities, metamodel).filter(({ a, b }) => isOpen(a) || isOpen(b));
  const found = pairs.map((pair) => ({ pair, relation: relationOf(pair, concept) }));
  // A relation has no text of its own to show that a remark was heard, so the first pair changes.
  const [first] = found;
  if (feedback && first) first.relation = first.relation ? undefined : first.pair.choices[0];
  return {
    relations: found.flatMap(({ pair: { a, b }, relation }) =>
      relation ? [{ because: `${quoted(a.name, 40)} and ${quoted(b.name, 40)}`, ...relation }] : [],
    ),
  };
}

/** @param outcome `undecided_pair` gives no usable decision on the last pair each time it is asked, `undecided_once` the first time */
export function mockDecisions(
  { draft, pairs, again }: ExtractRelationInput,
  outcome: string,
  feedback?: Feedback,
): Relations {
  const concept = understand(draft);
  const decisions = pairs.map((pair, index) => {
    const isLast = index === pairs.length - 1;
    if (isLast && (outcome === "undecided_pair" || (outcome === "undecided_once" && !again)))
      return { pair: pair.id, relation: UNDECIDED, from: null };
    const found = relationOf(pair, concept);
    // A decision has no text to show that a remark was heard, so the last decision is reversed.
    const relation = !(isLast && feedback) ? found : found ? undefined : pair.choices[0];
    return { pair: pair.id, relation: relation?.type ?? NO_RELATION, from: relation?.from ?? null };
  });
  return { decisions };
}

export function mockModel({ draft, metamodel }: ExtractModelInput, feedback?: Feedback): ExtractedModel {
  const concept = understand(draft);
  const entities = numberEntities(entitiesIn(draft, metamodel.entity_types)).map(({ requirements: _, ...one }) => one);
  const relations = allowedPairs(entities, metamodel).flatMap((pair) => relationOf(pair, concept) ?? []);
  return { entities: feedback ? remarked(entities, feedback) : entities, relations };
}
