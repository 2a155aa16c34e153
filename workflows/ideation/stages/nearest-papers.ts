import { cosine } from "#workflow-kit/vectors";
import type { Idea, Paper } from "../artifacts";
import type { Context } from "../context";
import { nearest, paperText } from "../rules/papers";
import { comparedText } from "../rules/similarity";

/**
 * Finds the papers nearest to ideas: by the run's embedding model, or else by words. Few papers are all near.
 * @param most number of papers for an idea
 * @param key names the embeddings in the stage
 * @returns gives the nearest papers of one of the ideas, in the order of `papers`
 */
export async function rankPapers(
  { run }: Context,
  ideas: readonly Idea[],
  papers: readonly Paper[],
  { most, key }: { most: number; key: string },
): Promise<(idea: Idea) => Paper[]> {
  if (papers.length <= most) return () => [...papers];
  const embedded = await run.retrieval.embed([...papers.map(paperText), ...ideas.map(comparedText)], { key });
  if (!embedded) return (idea) => nearest(idea, papers, most);
  const of_papers = embedded.vectors.slice(0, papers.length);
  return (idea) => {
    const own = embedded.vectors[papers.length + ideas.indexOf(idea)]!;
    return nearest(
      idea,
      papers,
      most,
      of_papers.map((vector) => cosine(own, vector)),
    );
  };
}
