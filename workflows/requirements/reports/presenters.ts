import { contentsOf, nameOf, type Presenter, type PresentationContext } from "#workflow-kit/presentation";
import type {
  Answers,
  CheckMessage,
  DraftChanges,
  Entities,
  Entity,
  ExtractedModel,
  Kind,
  Questions,
  RelationList,
  RequirementModel,
  Relations,
} from "../artifacts";
import type { Options } from "../contract";
import { metamodelOf, NO_RELATION } from "../rules/metamodels";
import { allowedPairs } from "../rules/pairs";
import { improveEntities, numberEntities, oncePerName } from "../rules/requirement-model";

type Modeling = PresentationContext<unknown, Pick<Options, "model_kind" | "metamodel" | "profile" | "relation_calls">>;

const namesOf = (entities: readonly Pick<Entity, "id" | "name">[]): Record<string, string> =>
  Object.fromEntries(entities.map(({ id, name }) => [id, name]));

/** The entities of the newest iteration with their ids, as the Modeler numbered them when it looked for relations. */
function entitiesOf(surroundings: Modeling): Entity[] {
  const types = metamodelOf(surroundings.options).entity_types.map(({ name }) => name);
  const found = surroundings.earlier.filter(({ kind }) => kind === "entities");
  const newest = Math.max(...found.map(({ iteration }) => iteration));
  // The newest of each call, in the order of the types; the subject of a call begins with its first type.
  const calls = new Map(found.filter(({ iteration }) => iteration === newest).map((one) => [one.subject, one]));
  const position = (subject: string) => types.indexOf(subject.split(", ")[0]!);
  const sorted = [...calls.values()].toSorted((one, other) => position(one.subject) - position(other.subject));
  const contents = sorted.map(({ content }) => content as Entities);
  const listed = contents.flatMap(({ entities }) => entities);
  if (surroundings.options.profile === "paper") return numberEntities(listed);
  const [model] = contentsOf<RequirementModel>(surroundings, "requirement_model").slice(-1);
  const once = oncePerName(listed);
  const isWhole = newest === 1 || surroundings.options.relation_calls !== "listed";
  if (isWhole || !model) return numberEntities(once);
  return improveEntities(model.entities, { entities: once, removed: contents.flatMap(({ removed }) => removed) })
    .entities;
}

interface Named {
  type: string;
  from: string;
  to: string;
}

/** Relations by their type, with its meaning. */
function byMeaning(relations: readonly Named[], { options }: Modeling) {
  const meanings = new Map(metamodelOf(options).relation_types.map(({ name, meaning }) => [name, meaning]));
  return [...Map.groupBy(relations, ({ type }) => type)].map(([type, those]) => ({
    relation: meanings.has(type) ? `${type}: ${meanings.get(type)}` : type,
    between: those.map(({ from, to }) => `${from} → ${to}`),
  }));
}

const relations: Presenter<Relations | RelationList> = {
  refers_to: ["entities", "requirement_model"],
  present: (content, surroundings) => {
    const entities = entitiesOf(surroundings);
    return "decisions" in content
      ? decisions(content, entities, surroundings)
      : relationList(content, entities, surroundings);
  },
};

function relationList({ relations: found }: RelationList, entities: readonly Entity[], surroundings: Modeling) {
  const names = namesOf(entities);
  const named = found.map(({ type, from, to, because }): Named => ({
    type,
    from: nameOf(names, from),
    to: `${nameOf(names, to)}${because ? ` (${because})` : ""}`,
  }));
  return {
    content: { related: byMeaning(named, surroundings) },
    subject: `${found.length} ${found.length === 1 ? "relation" : "relations"}`,
    names,
  };
}

