import { IDEA_FIELDS, type Idea, type Ideas, type Revision } from "../artifacts";
import { ideaNameKey } from "./names";

type IdeaField = (typeof IDEA_FIELDS)[number];
type Change = Revision["ideas"][number];

/** The change of an idea in a revision. */
const changeOf = ({ name }: Idea, changes: readonly Change[]): Change | undefined =>
  changes.find(({ idea }) => ideaNameKey(idea) === ideaNameKey(name));

/** Whether a revision has whole ideas: those of the profile `paper`. */
const isWhole = (revision: Revision | Ideas): revision is Ideas => !("replies" in revision);

/** A batch of ideas after a revision. */
export function revised(ideas: readonly Idea[], revision: Revision | Ideas): Idea[] {
  if (isWhole(revision)) return revision.ideas;
  return ideas.map((idea) => {
    const { idea: _, ...change } = changeOf(idea, revision.ideas) ?? { idea: "" };
    return { ...idea, ...Object.fromEntries(Object.entries(change).filter(([, text]) => text !== null)) };
  });
}

export const repliesIn = (revision: Revision | Ideas): Revision["replies"] =>
  isWhole(revision) ? [] : revision.replies;

/** The fields of each idea that differ after a revision; all of them in an idea that has another name. */
export const changedFields = (before: readonly Idea[], after: readonly Idea[]): IdeaField[][] =>
  after.map((idea, index) => {
    const was = before[index];
    return IDEA_FIELDS.filter((field) => was?.name !== idea.name || was[field] !== idea[field]);
  });
