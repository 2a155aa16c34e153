/** Limits of an idea's parts, in words: proposers, critics and revisers are told the same. */
export const WORD_LIMITS = { longest_method: 350, longest_plan: 300 } as const;

/** Most criticisms of a critic in the paper, whatever the number of ideas. */
export const PAPER_CRITICISMS = 5;

/** Most criticisms that an output may have. */
const MOST_CRITICISMS = 20;

/** Most criticisms of a batch of ideas: one for each idea, and no fewer than the paper's five. */
export const mostCriticisms = (ideas: number): number => Math.min(Math.max(PAPER_CRITICISMS, ideas), MOST_CRITICISMS);
