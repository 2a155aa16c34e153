import { critiqueIdeas, proposeIdeas, reviseIdeas } from "./dialogue";
import { scorePapers, writeNoveltyQueries, writePaperQuery } from "./librarian";
import { checkProposal, expandIdea } from "./proposal";
import { checkDuplicate, checkIdea, checkNovelty, judgePair, scoreRubric } from "./ranking";

/** In the order of the pipeline. */
export const actions = [
  writePaperQuery,
  scorePapers,
  proposeIdeas,
  critiqueIdeas,
  reviseIdeas,
  checkDuplicate,
  checkIdea,
  writeNoveltyQueries,
  checkNovelty,
  judgePair,
  expandIdea,
  checkProposal,
  scoreRubric,
] as const;

export * from "./dialogue";
export * from "./librarian";
export * from "./proposal";
export * from "./ranking";
