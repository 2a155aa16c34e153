import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { clip } from "#workflow-kit/text";
import { checkIdea, checkNovelty } from "../actions";
import {
  LONGEST_REASON,
  type Drop,
  type IdeaSet,
  type Paper,
  type PaperBank,
  type SourcedIdea,
  FILTERS,
} from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { excerptPaper, fresh, missingCorpora, nearest, PAPERS_COMPARED, usable } from "../rules/papers";
import { Semaphore } from "#workflow-kit/semaphore";

/** What is looked through for an idea (spec, "Optional filter"). */
const PAPERS_SEARCHED = 100;

export interface Filtered {
  dropped: Drop[];
  notes: string[];
}

/** The filters of Si et al., one after the other for each idea: the first that it does not pass drops it. */
export async function filter(
  assignment: IdeationContext,
  set: DocumentReference,
  going: readonly string[],
  bank: DocumentReference | null,
): Promise<Filtered> {
  const { run, options } = assignment;
  const { content } = await assignment.read<IdeaSet>(set);
  const papers = bank ? (await assignment.read<PaperBank>(bank)).content.papers : [];
  const chain = FILTERS.filter((name) => options.filters.includes(name));
  const checks = new Checks(assignment, papers);
  const ideas = going.map((id) => content.ideas.find((idea) => idea.id === id)!);
  const drops = await run.parallel(
    ideas,
    async (idea, index): Promise<Drop | null> => {
      for (const name of chain) {
        const reason = await checks.fault(name, idea, index + 1);
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
    private readonly assignment: IdeationContext,
    private readonly bank: readonly Paper[],
  ) {}

  /** Why an idea does not pass; null: it does. */
  async fault(name: (typeof FILTERS)[number], idea: SourcedIdea, iteration: number): Promise<string | null> {
    const { run, topic, options } = this.assignment;
    const of = {
      key: `${name}.${idea.id}`,
      subject: `${name} of ${idea.id}`,
      iteration,
    };
    if (name === "novelty") return this.published(idea, of);
    const about = { topic, method: options.method, criterion: name, idea };
    const { content } = await this.semaphore.use(() => run.act(checkIdea, about, of));
    return content.passes ? null : content.reason;
  }

  /** What has published an idea; null: nothing that was found. */
  private async published(idea: SourcedIdea, of: { key: string; iteration: number }): Promise<string | null> {
    const { found, inputs } = await this.found(idea, of);
    const papers = nearest(idea, found);
    if (papers.length === 0) {
      this.notes.add("Novelty could not be checked where no papers were found.");
      return null;
    }
    const { run, topic } = this.assignment;
    const { content } = await this.semaphore.use(() =>
      run.act(checkNovelty, { topic, idea, papers }, { ...of, inputs }),
    );
    return content.matches.length ? content.reason : null;
  }

  /**
   * Papers that may have the idea: from where the bank came from, and the bank itself.
   * @returns `inputs`: the search, which the verdict names, for another may find other papers
   */
  private async found(
    idea: SourcedIdea,
    of: { key: string; iteration: number },
  ): Promise<{ found: Paper[]; inputs: Artifact[] }> {
    const { run, source, input } = this.assignment;
    if (source === "semantic_scholar") {
      const query = { kind: "keyword", text: clip(idea.name, 200) } as const;
      const search = await run.searchPapers(query, PAPERS_SEARCHED, of);
      const { failure, papers } = search.content;
      if (failure !== null) this.notes.add(failure);
      return { found: fresh([...usable(papers, "first"), ...this.bank], []), inputs: [search] };
    }
    if (source === "none" || !input.corpus_ids) return { found: [...this.bank], inputs: [] };
    const request = {
      query: clip(`${idea.name}. ${idea.problem}`, 2000),
      limit: PAPERS_COMPARED,
      corpus_ids: input.corpus_ids,
    };
    const authorities = await run.retrieve(request, of);
    for (const note of missingCorpora(authorities.content)) this.notes.add(note);
    const found = fresh([...authorities.content.excerpts.map(excerptPaper), ...this.bank], []);
    return { found, inputs: [authorities] };
  }
}
