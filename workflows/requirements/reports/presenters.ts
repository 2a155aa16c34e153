import { contentsOf, nameOf, type Presenter, type Surroundings } from "#workflow-kit/presentation";
import type {
  Answers,
  CheckMessage,
  Entities,
  Entity,
  ExtractedModel,
  Kind,
  Questions,
  RequirementModel,
  Relations,
} from "../artifacts";
import type { Options } from "../contract";
import { metamodelOf, NO_RELATION } from "../rules/metamodels";
import { allowedPairs } from "../rules/pairs";
import { numberEntities } from "../rules/requirement-model";

type Modeling = Surroundings<unknown, Pick<Options, "model_kind" | "metamodel">>;

const namesOf = (entities: readonly Pick<Entity, "id" | "name">[]): Record<string, string> =>
  Object.fromEntries(entities.map(({ id, name }) => [id, name]));

/** The entities of the newest iteration with their ids, as the Modeler numbered them when it decided on pairs. */
function entitiesOf({ earlier, options }: Modeling): Entity[] {
  const found = earlier.filter(({ kind }) => kind === "entities");
  const newest = Math.max(...found.map(({ iteration }) => iteration));
  const typed = metamodelOf(options).entity_types.map(({ name: type }) => {
    const ofType = found.findLast(({ subject, iteration }) => subject === type && iteration === newest);
    return { type, entities: (ofType?.content as Entities | undefined)?.entities ?? [] };
  });
  return numberEntities(typed);
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

const relations: Presenter<Relations> = {
  refers_to: ["entities"],
  present: ({ decisions }, surroundings) => {
    const entities = entitiesOf(surroundings);
    const pairs = new Map(allowedPairs(entities, metamodelOf(surroundings.options)).map((pair) => [pair.id, pair]));
    const names = namesOf(entities);
    const both = (id: string) => {
      const pair = pairs.get(id.trim());
      return pair ? `${pair.a.name} and ${pair.b.name}` : id;
    };
    const isRelated = ({ relation }: Relations["decisions"][number]) => relation.trim().toLowerCase() !== NO_RELATION;
    const related = decisions.filter(isRelated).map(({ pair: id, relation, from }): Named => {
      const pair = pairs.get(id.trim());
      const named = pair?.choices.filter(({ type }) => type === relation.trim()) ?? [];
      const direction = named.length === 1 ? named[0]! : named.find((choice) => choice.from === from);
      if (!direction) return { type: relation, from: both(id), to: "no direction" };
      return { type: relation, from: nameOf(names, direction.from), to: nameOf(names, direction.to) };
    });
    return {
      content: {
        related: byMeaning(related, surroundings),
        no_relation_between: decisions.filter((decision) => !isRelated(decision)).map(({ pair }) => both(pair)),
      },
      subject: `${decisions.length} ${decisions.length === 1 ? "pair" : "pairs"} of entities`,
      names: { ...names, ...Object.fromEntries([...pairs.keys()].map((id) => [id, both(id)])) },
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
  relations,
  extracted_model: extractedModel,
  stakeholders_answer: stakeholdersAnswer,
  check_message: checkMessage,
};
