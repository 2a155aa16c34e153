import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { expandIdea } from "../actions";
import type { IdeaSet, PaperBank } from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { proposalMarkdown } from "../reports/markdown";
import { nearest } from "../rules/papers";
import { Semaphore } from "#workflow-kit/semaphore";

/** A proposal: the idea that it is of, as data and as a document. */
export interface Expanded {
  idea: string;
  title: string;
  proposal: DocumentReference;
  document: DocumentReference;
}

/** Writes ideas out as proposals (spec, step 7), in the order given. */
export async function expand(
  assignment: IdeationContext,
  set: DocumentReference,
  going: readonly string[],
  bank: DocumentReference | null,
): Promise<Expanded[]> {
  const { run, topic, options, seed } = assignment;
  const { content } = await assignment.read<IdeaSet>(set);
  const ideas = new Map(content.ideas.map((idea) => [idea.id, idea]));
  const known = bank ? (await assignment.read<PaperBank>(bank)).content.papers : [];
  const semaphore = new Semaphore(CALLS_AT_ONCE);
  return run.parallel(
    going,
    async (id, index): Promise<Expanded> => {
      const idea = ideas.get(id)!;
      const papers = assignment.does("closest_work") ? nearest(idea, known) : null;
      const about = { topic, method: options.method, idea, papers };
      const of = { key: id, subject: id, iteration: index + 1, seed };
      const proposal = await semaphore.use(() => run.act(expandIdea, about, of));
      const document = await assignment.keep(
        "proposal_markdown",
        { action: "render_proposal", role: "proposer", key: id, subject: id, inputs: [proposal] },
        () => proposalMarkdown(proposal.content, papers ?? []),
      );
      return {
        idea: id,
        title: proposal.content.title,
        proposal: reference(proposal)!,
        document: reference(document)!,
      };
    },
    options.parallelism,
  );
}
