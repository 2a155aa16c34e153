import type { Feedback } from "#workflow-kit/action";
import type { Entities, Entity, ExtractedModel, Relation, RelationList, Relations } from "../artifacts";
import type { ExtractEntityInput, ExtractModelInput, ExtractRelationInput, ListRelationsInput } from "../inputs";
import { idLines, letterOf } from "../rules/draft-lines";
import { NO_RELATION, UNDECIDED } from "../rules/metamodels";
import { allowedPairs, type Pair } from "../rules/pairs";
import { numberEntities } from "../rules/requirement-model";
import { understand, type Concept } from "./concept";
import { shareWords } from "./text";
import { capitalized, clip, listed, quoted } from "#workflow-kit/text";
import type { EntityType } from "../rules/metamodel";
import type { Feature } from "./feature";

/** The source of a type's entities, by a pattern of the type's name. The first matching pattern counts. */
const SOURCES: readonly (readonly [RegExp, (concept: Concept) => readonly string[]])[] = [
  [
    /use.?case|function|feature|activit|process|service|capabilit|story/iu,
    ({ features }) => features.map(({ does }) => does),
  ],
  [/actor|user|role|stakeholder|person|people|party/iu, ({ actors }) => actors],
  [/machine/iu, ({ name }) => [machine(name)]],
  [
    /device|sensor|actuator|hardware|physical/iu,
    ({ devices }) => (devices.length > 0 ? devices : ["display", "input device"]),
  ],
  [/environment|surrounding/iu, ({ actors }) => actors],
  [/design/iu, ({ things }) => [`records of ${things[0] ?? "requests"}`]],
  [/phenomen|event|signal|state/iu, ({ features }) => features.slice(0, 6).map(phenomenon)],
  [
    /requirement|rule|constraint|need/iu,
    ({ features, actors }) => features.slice(0, 4).map((feature) => condition(feature, actors)),
  ],
  [/goal|objective/iu, ({ features, actors }) => features.slice(0, 4).map((feature) => condition(feature, actors))],
  [/task|action|step|operation/iu, ({ features }) => features.map(({ does }) => does)],
  [/quality|attribute/iu, () => ["quick answers", "privacy of entries", "easy first use"]],
  [/agent|system|component/iu, ({ name }) => [machine(name)]],
];

const machine = (name: string): string =>
  /system|software|controller|app|stat\b/iu.test(name) ? name : `${name} software`;

const phenomenon = ({ actor, does, statement }: Feature): string =>
  clip(statement ? does : actor ? `request to ${does}` : `signal to ${does}`, 60);

function condition({ actor, does, statement }: Feature, actors: readonly string[]): string {
  if (statement) return clip(does, 80);
  return actor ? `the ${actor} can ${does}` : `the ${actors[0]} can rely on the system to ${does}`;
}

function entitiesOf(type: EntityType, draft: string, concept: Concept): Entities["entities"] {
  const source = SOURCES.find(([pattern]) => pattern.test(type.name))?.[1];
  const names = source?.(concept) ?? (concept.things.length > 0 ? concept.things : [concept.name]);
  return [...new Set(names.map(asName))].slice(0, 12).map((name) => ({
    requirements: requirementsOn(name, draft),
    type: type.name,
    name,
    description: description(name, type, concept),
  }));
}

/** The functional requirements that name an entity. */
const requirementsOn = (name: string, draft: string): string[] =>
  idLines(draft)
    .filter(({ id, text }) => letterOf(id) === "R" && ` ${text.toLowerCase()}`.includes(` ${name.toLowerCase()}`))
    .map(({ id }) => id);

/** The entities of all types; a name that has one type already has no other. */
function allEntities(types: readonly EntityType[], draft: string): Entities["entities"] {
  const concept = understand(draft);
  const found = new Map<string, Entities["entities"][number]>();
  for (const entity of types.flatMap((type) => entitiesOf(type, draft, concept)))
    if (!found.has(entity.name)) found.set(entity.name, entity);
  return [...found.values()];
}

