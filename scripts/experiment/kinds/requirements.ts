import type { Kind } from "../kinds.ts";
import { jsonLines, type Row } from "../files.ts";

/** Types of entities, by kind of model. */
const TYPES: Record<string, string[]> = {
  use_case: ["actor", "use_case"],
  problem: [
    "machine_domain",
    "physical_device",
    "environment_entity",
    "design_domain",
    "requirement",
    "shared_phenomena",
  ],
  goal: ["role", "agent", "goal", "task_or_action", "quality", "resource"],
};

const namesOf = (gold: Row, type: string): string[] => gold[type] ?? gold[`${type}s`] ?? [];

/** An interface between two domains is, in our metamodel, an interface of each with the phenomenon that they share. */
const relationsOf = ({ type, from, to, phenomenon }: Row) =>
  phenomenon ? [from, to].map((end) => ({ type, from: phenomenon, to: end })) : [{ type, from, to }];

const item = ({ id, name, model, description, gold }: Row) => ({
  id,
  input: { title: name, idea: description },
  ...(model === "use_case" ? {} : { options: { model_kind: model } }),
  gold: {
    model: {
      entities: TYPES[model]?.flatMap((type) => namesOf(gold, type).map((entity) => ({ name: entity, type }))),
      relations: gold.relations.flatMap(relationsOf),
    },
  },
  tags: [model],
});

/** Rough ideas with the requirements models that should come out (MARE, tables III to VII). */
export const requirements: Kind = {
  name: "requirements",
  title: "rough ideas with the requirements models that should come out",
  workflow: "requirements",
  variants: [
    { name: "mare", workflow: "requirements" },
    { name: "paper", workflow: "requirements", options: { profile: "paper" } },
    { name: "single", workflow: "requirements", options: { strategy: "single_model" } },
  ],
  further: [
    {
      name: "plain",
      workflow: "plain",
      options: {
        form: "json",
        instructions:
          'Write the use case model of the system as one block of JSON: {"entities": [{"name", "type": "actor" or "use_case"}], "relations": [{"type": "association", "include", "extend" or "generalization", "from", "to"}]}, where relations name entities.',
      },
    },
  ],
  without:
    "`plain` is left out: items for other diagrams hold an option that it does not take. With use cases only, name it: --tags use_case --variants mare,single,plain.",
  metrics: ["model_match", "srs_quality"],
  published: {
    name: "Requirements cases (MARE's own descriptions and gold models are not published)",
    where: "your own cases, in the form of a case a line",
    licence: "yours",
    folders: ["re_cases_authored"],
    files: "cases.jsonl with {id, name, model, description, gold: {<lists of names by type>, relations}}",
  },
  read(folder) {
    const cases = jsonLines(folder, "cases.jsonl");
    return cases && { items: cases.map(item) };
  },
};
