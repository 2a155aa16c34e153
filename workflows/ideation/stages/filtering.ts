import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { clip } from "#workflow-kit/text";
import { checkIdea, checkNovelty, writeNoveltyQueries } from "../actions";
import { MAX_REASON_LENGTH, type Drop, type IdeaSet, type Paper, type SourcedIdea, FILTERS } from "../artifacts";
import { CALL_CONCURRENCY, type Context } from "../context";
import { Semaphore } from "#workflow-kit/semaphore";
import { excerptPaper, newPapers, missingCorpora, PAPERS_COMPARED, usable, withNewKeys } from "../rules/papers";
import { rankPapers } from "./nearest-papers";

/** Papers that are searched for each idea, over all of its queries (spec, "Optional filter"). */
const PAPERS_SEARCHED = 100;

export interface FilterResult {
  dropped: Drop[];
  notes: string[];
}

/** The filters of Si et al., in sequence for each idea: the first failure drops it. */
export async function filter(
  context: Context,
  set: DocumentReference,
  remaining: readonly string[],
  bank: DocumentReference | null,
): Promise<FilterResult> {
  const { run, options } = context;
  const source = await context.read<IdeaSet>(set);
  const { content } = source;
  const papers = await context.papersOf(bank);
  const chain = FILTERS.filter((name) => options.filters.includes(name));
  const checks = new Checks(context, source, papers);
  const ideas = remaining.map((id) => content.ideas.find((idea) => idea.id === id)!);
  const drops = await run.parallel(
    ideas,
    async (idea, index): Promise<Drop | null> => {
      for (const name of chain) {
        const reason = await checks.failureReason(name, idea, index + 1);
        if (reason !== null)
          return { idea: idea.id, because: { cause: name, reason: clip(reason, MAX_REASON_LENGTH) } };
      }
      return null;
    },
    options.parallelism,
  );
  return { dropped: drops.filter((drop) => drop !== null), notes: [...checks.notes] };
}

interface Metadata {
  key: string;
  subject: string;
  iteration: number;
  inputs: readonly Artifact[];
}

class Checks {
  readonly notes = new Set<string>();
  private readonly semaphore = new Semaphore(CALL_CONCURRENCY);

  constructor(
    private readonly context: Context,
    private readonly source: Artifact,
    private readonly bank: readonly Paper[],
  ) {}

  /** Why an idea fails a filter; null: it passes. */
  async failureReason(name: (typeof FILTERS)[number], idea: SourcedIdea, iteration: number): Promise<string | null> {
    const { run, topic, method } = this.context;
    const metadata = {
      key: `${name}.${idea.id}`,
      subject: `${name} of ${idea.id}`,
      iteration,
      inputs: [this.source],
    };
    if (name === "novelty") return this.publishedReason(idea, metadata);
    const actionInput = { topic, method, criterion: name, idea };
    const { content } = await this.semaphore.run(() => run.step(checkIdea, actionInput, metadata));
    return content.passes ? null : content.reason;
  }

  /** Why an idea counts as published; null: no paper found has it. */
  private async publishedReason(idea: SourcedIdea, metadata: Metadata): Promise<string | null> {
    const { found, inputs } = await this.candidates(idea, metadata);
    const near = await rankPapers(this.context, [idea], found, { most: PAPERS_COMPARED, key: metadata.key });
    const papers = withNewKeys(near(idea));
    if (papers.length === 0) {
      this.notes.add("Novelty could not be checked where no papers were found.");
      return null;
    }
    const { run, topic } = this.context;
    const { content } = await this.semaphore.run(() =>
      run.step(checkNovelty, { topic, idea, papers }, { ...metadata, inputs }),
    );
    return content.matches.length ? content.reason : null;
  }

  /**
   * Papers that may contain the idea: from the bank's source, and from the bank.
   * @returns `inputs`: the idea and the searches, as inputs of the verdict, because another search may find other papers
   */
  private async candidates(idea: SourcedIdea, metadata: Metadata): Promise<{ found: Paper[]; inputs: Artifact[] }> {
    const { run, source, input } = this.context;
    if (source === "semantic_scholar") return this.searched(idea, metadata);
    if (source === "none" || !input.corpus_ids) return { found: [...this.bank], inputs: [this.source] };
    const request = {
      query: clip(`${idea.name}. ${idea.problem}`, 2000),
      limit: PAPERS_COMPARED,
      corpus_ids: input.corpus_ids,
    };
    const authorities = await run.retrieval.search(request, metadata);
    for (const note of missingCorpora(authorities.content)) this.notes.add(note);
    const found = newPapers([...authorities.content.excerpts.map(excerptPaper), ...this.bank], []);
    return { found, inputs: [this.source, authorities] };
  }

  /** Searches by the librarian's queries on mechanism and problem: nobody else knows the idea by its name. */
  private async searched(idea: SourcedIdea, metadata: Metadata): Promise<{ found: Paper[]; inputs: Artifact[] }> {
    const { run, topic } = this.context;
    const written = await this.semaphore.run(() => run.step(writeNoveltyQueries, { topic, idea }, metadata));
    const { queries } = written.content;
    const limit = Math.ceil(PAPERS_SEARCHED / queries.length);
    const searches = await run.parallel(queries, (text, index) =>
      run.retrieval.searchPapers({ kind: "keyword", text }, limit, {
        ...metadata,
        key: `${metadata.key}.${index + 1}`,
        inputs: [written],
      }),
    );
    for (const { content } of searches) if (content.failure !== null) this.notes.add(content.failure);
    const papers = searches.flatMap(({ content }) => usable(content.papers, "first"));
    return { found: newPapers([...papers, ...this.bank], []), inputs: [this.source, ...searches] };
  }
}
