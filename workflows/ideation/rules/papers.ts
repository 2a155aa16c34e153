import type { Retrieved, SourcePaper } from "#workflow-kit/retrieval";
import type { Idea, Paper } from "../artifacts";
import { drawn } from "./chance";
import { comparedText } from "./similarity";
import { byWords } from "./lexical-similarity";
import { countWords } from "./limits";

/** Selects, sorts and formats papers (Si et al.; spec, step 1). */

/** Titles of papers that present no method. */
const OVERVIEW = /survey|review|position paper/iu;

/** Abstracts of at most so many words are too short; later queries require more. */
const SHORT_ABSTRACT = { first: 20, later: 50 } as const;

/** The papers of a query's result that are worth scoring. */
export const usable = (papers: readonly SourcePaper[], query: keyof typeof SHORT_ABSTRACT): Paper[] =>
  papers.flatMap(({ abstract, ...paper }) =>
    abstract !== null && !OVERVIEW.test(paper.title) && countWords(abstract) > SHORT_ABSTRACT[query]
      ? [{ ...paper, abstract, score: null }]
      : [],
  );

const titleKey = (title: string): string => title.toLowerCase().replace(/\s+/gu, "");

/** Papers that are not known yet, each once; equal are those with the same id, title or abstract. */
export function newPapers(papers: readonly Paper[], known: readonly Paper[]): Paper[] {
  const keys = ({ id, title, abstract }: Paper) => [`id ${id}`, `title ${titleKey(title)}`, `abstract ${abstract}`];
  const seen = new Set(known.flatMap(keys));
  return papers.filter((paper) => {
    const own = keys(paper);
    if (own.some((key) => seen.has(key))) return false;
    for (const key of own) seen.add(key);
    return true;
  });
}

/** The caller's papers first, then by score, best first; ties keep their order. Papers without a score come last. */
export const byScore = (papers: readonly Paper[]): Paper[] =>
  papers.toSorted(
    (one, other) => Number(other.given ?? false) - Number(one.given ?? false) || (other.score ?? 0) - (one.score ?? 0),
  );

/** Up to this multiple of the papers that a trial sees, all given papers are shown. */
const MAX_ABOVE = 1.5;

/**
 * The papers of one trial: `count` drawn from the 2 · `count` best (spec, step 2). Papers that were found fill up what the caller's leave.
 * @param papers in the order of `byScore`
 */
export function groundingOf(papers: readonly Paper[], count: number, seed: number): Paper[] {
  const draw = (from: readonly Paper[], purpose: string, wanted: number) =>
    drawn(from.slice(0, 2 * wanted), seed, purpose, wanted);
  const given = papers.filter((paper) => paper.given);
  if (given.length === 0) return draw(papers, "grounding papers", count);
  // A few more than wanted are all shown: the caller has chosen them.
  const own = given.length <= count * MAX_ABOVE ? given : draw(given, "grounding papers", count);
  const found = papers.filter((paper) => !paper.given);
  return [...own, ...draw(found, "found papers", Math.max(0, count - own.length))];
}

/** Number of papers that an idea is compared with (spec, "Optional filter"). */
export const PAPERS_COMPARED = 10;
/** Number of papers that the writer of a proposal sees at most: those of a trial's choice. */
export const PAPERS_OF_PROPOSAL = 20;

/** The text of a paper for comparison with an idea. */
export const paperText = ({ title, abstract }: Pick<Paper, "title" | "abstract">): string => `${title}\n${abstract}`;

/**
 * The papers most similar to an idea, in the order given, so that prompts about several ideas begin alike.
 * @param similarities of the idea to each paper; by default the similarity of words
 */
export function nearest(
  idea: Idea,
  papers: readonly Paper[],
  most: number,
  similarities: ArrayLike<number> = byWords([...papers.map(paperText), comparedText(idea)]).before(papers.length),
): Paper[] {
  const best = papers
    .map((_, index) => index)
    .toSorted((one, other) => similarities[other]! - similarities[one]!)
    .slice(0, most);
  return papers.filter((_, index) => best.includes(index));
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
  given: true,
});

/** A note on corpora that were deleted after the run was created. */
export const missingCorpora = ({ missing_corpora }: Retrieved): string[] =>
  missing_corpora.length ? [`These corpora are gone: ${missing_corpora.join(", ")}.`] : [];

/** A paper's id in prompts, from its place in a list: models miscopy the long ids of catalogues. */
export const paperKey = (index: number): string => `p${index + 1}`;

/** The id of a paper in a prompt: that of the bank, else of its place in the prompt. */
export const keyOf = ({ key }: Pick<Paper, "key">, index: number): string => key ?? paperKey(index);

/** Papers of a bank with ids that hold for the whole run, so that "p4" in an idea is p4 wherever the idea is read. */
export const numberedPapers = (papers: readonly Paper[]): Paper[] =>
  papers.map((paper, index) => ({ ...paper, key: paperKey(index) }));

/** Papers of a bank together with others, whose ids `n1`, `n2`, … are none of the bank's. */
export const withNewKeys = (papers: readonly Paper[]): Paper[] =>
  papers.some(({ key }) => key !== undefined)
    ? papers.map((paper, index) => ({ ...paper, key: paper.key ?? `n${index + 1}` }))
    : [...papers];
