import type { DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { expandIdea } from "../actions";
import type { IdeaSet } from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { Semaphore } from "#workflow-kit/semaphore";
import { proposalMarkdown } from "../reports/markdown";
import { nearest } from "../rules/papers";

/** A proposal of an idea, as data and as a document. */
export interface ExpandedIdea {
  idea: string;
  title: string;
  proposal: DocumentReference;
  document: DocumentReference;
}

/** Expands ideas into proposals (spec, step 7), in the order given. */
export async function expand(
  context: IdeationContext,
  set: DocumentReference,
  remaining: readonly string[],
  bank: DocumentReference | null,
): Promise<ExpandedIdea[]> {
  const { run, topic, options, seed } = context;
  const { content } = await context.read<IdeaSet>(set);
  const ideas = new Map(content.ideas.map((idea) => [idea.id, idea]));
  const known = await context.papersOf(bank);
  const semaphore = new Semaphore(CALLS_AT_ONCE);
  return run.parallel(
    remaining,
    async (id, index): Promise<ExpandedIdea> => {
      const idea = ideas.get(id)!;
      const papers = context.hasExtra("closest_work") ? nearest(idea, known) : null;
      const input = { topic, method: options.method, idea, papers };
      const metadata = { key: id, subject: id, iteration: index + 1, seed };
      const proposal = await semaphore.run(() => run.act(expandIdea, input, metadata));
      const document = await context.compute(
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
