import { cosine } from "#workflow-kit/vectors";
import { modelMatch, modelOf, modelScores, renamed } from "../../rules/metrics/models";
import { similarNames } from "../../rules/similar-names";
import type { Judge } from "./judge";

/** The model with the names of the gold where their vectors are similar, compared as `model_match` compares. */
export const embedModel: Judge = {
  reads: ({ output }) => modelMatch.reads!(output),
  judge: async (one) => {
    const { context, trial, item, parameters, key } = one;
    const model = modelOf(trial);
    const gold = item.gold!.model!;
    const names = [...new Set([...model.entities, ...gold.entities].map(({ name }) => name))].filter(
      (name) => name.trim() !== "",
    );
    const embedded = await context.run.retrieval.embed(names, { key });
    if (embedded === null) return { failure: "No embedding model is configured." };
    const vectors = new Map(names.map((name, index) => [name, embedded.vectors[index]!]));
    const similarity = (found: string, right: string) => {
      const [left, other] = [vectors.get(found), vectors.get(right)];
      return left && other ? cosine(left, other) : 0;
    };
    const same = similarNames(model.entities, gold.entities, similarity, parameters.threshold!);
    return { scores: modelScores(renamed(model, same), gold) };
  },
};
