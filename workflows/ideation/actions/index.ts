import { critiqueIdeas, proposeIdeas, reviseIdeas } from "./dialogue";
import { scorePapers, writePaperQuery } from "./librarian";
import { checkDuplicate, checkIdea, checkNovelty, expandIdea, judgePair, scoreRubric } from "./ranking";

/** In the order of the pipeline. */
export const actions = [
  writePaperQuery,
  scorePapers,
  proposeIdeas,
  critiqueIdeas,
  reviseIdeas,
  checkDuplicate,
  checkIdea,
  checkNovelty,
  expandIdea,
  judgePair,
  scoreRubric,
] as const;

export * from "./dialogue";
export * from "./librarian";
export * from "./ranking";
