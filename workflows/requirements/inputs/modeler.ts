import type { Entity, RequirementModel, RoughIdea, Smell } from "../artifacts";
import type { Options } from "../contract";
import { idLines, modelText, type LineChanges } from "../rules/draft-lines";
import type { EntityType, Metamodel } from "../rules/metamodel";
import { metamodelOf } from "../rules/metamodels";
import type { Pair } from "../rules/pairs";
import { describeRelations, requirementsOf } from "../rules/requirement-model";
import type { RoleInbox } from "../rules/workspace";

/** The previous model and the Checker's findings about it, for the Modeler to improve it. */
export interface Improvement {
  previous: readonly string[];
  findings: readonly string[];
}

export interface ExtractEntityInput {
  idea: RoughIdea;
  draft: string;
  types: readonly EntityType[];
  /** The types to find: all, or some of many. */
  wanted: readonly EntityType[];
  /** An improvement reads the changed lines in place of the draft. */
  improvement: (Improvement & { changes: LineChanges }) | null;
}

export interface ListRelationsInput {
  idea: RoughIdea;
  /** The requirements on which the entities rest whose relations are listed; the whole draft when one rests on none. */
  draft: string;
  metamodel: Metamodel;
  entities: readonly Entity[];
  /** Only relations with an end among these are listed; null: all. */
  open: readonly Entity[] | null;
  /** Relations that stay. */
  settled: readonly string[];
  /** Relations of the earlier model that are decided anew. */
  dropped: readonly string[];
  findings: readonly string[];
}

export interface ExtractRelationInput {
  idea: RoughIdea;
  draft: string;
  metamodel: Metamodel;
  pairs: readonly Pair[];
  improvement: Improvement | null;
  /** An earlier call gave no usable decision on these pairs. */
  again: boolean;
}

export interface ExtractModelInput {
  idea: RoughIdea;
  draft: string;
  metamodel: Metamodel;
  improvement: Improvement | null;
}

/** The draft has been improved already, so findings about the draft alone would mislead the Modeler. */
export const modelFindings = (smells: readonly Smell[]): string[] =>
  smells
    .filter(({ concerns }) => concerns !== "draft")
    .map(({ location, explanation }) => `${location}: ${explanation}`);

/** Under `profile: paper` the Modeler reads the draft anew and nothing else (MARE, Table II). */
function improvement(
  inbox: RoleInbox,
  { profile }: Options,
  previous: (model: RequirementModel) => string[],
): Improvement | null {
  const check = profile === "paper" ? undefined : inbox.takeIfAny("check_message");
  if (!check) return null;
  return {
    previous: previous(inbox.take("requirement_model").content),
    findings: modelFindings(check.content.smells),
  };
}

/** @param changes the lines that an improvement changed; null: the entities are found in the whole draft */
export const extractEntityInput = (
  inbox: RoleInbox,
  metamodel: Metamodel,
  wanted: readonly EntityType[],
  changes: LineChanges | null,
): ExtractEntityInput => {
  const check = changes && inbox.takeIfAny("check_message");
  const model = changes && inbox.take("requirement_model").content;
  return {
    idea: inbox.take("rough_idea").content,
    draft: inbox.take("requirement_draft").content,
    types: metamodel.entity_types,
    wanted,
    improvement: changes && {
      changes,
      previous: model!.entities.filter(({ type }) => wanted.some(({ name }) => name === type)).map(describeFully),
      findings: modelFindings(check?.content.smells ?? []),
    },
  };
};

/** @param scope the part of the relations that is listed; by default all */
export const listRelationsInput = (
  inbox: RoleInbox,
  metamodel: Metamodel,
  entities: readonly Entity[],
  scope: Pick<ListRelationsInput, "open" | "settled" | "dropped">,
): ListRelationsInput => ({
  idea: inbox.take("rough_idea").content,
  draft: excerpt(inbox.take("requirement_draft").content, scope.open ?? entities),
  metamodel,
  entities,
  ...scope,
  findings: modelFindings(inbox.takeIfAny("check_message")?.content.smells ?? []),
});

/** The requirements on which the entities rest; the whole draft when one rests on no requirement. */
function excerpt(draft: string, entities: readonly Entity[]): string {
  const known = idLines(modelText(draft));
  const resting = entities.map((entity) => requirementsOf(entity, known));
  if (resting.some((ids) => ids.length === 0)) return draft;
  const wanted = new Set(resting.flat());
  const lines = known.filter(({ id }) => wanted.has(id));
  return lines.length > 0 ? lines.map(({ text }) => `- ${text}`).join("\n") : draft;
}

export const extractRelationInput = (
  inbox: RoleInbox,
  options: Options,
  pairs: readonly Pair[],
  again: boolean,
): ExtractRelationInput => ({
  idea: inbox.take("rough_idea").content,
  draft: inbox.take("requirement_draft").content,
  metamodel: metamodelOf(options),
  pairs,
  improvement: improvement(inbox, options, describeRelations),
  again,
});

export const extractModelInput = (inbox: RoleInbox, options: Options): ExtractModelInput => ({
  idea: inbox.take("rough_idea").content,
  draft: inbox.take("requirement_draft").content,
  metamodel: metamodelOf(options),
  improvement: improvement(inbox, options, (model) => [
    ...model.entities.map(describeEntity),
    ...describeRelations(model),
  ]),
});

const describeEntity = ({ name, type }: Entity): string => `${name} (${type})`;

function describeFully({ name, type, description, requirements }: Entity): string {
  const ids = requirements && requirements.length > 0 ? ` [${requirements.join(", ")}]` : "";
  return `${name} (${type})${ids}${description ? `: ${description}` : ""}`;
}
