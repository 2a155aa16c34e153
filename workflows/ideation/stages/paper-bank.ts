import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { PaperQuery } from "#workflow-kit/retrieval";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { chunksOf } from "#workflow-kit/chunks";
import { scorePapers, writePaperQuery } from "../actions";
import type { Paper, PaperBank } from "../artifacts";
import type { IdeationContext } from "../context";
import { excerptPaper, fresh, missingCorpora, sorted, usable, paperKey } from "../rules/papers";

/** Queries that the bank is filled by, the first one included (spec, step 1). */
const MOST_QUERIES = 10;
const PAPERS_A_QUERY = 20;
/** What the librarian sees when it writes a query. */
const BEST_SHOWN = 10;
/** Catalogues want a handful of words. Characters. */
const LONGEST_QUERY = 300;

export interface CollectedPapers {
  bank: DocumentReference | null;
  source: PaperBank["source"];
  papers: number;
  notes: string[];
}

/** The paper bank (Si et al.; spec, step 1): papers of the request and of corpora, then those of Semantic Scholar. */
export async function collectPapers(assignment: IdeationContext): Promise<CollectedPapers> {
  const { source, options } = assignment;
  const wanted = options.grounding_papers > 0 || options.filters.includes("novelty");
  if (source === "none" || !wanted) return { bank: null, source: "none", papers: 0, notes: unused(assignment) };
  const bank: PaperBank = { source, queries: [], papers: [], notes: [] };
  const made: Artifact[] = [];
  await takeGiven(assignment, bank, made);
  if (source === "semantic_scholar") await search(assignment, bank, made);
  if (bank.papers.length === 0) bank.notes.push("There are no papers, so the ideas are made without.");
  const papers = sorted(bank.papers).slice(0, options.bank_size);
  const kept = await assignment.keep(
    "paper_bank",
    { action: "collect_papers", role: "librarian", inputs: made },
    () => ({ ...bank, papers }),
  );
  return { bank: reference(kept), source, papers: papers.length, notes: bank.notes };
}

/** Says that what was given is not read, where the options do not want it. */
const unused = ({ input }: IdeationContext): string[] =>
  input.papers || input.corpus_ids
    ? ["The given papers or corpora were not read, as `paper_source` or `grounding_papers` says."]
    : [];

/**
 * Papers of the request, and passages of corpora as papers. They are scored only when there are more than trials draw from.
 * @param made takes in the artifacts that the bank comes from: another search may find other papers, so what was asked about them names it
 */
async function takeGiven(assignment: IdeationContext, bank: PaperBank, made: Artifact[]): Promise<void> {
  const { papers = [], corpus_ids } = assignment.input;
  const given = papers.map(({ title, abstract, year, url }, index): Paper => ({
    id: `given-${index + 1}`,
    title,
    abstract,
    year: year ?? null,
    citations: null,
    url: url ?? null,
    score: null,
  }));
  const found = fresh([...given, ...(corpus_ids ? await passages(assignment, bank, made, corpus_ids) : [])], []);
  const choice = found.length > 2 * assignment.options.grounding_papers;
  bank.papers.push(...(choice ? await scored(assignment, made, found, "given", 1) : found));
}

async function passages(
  assignment: IdeationContext,
  bank: PaperBank,
  made: Artifact[],
  corpus_ids: readonly string[],
): Promise<Paper[]> {
  const { topic, options, run } = assignment;
  const retrieved = await run.retrieve(
    { query: clip(topic, 2000), limit: options.bank_size, corpus_ids },
    { key: "topic" },
  );
  made.push(retrieved);
  bank.notes.push(...missingCorpora(retrieved.content));
  return retrieved.content.excerpts.map(excerptPaper);
}

/** Query by query, until the bank is full. A failure of the source ends the search, and the run goes on with what there is. */
async function search(assignment: IdeationContext, bank: PaperBank, made: Artifact[]): Promise<void> {
  const { run, options } = assignment;
  const asked: string[] = [];
  for (let round = 1; round <= MOST_QUERIES && bank.papers.length < options.bank_size; round++) {
    const { query, told } = await nextQuery(assignment, bank, made, asked, round);
    asked.push(told);
    const searched = await run.searchPapers(query, PAPERS_A_QUERY, {
      key: String(round),
      iteration: round,
    });
    made.push(searched);
    const { content } = searched;
    if (content.failure !== null) {
      bank.notes.push(content.failure);
      return;
    }
    const found = fresh(usable(content.papers, round === 1 ? "first" : "later"), bank.papers);
    bank.queries.push({ kind: query.kind, query: told, found: content.papers.length, new: found.length });
    bank.papers.push(...(await scored(assignment, made, found, `search${round}`, round)));
  }
}

/** The first query is the topic itself; the others are the librarian's. */
async function nextQuery(
  { run, topic }: IdeationContext,
  bank: PaperBank,
  made: Artifact[],
  asked: readonly string[],
  round: number,
): Promise<{ query: PaperQuery; told: string }> {
  if (round === 1) {
    const text = clip(topic, LONGEST_QUERY).toLowerCase();
    return { query: { kind: "keyword", text }, told: `keyword: ${text}` };
  }
  const best = sorted(bank.papers).slice(0, BEST_SHOWN);
  const written = await run.act(
    writePaperQuery,
    { topic, best, queries: asked },
    { key: String(round), iteration: round - 1, inputs: [...made] },
  );
  made.push(written);
  const { content } = written;
  const paper = best.find((_, index) => paperKey(index) === content.text);
  if (content.kind === "keyword" || !paper)
    return { query: { kind: "keyword", text: content.text }, told: `keyword: ${content.text}` };
  return { query: { kind: content.kind, paper_id: paper.id }, told: `${content.kind}: ${paper.title}` };
}

async function scored(
  { run, topic }: IdeationContext,
  made: Artifact[],
  papers: readonly Paper[],
  key: string,
  iteration: number,
): Promise<Paper[]> {
  const batches = chunksOf(papers, PAPERS_A_QUERY);
  const answers = await run.parallel(batches, (batch, at) =>
    run.act(
      scorePapers,
      { topic, papers: batch },
      { key: `${key}.${at + 1}`, iteration, subject: key, inputs: [...made] },
    ),
  );
  made.push(...answers);
  return batches.flatMap((batch, at) => {
    const scores = new Map(answers[at]!.content.scores.map(({ paper, score }) => [paper, score]));
    return batch.map((paper, index) => ({ ...paper, score: scores.get(paperKey(index)) ?? null }));
  });
}
