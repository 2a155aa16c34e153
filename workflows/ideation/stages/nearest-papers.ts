import { cosine } from "#workflow-kit/vectors";
import type { Idea, Paper } from "../artifacts";
import type { IdeationContext } from "../context";
import { nearest, PAPERS_COMPARED, paperText } from "../rules/papers";
import { comparedText } from "../rules/similarity";

/**
 * Finds the papers nearest to ideas: by the run's embedding model, or else by words. Few papers are all near.
 * @param key names the embeddings in the stage
 * @returns gives the nearest papers of one of the ideas, in the order of `papers`
 */
export async function rankPapers(
  { run }: IdeationContext,
  ideas: readonly Idea[],
  papers: readonly Paper[],
  key: string,
): Promise<(idea: Idea) => Paper[]> {
  if (papers.length <= PAPERS_COMPARED) return () => [...papers];
  const embedded = await run.embed([...papers.map(paperText), ...ideas.map(comparedText)], { key });
  if (!embedded) return (idea) => nearest(idea, papers);
  const of_papers = embedded.vectors.slice(0, papers.length);
  return (idea) => {
    const own = embedded.vectors[papers.length + ideas.indexOf(idea)]!;
    return nearest(
      idea,
      papers,
      of_papers.map((vector) => cosine(own, vector)),
    );
  };
}
