import type { DocumentReference } from "#workflow-kit/artifact";
import { Rejected } from "#workflow-kit/rejected";
import { reference } from "#workflow-kit/run";
import type { IdeaSet, Selection, SelectionKind } from "../artifacts";
import type { IdeationContext } from "../context";
import { additionsSchema, selected } from "../rules/selection";
import { listed, type ListedIdea } from "./dialogue";

/** What a person made of a set of ideas. */
export interface Reviewed {
  set: DocumentReference;
  listed: ListedIdea[];
  dropped: string[];
  edited: string[];
  added: string[];
}

const PROMPTS: Record<SelectionKind, string> = {
  idea_set: "These are all ideas of the run. Pick, drop, edit or add before duplicates are looked for.",
  kept_ideas: "These ideas are left after duplicates were dropped. Pick, drop, edit or add before they are judged.",
  ranking: "This is the ranking. Pick, drop, edit or add; ideas that are new or were edited are ranked anew.",
};

/**
 * A checkpoint at which a person goes over the ideas. Nobody answering in time leaves them as they are.
 * @param about what the person is to read
 * @param going ids of the ideas that are still in the run
 * @param written whether proposals have been made of them: then they can be picked and dropped only
 */
export async function review(
  assignment: IdeationContext,
  kind: SelectionKind,
  about: DocumentReference,
  set: DocumentReference,
  going: readonly string[],
  written: boolean,
): Promise<Reviewed | null> {
  const { run } = assignment;
  const [read, ideas] = await run.read<unknown>([about, set]);
  const { content } = ideas as { content: IdeaSet };
  const reply = await run.ask({
    key: kind,
    kind: "feedback",
    prompt: PROMPTS[kind],
    artifacts: about.artifact_id === set.artifact_id ? [read!] : [read!, ideas!],
    // Once proposals have been written, an idea that changes would no longer be what they say.
    additions: written ? additionsSchema(going).omit({ edit: true, add: true }) : additionsSchema(going),
  });
  if (reply.status === "expired") return null;
  const result = selected(content.ideas, going, reply.additions);
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
  const kept = await assignment.keep("selection", { ...human, inputs: [read!] }, () => selection);
  if (reply.decision === "reject") throw new Rejected(read!);
  if (!result.edited.length && !result.added.length) return { ...result, set, listed: content.ideas.map(listed) };
  const next = await assignment.keep("idea_set", { ...human, inputs: [ideas!, kept] }, () => ({
    topic: content.topic,
    ideas: result.ideas,
  }));
  return { ...result, set: reference(next)!, listed: result.ideas.map(listed) };
}