function decisions({ decisions: made }: Relations, entities: readonly Entity[], surroundings: Modeling) {
  const pairs = new Map(allowedPairs(entities, metamodelOf(surroundings.options)).map((pair) => [pair.id, pair]));
  const names = namesOf(entities);
  const both = (id: string) => {
    const pair = pairs.get(id.trim());
    return pair ? `${pair.a.name} and ${pair.b.name}` : id;
  };
  const isRelated = ({ relation }: Relations["decisions"][number]) => relation.trim().toLowerCase() !== NO_RELATION;
  const related = made.filter(isRelated).map(({ pair: id, relation, from }): Named => {
    const pair = pairs.get(id.trim());
    const named = pair?.choices.filter(({ type }) => type === relation.trim()) ?? [];
    const direction = named.length === 1 ? named[0]! : named.find((choice) => choice.from === from);
    if (!direction) return { type: relation, from: both(id), to: "no direction" };
    return { type: relation, from: nameOf(names, direction.from), to: nameOf(names, direction.to) };
  });
  return {
    content: {
      related: byMeaning(related, surroundings),
      no_relation_between: made.filter((decision) => !isRelated(decision)).map(({ pair }) => both(pair)),
    },
    subject: `${made.length} ${made.length === 1 ? "pair" : "pairs"} of entities`,
    names: { ...names, ...Object.fromEntries([...pairs.keys()].map((id) => [id, both(id)])) },
  };
}

/** The changed lines with the lines that they change. */
const draftChanges: Presenter<DraftChanges> = {
  refers_to: ["requirement_draft"],
  present: ({ changes }, surroundings) => {
    const [draft = ""] = contentsOf<string>(surroundings, "requirement_draft").slice(-1);
    const rows = draft.split("\n");
    const names = Object.fromEntries(changes.map(({ line }) => [String(line), rows[line - 1]?.trim() ?? String(line)]));
    return {
      content: { changes: changes.map(({ line, ...change }) => ({ ...change, line: nameOf(names, String(line)) })) },
      names,
    };
  },
};

const extractedModel: Presenter<ExtractedModel> = {
  refers_to: [],
  present: ({ entities, relations: found }, surroundings) => {
    const names = namesOf(entities);
    const named = found.map(({ type, from, to }) => ({ type, from: nameOf(names, from), to: nameOf(names, to) }));
    return {
      content: { entities: entities.map(({ id: _, ...entity }) => entity), related: byMeaning(named, surroundings) },
      names,
    };
  },
};

const stakeholdersAnswer: Presenter<Answers> = {
  refers_to: ["requirement_question"],
  present: ({ answers, ...content }, surroundings) => {
    const [asked] = contentsOf<Questions>(surroundings, "requirement_question").slice(-1);
    const names = Object.fromEntries((asked?.questions ?? []).map(({ id, question }) => [id, question]));
    const named = answers.map(({ question, ...rest }) => ({ question: nameOf(names, question), ...rest }));
    return { content: { ...content, answers: named }, names };
  },
};

const checkMessage: Presenter<CheckMessage> = {
  refers_to: ["check_message", "requirement_model"],
  present: ({ earlier, smells, ...content }, surroundings) => {
    const [before] = contentsOf<CheckMessage>(surroundings, "check_message").slice(-1);
    const [model] = contentsOf<RequirementModel>(surroundings, "requirement_model").slice(-1);
    const findings = Object.fromEntries((before?.smells ?? []).map(({ id, explanation }) => [id, explanation]));
    const elements = namesOf(model?.entities ?? []);
    return {
      content: {
        ...content,
        smells: smells.map(({ location, ...smell }) => ({ ...smell, location: nameOf(elements, location) })),
        earlier: earlier.map(({ id, ...rest }) => ({ finding: nameOf(findings, id), ...rest })),
      },
      names: { ...findings, ...elements },
    };
  },
};

/** How people see the artifacts whose contents refer to others by ids. */
export const PRESENTERS: Partial<Record<Kind, Presenter>> = {
  draft_changes: draftChanges,
  relations,
  extracted_model: extractedModel,
  stakeholders_answer: stakeholdersAnswer,
  check_message: checkMessage,
};
