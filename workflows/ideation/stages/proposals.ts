import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { checkProposal, expandIdea } from "../actions";
import type { Critique, IdeaSet, Paper, Proposal, Ranking, SourcedIdea } from "../artifacts";
import { CALL_CONCURRENCY, type Context } from "../context";
import { Semaphore } from "#workflow-kit/semaphore";
import type { ExpandIdeaInput } from "../inputs";
import { proposalMarkdown } from "../reports/markdown";
import { ideaOf } from "../rules/criticisms";
import { PAPERS_OF_PROPOSAL } from "../rules/papers";
import { revisedProposal } from "../rules/proposals";
import { verdictsOn } from "../rules/verdicts";
import { rankPapers } from "./nearest-papers";

/** A proposal of an idea, as data and as a document. */
export interface ExpandedIdea {
  idea: string;
  title: string;
  proposal: DocumentReference;
  document: DocumentReference;
}

interface Expansion {
  set: DocumentReference;
  /** Ids of the ideas to expand. */
  ids: readonly string[];
  bank: DocumentReference | null;
  /** null: the proposals are ranked, not the ideas. */
  ranking: DocumentReference | null;
}

/** Expands ideas into proposals (spec, step 7), in the order given. */
export async function expand(context: Context, { set, ids, bank, ranking }: Expansion): Promise<ExpandedIdea[]> {
  const source = await context.read<IdeaSet>(set);
  const ranked = ranking && (await context.read<Ranking>(ranking));
  const all = new Map(source.content.ideas.map((idea) => [idea.id, idea]));
  const ideas = ids.map((id) => all.get(id)!);
  const near = context.hasExtra("closest_work")
    ? await rankPapers(context, ideas, await context.papersOf(bank), { most: PAPERS_OF_PROPOSAL, key: "papers" })
    : null;
  const writing = new Writing(context);
  return context.run.parallel(
    ideas,
    async (idea, index): Promise<ExpandedIdea> => {
      const critiques = await writing.critiquesOf(idea);
      const papers = near?.(idea) ?? null;
      const input = {
        topic: context.topic,
        method: context.method,
        idea,
        papers,
        criticisms: critiques.flatMap(({ content }) => content.criticisms).filter((one) => ideaOf(one, [idea])),
        verdicts: ranked ? verdictsOn(idea.id, ranked.content, (id) => all.get(id)?.name ?? id) : [],
      };
      const inputs = [source, ...(ranked ? [ranked] : []), ...critiques];
      return writing.write(idea, input, { inputs, iteration: index + 1 });
    },
    context.options.parallelism,
  );
}

class Writing {
  private readonly semaphore = new Semaphore(CALL_CONCURRENCY);

  constructor(private readonly context: Context) {}

  /** The criticisms of the idea's batch before its last revision. */
  critiquesOf({ critiques = [] }: SourcedIdea): Promise<Artifact<Critique>[]> {
    return this.context.run.read<Critique>(critiques.map((artifact_id) => ({ artifact_id, kind: "critique" })));
  }

  async write(
    { id }: SourcedIdea,
    input: ExpandIdeaInput & { papers: readonly Paper[] | null },
    { inputs, iteration }: { inputs: readonly Artifact[]; iteration: number },
  ): Promise<ExpandedIdea> {
    const { context } = this;
    const written = await this.semaphore.run(() =>
      context.run.step(expandIdea, input, { key: id, subject: id, iteration, seed: context.seed, inputs }),
    );
    const proposal = await this.checked(written, id, input, iteration);
    const document = await context.compute(
      "proposal_markdown",
      { action: "render_proposal", role: "proposer", key: id, subject: id, inputs: [proposal] },
      () => proposalMarkdown(proposal.content, input.papers ?? []),
    );
    return {
      idea: id,
      title: proposal.content.title,
      proposal: reference(proposal)!,
      document: reference(document)!,
    };
  }

  /** The proposal as the last reader leaves it. What a person has approved stays. */
  private async checked(
    proposal: Artifact<Proposal>,
    id: string,
    { topic, papers }: ExpandIdeaInput,
    iteration: number,
  ): Promise<Artifact<Proposal>> {
    const { context } = this;
    if (!context.hasExtra("final_check") || context.options.reviews.includes("proposal")) return proposal;
    const metadata = { key: id, subject: id, iteration, inputs: [proposal] };
    const check = await this.semaphore.run(() =>
      context.run.step(checkProposal, { topic, proposal: proposal.content, papers: papers ?? [] }, metadata),
    );
    const inputs = [proposal, check];
    return context.compute("proposal", { action: "mend_proposal", role: "reviser", key: id, subject: id, inputs }, () =>
      revisedProposal(proposal.content, check.content),
    );
  }
}
