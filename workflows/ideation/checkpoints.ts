import type { Kind } from "./artifacts";

/** Kinds of whole sets of ideas, after which a person may pick, drop, edit and add. */
export const SELECTION_KINDS = ["idea_set", "kept_ideas", "ranking"] as const satisfies readonly Kind[];
export type SelectionKind = (typeof SELECTION_KINDS)[number];

/** Kinds after which a person may be asked. */
export const CHECKPOINT_KINDS = [
  "paper_query",
  "paper_scores",
  "proposed_ideas",
  "critique",
  "revised_ideas",
  ...SELECTION_KINDS,
  "filter_verdict",
  "rubric",
  "proposal",
] as const satisfies readonly Kind[];
