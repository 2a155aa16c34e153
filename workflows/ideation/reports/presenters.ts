import { contentsOf, nameOf, type Presenter, type PresentationContext } from "#workflow-kit/presentation";
import type { Because, IdeaSet, Ideas, KeptIdeas, Kind, Match, Ranking, Revision } from "../artifacts";

/** The ideas of the newest set by their ids. */
function ideaNames(surroundings: Pick<PresentationContext, "earlier">): Record<string, string> {
  const [set] = contentsOf<IdeaSet>(surroundings, "idea_set").slice(-1);
  return namesIn(set);
}

const namesIn = (set: IdeaSet | undefined): Record<string, string> =>
  Object.fromEntries((set?.ideas ?? []).map(({ id, name }) => [id, `${id}: ${name}`]));

const ideaSet: Presenter<IdeaSet> = {
  refers_to: [],
  present: (content) => {
    const ideas = content.ideas.map(({ id, name, configuration: _c, trial, proposer: _p, ...fields }) => ({
      idea: `${id}: ${name}`,
      ...fields,
      ...(trial === null && { from: "a person" }),
    }));
    return { content: { topic: content.topic, ideas }, names: namesIn(content) };
  },
};

const BECAUSE: Record<Because["cause"], string> = {
  similar: "it is too similar to",
  same_name: "it has the name of",
  same_idea: "it is the same idea as",
  human: "a person dropped it",
  consistency: "it contradicts itself or the topic",
  feasibility: "it is not feasible",
  significance: "it is not significant",
  novelty: "it is published already",
};

function reasonOf({ cause, similar_to, similarity, reason }: Because, names: Record<string, string>): string {
  const other = similar_to === undefined ? "" : ` ${nameOf(names, similar_to)}`;
  const measured = similarity === undefined ? "" : ` (similarity ${percent(similarity)})`;
  return `${BECAUSE[cause]}${other}${measured}${reason ? `. ${reason}` : ""}`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const keptIdeas: Presenter<KeptIdeas> = {
  refers_to: ["idea_set"],
  present: ({ kept, dropped, closest = [], measure }, surroundings) => {
    const names = ideaNames(surroundings);
    return {
      content: {
        kept: kept.map((id) => nameOf(names, id)),
        dropped: dropped.map(({ idea, because }) => ({ idea: nameOf(names, idea), because: reasonOf(because, names) })),
        closest_pairs_among_the_kept: closest.map(({ ideas, similarity, verdict }) => ({
          ideas: ideas.map((id) => nameOf(names, id)),
          similarity: percent(similarity),
          ...(verdict && { verdict: verdict.reason }),
        })),
        measure: `${measure.method}, ${measure.model}; above ${percent(measure.threshold)} an idea counts as a duplicate`,
      },
      names,
    };
  },
};

const ranking: Presenter<Ranking> = {
  refers_to: ["idea_set"],
  present: ({ places, rounds, play_off }, surroundings) => {
    const names = ideaNames(surroundings);
    const played = (matches: readonly Match[]) => matches.map((match) => resultOf(match, names));
    return {
      content: {
        places: places.map(({ id, score, tied, rubric }, index) => ({
          place: `${index + 1}. ${nameOf(names, id)}`,
          score,
          ...(tied && { tie: "drawn by lot among equal scores" }),
          ...(rubric && { rubric }),
        })),
        rounds: rounds.map(({ round, matches }) => ({ round, matches: played(matches) })),
        ...(play_off.length > 0 && { play_off: played(play_off) }),
      },
      names,
    };
  },
};

function resultOf({ a, b, winner, reasons }: Match, names: Record<string, string>): string {
  const [one, other] = winner === b ? [b, a] : [a, b];
  const result = `${nameOf(names, one)} ${winner === null ? "and" : "beats"} ${nameOf(names, other)}`;
  return [winner === null ? `${result}: even` : result, ...reasons].join(". ");
}

/** A revision without the fields that stay. */
const revision: Presenter<Revision | Ideas> = {
  refers_to: [],
  present: (content) => ({
    content: {
      ...content,
      ideas: content.ideas.map((change) =>
        Object.fromEntries(Object.entries(change).filter(([, text]) => text !== null)),
      ),
    },
  }),
};

/** Verdicts on one idea, whose id ends the subject: `feasibility of i3`. */
const onOneIdea: Presenter = {
  refers_to: ["idea_set"],
  present: (content, surroundings) => {
    const names = ideaNames(surroundings);
    const subject = surroundings.subject.replace(/\b[ih]\d+$/u, (id) => nameOf(names, id));
    return { content, subject, names };
  },
};

/** How people see the artifacts whose contents refer to others by ids. */
export const PRESENTERS: Partial<Record<Kind, Presenter>> = {
  revised_ideas: revision,
  idea_set: ideaSet,
  kept_ideas: keptIdeas,
  ranking,
  filter_verdict: onOneIdea,
  rubric: onOneIdea,
  proposal: onOneIdea,
};
