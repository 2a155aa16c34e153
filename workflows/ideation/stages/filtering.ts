import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { clip } from "#workflow-kit/text";
import { checkIdea, checkNovelty } from "../actions";
import { LONGEST_REASON, type Drop, type IdeaSet, type Paper, type SourcedIdea, FILTERS } from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { Semaphore } from "#workflow-kit/semaphore";
import { excerptPaper, newPapers, missingCorpora, nearest, PAPERS_COMPARED, usable } from "../rules/papers";

/** Papers that are searched for each idea (spec, "Optional filter"). */
const PAPERS_SEARCHED = 100;

export interface FilterResult {
  dropped: Drop[];
  notes: string[];
}

/** The filters of Si et al., in sequence for each idea: the first failure drops it. */
export async function filter(
  context: IdeationContext,
  set: DocumentReference,
  remaining: readonly string[],
  bank: DocumentReference | null,
): Promise<FilterResult> {
  const { run, options } = context;
  const { content } = await context.read<IdeaSet>(set);
  const papers = await context.papersOf(bank);
  const chain = FILTERS.filter((name) => options.filters.includes(name));
  const checks = new Checks(context, papers);
  const ideas = remaining.map((id) => content.ideas.find((idea) => idea.id === id)!);
  const drops = await run.parallel(
    ideas,
    async (idea, index): Promise<Drop | null> => {
      for (const name of chain) {
        const reason = await checks.failureReason(name, idea, index + 1);
        if (reason !== null) return { idea: idea.id, because: { cause: name, reason: clip(reason, LONGEST_REASON) } };
      }
      return null;
    },
    options.parallelism,
  );
  return { dropped: drops.filter((drop) => drop !== null), notes: [...checks.notes] };
}

class Checks {
  readonly notes = new Set<string>();
  private readonly semaphore = new Semaphore(CALLS_AT_ONCE);

  constructor(
    private readonly context: IdeationContext,
    private readonly bank: readonly Paper[],
  ) {}

  /** Why an idea fails a filter; null: it passes. */
  async failureReason(name: (typeof FILTERS)[number], idea: SourcedIdea, iteration: number): Promise<string | null> {
    const { run, topic, options } = this.context;
    const metadata = {
      key: `${name}.${idea.id}`,
      subject: `${name} of ${idea.id}`,
      iteration,
    };
    if (name === "novelty") return this.publishedReason(idea, metadata);
    const actionInput = { topic, method: options.method, criterion: name, idea };
    const { content } = await this.semaphore.run(() => run.act(checkIdea, actionInput, metadata));
    return content.passes ? null : content.reason;
  }

  /** Why an idea counts as published; null: no paper found has it. */
  private async publishedReason(
    idea: SourcedIdea,
    metadata: { key: string; iteration: number },
  ): Promise<string | null> {
    const { found, inputs } = await this.candidates(idea, metadata);
    const papers = nearest(idea, found);
    if (papers.length === 0) {
      this.notes.add("Novelty could not be checked where no papers were found.");
      return null;
    }
    const { run, topic } = this.context;
    const { content } = await this.semaphore.run(() =>
      run.act(checkNovelty, { topic, idea, papers }, { ...metadata, inputs }),
    );
    return content.matches.length ? content.reason : null;
  }

  /**
   * Papers that may contain the idea: from the bank's source, and from the bank.
   * @returns `inputs`: the search, as input of the verdict, because another search may find other papers
   */
  private async candidates(
    idea: SourcedIdea,
    metadata: { key: string; iteration: number },
  ): Promise<{ found: Paper[]; inputs: Artifact[] }> {
    const { run, source, input } = this.context;
    if (source === "semantic_scholar") {
      const query = { kind: "keyword", text: clip(idea.name, 200) } as const;
      const search = await run.searchPapers(query, PAPERS_SEARCHED, metadata);
      const { failure, papers } = search.content;
      if (failure !== null) this.notes.add(failure);
      return { found: newPapers([...usable(papers, "first"), ...this.bank], []), inputs: [search] };
    }
    if (source === "none" || !input.corpus_ids) return { found: [...this.bank], inputs: [] };
    const request = {
      query: clip(`${idea.name}. ${idea.problem}`, 2000),
      limit: PAPERS_COMPARED,
      corpus_ids: input.corpus_ids,
    };
    const authorities = await run.retrieve(request, metadata);
    for (const note of missingCorpora(authorities.content)) this.notes.add(note);
    const found = newPapers([...authorities.content.excerpts.map(excerptPaper), ...this.bank], []);
    return { found, inputs: [authorities] };
  }
}
