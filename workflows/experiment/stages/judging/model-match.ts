import { matchNames } from "../../actions/match-names";
import { type NamedModel, modelMatch, modelOf, modelScores, renamed } from "../../rules/metrics/models";
import { failureOf, type Judge } from "./judge";

const elements = ({ entities }: NamedModel, letter: string) =>
  entities.map(({ name, type }, index) => ({ id: `${letter}${index + 1}`, type, name }));

/** The model with the names of the gold where both mean the same, compared as `model_match` compares. */
export const judgeModel: Judge = {
  reads: ({ output }) => modelMatch.reads!(output),
  judge: async (one) => {
    const model = modelOf(one.trial);
    const gold = one.item.gold!.model!;
    if (model.entities.length === 0) return { scores: modelScores(model, gold) };
    const [found, right] = [elements(model, "F"), elements(gold, "R")];
    const matched = await one.ask(matchNames, { found, right });
    if (!matched.artifact) return { failure: failureOf(matched) };
    const nameOf = new Map(right.map(({ id, name }) => [id, name]));
    const counterparts = new Map(
      matched.artifact.content.pairs.map((pair) => [
        found.find(({ id }) => id === pair.found)!.name,
        nameOf.get(pair.right)!,
      ]),
    );
    return { scores: modelScores(renamed(model, counterparts), gold) };
  },
};
