import type { Retrieved, SourcePaper } from "#workflow-kit/retrieval";
import type { Idea, Paper } from "../artifacts";
import { drawn } from "./chance";
import { comparedText } from "./similarity";
import { byWords } from "./lexical-similarity";

/** What becomes of papers that are found (Si et al.; spec, step 1). */

/** Kinds of papers that present no method. */
const OVERVIEW = /survey|review|position paper/iu;

/** An abstract of so few words says too little; after the first query more is asked for. */
const SHORT_ABSTRACT = { first: 20, later: 50 } as const;

const words = (text: string): number => text.match(/\S+/gu)?.length ?? 0;

/** Those of a query's papers that are worth scoring. */
export const usable = (papers: readonly SourcePaper[], query: keyof typeof SHORT_ABSTRACT): Paper[] =>
  papers.flatMap(({ abstract, ...paper }) =>
    abstract !== null && !OVERVIEW.test(paper.title) && words(abstract) > SHORT_ABSTRACT[query]
      ? [{ ...paper, abstract, score: null }]
      : [],
  );

const titleKey = (title: string): string => title.toLowerCase().replace(/\s+/gu, "");

/** Those that are not among the papers there are, nor twice among themselves: by id, title or abstract. */
export function fresh(papers: readonly Paper[], known: readonly Paper[]): Paper[] {
  const keys = ({ id, title, abstract }: Paper) => [`id ${id}`, `title ${titleKey(title)}`, `abstract ${abstract}`];
  const seen = new Set(known.flatMap(keys));
  return papers.filter((paper) => {
    const own = keys(paper);
    if (own.some((key) => seen.has(key))) return false;
    for (const key of own) seen.add(key);
    return true;
  });
}

/** Best first; equals stay in their order, and those without a score come last. */
export const sorted = (papers: readonly Paper[]): Paper[] =>
  papers.toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0));

/** The papers that one trial sees: drawn from the best, twice as many as are wanted (spec, step 2). */
export const groundingOf = (papers: readonly Paper[], count: number, seed: number): Paper[] =>
  drawn(papers.slice(0, 2 * count), seed, "grounding papers", count);

/** How many papers an idea is compared with (spec, "Optional filter"). */
export const PAPERS_COMPARED = 10;

/** The papers that share most words with an idea, most alike first. */
export function nearest(idea: Idea, papers: readonly Paper[]): Paper[] {
  const texts = papers.map(({ title, abstract }) => `${title}\n${abstract}`);
  const alike = byWords([...texts, comparedText(idea)]).before(papers.length);
  return papers
    .map((paper, index) => ({ paper, alike: alike[index]! }))
    .toSorted((one, other) => other.alike - one.alike)
    .slice(0, PAPERS_COMPARED)
    .map(({ paper }) => paper);
}

/** A passage of a corpus, as a paper. */
export const excerptPaper = ({ id, title, source, excerpt, date, url }: Retrieved["excerpts"][number]): Paper => ({
  id,
  title: title ?? source,
  abstract: excerpt,
  year: Number(/^\d{4}/u.exec(date ?? "")?.[0]) || null,
  citations: null,
  url,
  score: null,
});

/** Says which corpora have been deleted since the run was created. */
export const missingCorpora = ({ missing_corpora }: Retrieved): string[] =>
  missing_corpora.length ? [`These corpora are gone: ${missing_corpora.join(", ")}.`] : [];

/** In prompts, papers go by their place in the list: ids of catalogues are long, and models garble them. */
export const paperKey = (index: number): string => `p${index + 1}`;
