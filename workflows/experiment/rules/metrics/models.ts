import { normalForm } from "#workflow-kit/text";
import type { DocumentReference } from "#workflow-kit/artifact";
import type { GoldModel } from "#workflow-kit/datasets";
import { matchKeys, pooled, retrieved, type Counts } from "../statistics/retrieved";
import type { Scores, Trial } from "../trials";
import type { Metric } from "./metric";

/** A requirements model as it is compared: relations name their ends. */
export type NamedModel = GoldModel;

/** The English singular of a word, for plurals that follow a rule. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(word)) return word;
  if (/(?:s|x|z|ch|sh)es$/u.test(word)) return word.slice(0, -2);
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/**
 * A name without what does not tell entities apart: case, punctuation, articles, plurals. The paper does not state its rule of matching;
 * the first author's CPSBench compares exact texts.
 */
export const comparableName = (name: string): string =>
  normalForm(name, "NFKC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "" && !["the", "a", "an"].includes(word))
    .map(singular)
    .join(" ");

/** The model with other names, in entities and in relations. @param names new ones by old; names that are absent stay */
export function renamed({ entities, relations }: NamedModel, names: ReadonlyMap<string, string>): NamedModel {
  const nameOf = (name: string) => names.get(name) ?? name;
  return {
    entities: entities.map(({ name, type }) => ({ name: nameOf(name), type })),
    relations: relations.map(({ type, from, to }) => ({ type, from: nameOf(from), to: nameOf(to) })),
  };
}

export const typeName = (type: string): string => comparableName(type).replaceAll(" ", "_");

/** Entities once each, by type; relations as unordered pairs (CPSBench). */
function keysOf({ entities, relations }: NamedModel): Map<string, string[]> {
  const keys = [
    ...entities.map(({ name, type }) => [typeName(type), comparableName(name)] as const),
    ...relations.map(({ type, from, to }) => {
      const ends = [from, to].map(comparableName).toSorted();
      return ["relation", JSON.stringify([typeName(type), ...ends])] as const;
    }),
  ];
  const byType = Map.groupBy(keys, ([type]) => type);
  return new Map([...byType].map(([type, of]) => [type, [...new Set(of.map(([, key]) => key))]]));
}

/** Counts of found, right and matched elements, by type of entity, and `relation`. */
export function countsByType(model: NamedModel, gold: GoldModel): Map<string, Counts> {
  const [found, right] = [keysOf(model), keysOf(gold)];
  return new Map(
    [...new Set([...right.keys(), ...found.keys()])].map((type) => [
      type,
      matchKeys(found.get(type) ?? [], right.get(type) ?? []),
    ]),
  );
}

/** Precision, recall and F1 of each type and over all, and the counts that a micro average adds up. */
export function modelScores(model: NamedModel, gold: GoldModel): Scores {
  const counts = countsByType(model, gold);
  const parts = (prefix: string, of: Counts) =>
    Object.entries({ ...retrieved(of), ...of }).map(([part, value]) => [`${prefix}${part}`, value] as const);
  return Object.fromEntries([
    ...parts("", pooled([...counts.values()])),
    ...[...counts].flatMap(([type, of]) => parts(`${type}.`, of)),
  ]);
}

/** The contents of a requirements model, as the workflow stores it: relations name ids. */
interface StoredModel {
  entities: readonly { id?: string; name: string; type: string }[];
  relations?: readonly { type: string; from: string; to: string }[];
}

function named({ entities, relations = [] }: StoredModel): NamedModel {
  const names = new Map(entities.map(({ id, name }) => [id, name]));
  const nameOf = (end: string) => names.get(end) ?? end;
  return {
    entities: entities.map(({ name, type }) => ({ name, type })),
    relations: relations.map(({ type, from, to }) => ({ type, from: nameOf(from), to: nameOf(to) })),
  };
}

/** The model in an output: a document of `requirements`, or the JSON of `plain`. */
export function modelOf({ output, contents }: Pick<Trial, "output" | "contents">): NamedModel {
  const { model, answer_json } = output as { model?: DocumentReference | null; answer_json?: unknown };
  const stored = model ? contents[model.artifact_id] : answer_json;
  return isStored(stored) ? named(stored) : { entities: [], relations: [] };
}

const isStored = (value: unknown): value is StoredModel => {
  const { entities, relations = [] } = (value ?? {}) as { entities?: unknown; relations?: unknown };
  const areTexts = (list: unknown, names: readonly string[]) =>
    Array.isArray(list) && list.every((entry) => names.every((name) => typeof entry?.[name] === "string"));
  return areTexts(entities, ["name", "type"]) && areTexts(relations, ["type", "from", "to"]);
};

export const modelMatch: Metric = {
  name: "model_match",
  version: 1,
  summary:
    "Precision, recall and F1 of the requirements model, over all and by type of element; names are compared without case, articles and plurals (MARE, IV-B).",
  range: [0, 1],
  higher_is_better: true,
  workflows: ["requirements", "plain"],
  needs: ["model"],
  reads: (output) => {
    const { model } = output as { model?: DocumentReference | null };
    return model ? [model] : [];
  },
  score: (trial, { gold }) => modelScores(modelOf(trial), gold!.model!),
};
