import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { PaperQuery } from "#workflow-kit/retrieval";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { chunksOf } from "#workflow-kit/chunks";
import { scorePapers, writePaperQuery } from "../actions";
import type { Paper, PaperBank } from "../artifacts";
import type { Context } from "../context";
import { excerptPaper, newPapers, missingCorpora, byScore, numberedPapers, usable, paperKey } from "../rules/papers";

/** Most queries that fill the bank, the first included (spec, step 1). */
const MAX_QUERIES = 10;
const PAPERS_PER_QUERY = 20;
/** Papers that the librarian sees when it writes a query. */
const BEST_SHOWN = 10;
/** Limit of queries: catalogues expect a few words. Characters. */
const MAX_QUERY_LENGTH = 300;

export interface CollectedPapers {
  bank: DocumentReference | null;
  source: PaperBank["source"];
  papers: number;
  notes: string[];
}

/** The paper bank (Si et al.; spec, step 1): papers of the request and of corpora, then those of Semantic Scholar. */
export async function collectPapers(context: Context): Promise<CollectedPapers> {
  const { source, options } = context;
  const wanted = options.grounding_papers > 0 || options.filters.includes("novelty");
  if (source === "none" || !wanted) return { bank: null, source: "none", papers: 0, notes: unusedNotes(context) };
  const bank: PaperBank = { source, queries: [], papers: [], notes: [] };
  const sources: Artifact[] = [];
  await addGivenPapers(context, bank, sources);
  if (source === "semantic_scholar") await addSearchedPapers(context, bank, sources);
  if (bank.papers.length === 0) bank.notes.push("There are no papers, so the ideas are made without.");
  const papers = numberedPapers(byScore(bank.papers).slice(0, options.bank_size));
  const kept = await context.compute(
    "paper_bank",
    { action: "collect_papers", role: "librarian", inputs: sources },
    () => ({ ...bank, papers }),
  );
  return { bank: reference(kept), source, papers: papers.length, notes: bank.notes };
}

/** Notes that the given papers are not read because of the options. */
const unusedNotes = ({ input }: Context): string[] =>
  input.papers || input.corpus_ids
    ? ["The given papers or corpora were not read, as `paper_source` or `grounding_papers` says."]
    : [];

/**
 * Adds papers of the request, and passages of corpora as papers; they keep ahead of papers that are found. They are scored only if there are
 * more than trials draw from.
 * @param sources collects the artifacts that the bank comes from. Later steps name them as inputs, because another search may find other papers.
 */
async function addGivenPapers(context: Context, bank: PaperBank, sources: Artifact[]): Promise<void> {
  const { papers = [], corpus_ids } = context.input;
  const given = papers.map(({ title, abstract, year, url }, index): Paper => ({
    id: `given-${index + 1}`,
    title,
    abstract,
    year: year ?? null,
    citations: null,
    url: url ?? null,
    score: null,
    given: true,
  }));
  const found = newPapers(
    [...given, ...(corpus_ids ? await retrievePassages(context, bank, sources, corpus_ids) : [])],
    [],
  );
  const choice = found.length > 2 * context.options.grounding_papers;
  bank.papers.push(...(choice ? await scorePaperBatches(context, sources, found, "given", 1) : found));
}

async function retrievePassages(
  context: Context,
  bank: PaperBank,
  sources: Artifact[],
  corpus_ids: readonly string[],
): Promise<Paper[]> {
  const { topic, options, run } = context;
  const retrieved = await run.retrieval.search(
    { query: clip(topic, 2000), limit: options.bank_size, corpus_ids },
    { key: "topic" },
  );
  sources.push(retrieved);
  bank.notes.push(...missingCorpora(retrieved.content));
  return retrieved.content.excerpts.map(excerptPaper);
}

/** Searches until the bank is full. A failure of the source ends the search, and the run continues with the papers found so far. */
async function addSearchedPapers(context: Context, bank: PaperBank, sources: Artifact[]): Promise<void> {
  const { run, options } = context;
  const queries: string[] = [];
  for (let round = 1; round <= MAX_QUERIES && bank.papers.length < options.bank_size; round++) {
    const { query, description } = await nextQuery(context, bank, sources, queries, round);
    queries.push(description);
    const searched = await run.retrieval.searchPapers(query, PAPERS_PER_QUERY, {
      key: String(round),
      iteration: round,
    });
    sources.push(searched);
    const { content } = searched;
    if (content.failure !== null) {
      bank.notes.push(content.failure);
      return;
    }
    const found = newPapers(usable(content.papers, round === 1 ? "first" : "later"), bank.papers);
    bank.queries.push({ kind: query.kind, query: description, found: content.papers.length, new: found.length });
    bank.papers.push(...(await scorePaperBatches(context, sources, found, `search${round}`, round)));
  }
}

/** The first query is the topic; the librarian writes the others. */
async function nextQuery(
  { run, topic }: Context,
  bank: PaperBank,
  sources: Artifact[],
  queries: readonly string[],
  round: number,
): Promise<{ query: PaperQuery; description: string }> {
  if (round === 1) {
    const text = clip(topic, MAX_QUERY_LENGTH).toLowerCase();
    return { query: { kind: "keyword", text }, description: `keyword: ${text}` };
  }
  const best = byScore(bank.papers).slice(0, BEST_SHOWN);
  const written = await run.step(
    writePaperQuery,
    { topic, best, queries },
    { key: String(round), iteration: round - 1, inputs: [...sources] },
  );
  sources.push(written);
  const { content } = written;
  const paper = best.find((_, index) => paperKey(index) === content.text);
  if (content.kind === "keyword" || !paper)
    return { query: { kind: "keyword", text: content.text }, description: `keyword: ${content.text}` };
  // The catalogue does not know the caller's papers by their ids.
  if (paper.given) return { query: { kind: "keyword", text: paper.title }, description: `keyword: ${paper.title}` };
  return { query: { kind: content.kind, paper_id: paper.id }, description: `${content.kind}: ${paper.title}` };
}

/** The papers with the librarian's scores. */
async function scorePaperBatches(
  { run, topic }: Context,
  sources: Artifact[],
  papers: readonly Paper[],
  key: string,
  iteration: number,
): Promise<Paper[]> {
  const batches = chunksOf(papers, PAPERS_PER_QUERY);
  const answers = await run.parallel(batches, (batch, at) =>
    run.step(
      scorePapers,
      { topic, papers: batch },
      { key: `${key}.${at + 1}`, iteration, subject: key, inputs: [...sources] },
    ),
  );
  sources.push(...answers);
  return batches.flatMap((batch, at) => {
    const scores = new Map(answers[at]!.content.scores.map(({ paper, score }) => [paper, score]));
    return batch.map((paper, index) => ({ ...paper, score: scores.get(paperKey(index)) ?? null }));
  });
}
