import type { DocumentReference } from "#workflow-kit/artifact";
import { ReviewRejectedError } from "#workflow-kit/rejected";
import { reference } from "#workflow-kit/run";
import type { IdeaSet, Selection, SelectionKind } from "../artifacts";
import type { Context } from "../context";
import { additionsSchema, applySelection } from "../rules/selection";
import { listed, type ListedIdea } from "./dialogue";

/** Result of a person's review of the ideas. */
export interface ReviewResult {
  set: DocumentReference;
  listed: ListedIdea[];
  dropped: string[];
  edited: string[];
  added: string[];
}

const PROMPTS: Record<SelectionKind, string> = {
  idea_set: "These are all ideas of the run. Pick, drop, edit or add before duplicates are looked for.",
  kept_ideas: "These ideas are left after duplicates were dropped. Pick, drop, edit or add before they are judged.",
  ranking: "This is the ranking. Pick, drop, edit or add. If you edit or add ideas, the ranking is repeated.",
};

interface ReviewInput {
  kind: SelectionKind;
  /** The artifact that the person reads. */
  about: DocumentReference;
  set: DocumentReference;
  /** Ids of the ideas that are still in the run. */
  remaining: readonly string[];
  /** Whether proposals exist; then ideas can only be picked and dropped. */
  hasProposals: boolean;
}

/** A review step at which a person reviews the ideas; null when nobody answered in time. */
export async function review(
  context: Context,
  { kind, about, set, remaining, hasProposals }: ReviewInput,
): Promise<ReviewResult | null> {
  const { run } = context;
  const [read, ideas] = await run.read<unknown>([about, set]);
  const { content } = ideas as { content: IdeaSet };
  const reply = await run.ask({
    key: kind,
    kind: "feedback",
    prompt: PROMPTS[kind],
    artifacts: about.artifact_id === set.artifact_id ? [read!] : [read!, ideas!],
    // An idea must not change after its proposal has been written.
    additions: additionsSchema(remaining, !hasProposals),
  });
  if (reply.status === "expired") return null;
  const result = applySelection(content.ideas, remaining, reply.additions);
  const selection: Selection = {
    about: about.artifact_id,
    picked: reply.additions.pick ?? [],
    dropped: result.dropped,
    edited: result.edited,
    added: result.added,
    comment: reply.comment,
    answered_by: reply.answered_by,
  };
  const human = { action: "human_interaction", role: "human", key: kind };
  const kept = await context.compute("selection", { ...human, inputs: [read!] }, () => selection);
  if (reply.decision === "reject") throw new ReviewRejectedError(read!);
  if (!result.edited.length && !result.added.length) return { ...result, set, listed: content.ideas.map(listed) };
  const next = await context.compute("idea_set", { ...human, inputs: [ideas!, kept] }, () => ({
    topic: content.topic,
    ideas: result.ideas,
  }));
  return { ...result, set: reference(next)!, listed: result.ideas.map(listed) };
}