const asName = (text: string): string => capitalized(clip(text, 100));

function description(name: string, type: EntityType, { name: system, features }: Concept): string {
  const feature = features.find(({ does }) => asName(does) === name);
  if (feature)
    return feature.actor ? `Lets the ${feature.actor} ${quoted(feature.does, 100)}` : "The system does this by itself";
  const wants = features.filter(({ actor }) => actor !== null && asName(actor) === name).map(({ does }) => does);
  return wants.length > 0
    ? `Wants to ${listed(wants)}`
    : `Named in the draft of "${system}" as ${type.name.replaceAll("_", " ")}`;
}

export function rehearseEntities(
  { draft, wanted, improvement }: ExtractEntityInput,
  feedback?: Feedback<Entities>,
): Entities {
  const known = (improvement?.previous ?? []).map((row) => `${row.split(")")[0]})`);
  const entities = allEntities(wanted, draft).filter(
    ({ name, type }) => feedback || !known.includes(`${name} (${type})`),
  );
  if (!feedback) return { entities, removed: [] };
  const seenAgain = `; seen again after the remark: ${quoted(feedback.comment, 100)}`;
  return {
    entities: entities.map((entity) => ({ ...entity, description: entity.description + seenAgain })),
    removed: [],
  };
}

/** Conditions of well-known relation types. Other types hold between entities that share words. */
const HOLDS: Readonly<Record<string, (from: Entity, to: Entity, concept: Concept) => boolean>> = {
  association: (actor, useCase, { features, actors }) => {
    const does = useCase.name.toLowerCase();
    const feature = features.find((one) => asName(one.does) === useCase.name);
    const concerned = feature?.actor ?? actors.find((one) => does.includes(` ${one}`)) ?? actors[0];
    return concerned?.toLowerCase() === actor.name.toLowerCase();
  },
  include: (from, to) =>
    /^(search|find|check|enter|measure)\b/iu.test(to.name) &&
    !/^(search|find|check|see|enter)\b/iu.test(from.name) &&
    shareWords(from.name, to.name),
  extend: (from, to) =>
    /^(remind|tell|warn|send|notify|cancel|withdraw|keep|print)\b/iu.test(from.name) && shareWords(from.name, to.name),
  generalization: isSpecialCase,
  is_a: isSpecialCase,
  interface: (from, to, { features }) =>
    to.type === "machine_domain" || (to.type !== "design_domain" && isConcerned(from, to, features)),
  requirement_constraint: (from, to) =>
    ["physical_device", "shared_phenomena"].includes(to.type) && shareWords(from.name, to.name),
  requirement_reference: (from, to) =>
    to.type === "environment_entity" && from.name.toLowerCase().includes(` ${to.name.toLowerCase()} `),
  plays: () => false,
  dependency: (from, to) =>
    from.type === "role" &&
    (to.type === "agent" || to.name.toLowerCase().startsWith(`the ${from.name.toLowerCase()} `)),
  refinement_and: (from, to) =>
    from.type !== "goal" && to.type === "goal" && to.name.toLowerCase().includes(from.name.toLowerCase()),
  refinement_or: () => false,
  contribution: () => false,
  needed_by: (from, to) => shareWords(from.name, to.name),
  qualification: (from, to) => to.type === "goal" && Number(from.id.slice(1)) % 3 === Number(to.id.slice(1)) % 3,
};

/** Devices with which people give input. */
const FOR_PEOPLE = /dial|key|button|screen|display|terminal|input|phone|tablet|reader|scanner|keypad/iu;

/** "Payroll clerk" is a special case of "Clerk". */
function isSpecialCase(from: Entity, to: Entity): boolean {
  const [, rest] = /^\S+ (.+)$/u.exec(from.name.toLowerCase()) ?? [];
  return rest === to.name.toLowerCase();
}

/** Whether a domain is concerned with a phenomenon: its actor causes it, or its name occurs in it. */
function isConcerned(signal: Entity, domain: Entity, features: readonly Feature[]): boolean {
  const feature = features.find((one) => capitalized(phenomenon(one)) === signal.name);
  if (domain.type === "physical_device" && feature?.actor && FOR_PEOPLE.test(domain.name)) return true;
  return feature?.actor?.toLowerCase() === domain.name.toLowerCase() || shareWords(signal.name, domain.name);
}

function relationOf(pair: Pair, concept: Concept): Relation | undefined {
  const entity = (id: string) => (pair.a.id === id ? pair.a : pair.b);
  return pair.choices.find(({ type, from, to }) => {
    const [start, end] = [entity(from), entity(to)];
    return Object.hasOwn(HOLDS, type) ? HOLDS[type]!(start, end, concept) : shareWords(start.name, end.name);
  });
}

export function rehearseRelationList(
  { draft, entities, metamodel, open }: ListRelationsInput,
  feedback?: Feedback<RelationList>,
): RelationList {
  const concept = understand(draft);
  const isOpen = ({ id }: Entity) => !open || open.some((entity) => entity.id === id);
  const pairs = allowedPairs(entities, metamodel).filter(({ a, b }) => isOpen(a) || isOpen(b));
  const relations = pairs.flatMap((pair) => {
    const relation = relationOf(pair, concept);
    return relation ? [{ because: `${quoted(pair.a.name, 40)} and ${quoted(pair.b.name, 40)}`, ...relation }] : [];
  });
  const [first] = pairs;
  if (!feedback || !first) return { relations };
  // A relation has no text of its own to show that a remark was heard, so the first pair changes.
  const others = relations.filter(({ from, to }) => ![from, to].every((id) => id === first.a.id || id === first.b.id));
  if (others.length < relations.length) return { relations: others };
  return { relations: [{ because: quoted(feedback.comment, 60), ...first.choices[0]! }, ...relations] };
}

/** @param outcome `undecided_pair` gives no usable decision on the last pair each time it is asked, `undecided_once` the first time */
export function rehearseDecisions(
  input: ExtractRelationInput,
  outcome: string,
  feedback?: Feedback<Relations>,
): Relations {
  const { draft, pairs, again } = input;
  const concept = understand(draft);
  const decisions = pairs.map((pair) => {
    const relation = relationOf(pair, concept);
    return { pair: pair.id, relation: relation?.type ?? NO_RELATION, from: relation?.from ?? null };
  });
  const last = decisions.length - 1;
  if (outcome === "undecided_pair" || (outcome === "undecided_once" && !again)) {
    decisions[last] = { pair: pairs[last]!.id, relation: UNDECIDED, from: null };
  } else if (feedback) {
    // A decision has no text to show that a remark was heard, so the last decision is reversed.
    const [choice] = pairs[last]!.choices;
    decisions[last] =
      decisions[last]!.relation === NO_RELATION && choice
        ? { pair: pairs[last]!.id, relation: choice.type, from: choice.from }
        : { pair: pairs[last]!.id, relation: NO_RELATION, from: null };
  }
  return { decisions };
}

export function rehearseModel(
  { draft, metamodel }: ExtractModelInput,
  feedback?: Feedback<ExtractedModel>,
): ExtractedModel {
  const concept = understand(draft);
  const entities = numberEntities(allEntities(metamodel.entity_types, draft)).map(
    ({ requirements: _, ...entity }) => entity,
  );
  const relations = allowedPairs(entities, metamodel).flatMap((pair) => relationOf(pair, concept) ?? []);
  if (!feedback) return { entities, relations };
  const remark = `; seen again after the remark: ${quoted(feedback.comment, 100)}`;
  return { entities: entities.map((entity) => ({ ...entity, description: entity.description + remark })), relations };
}
