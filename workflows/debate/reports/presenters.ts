import { contentsOf, nameOf, type Presenter, type PresentationContext } from "#workflow-kit/presentation";
import type { Alone, Brief, Citation, Kind, Preference, Ranking, ShortAnswer, SideAnswer, Verdict } from "../artifacts";

type Case = PresentationContext<{ choices?: { label: string; text: string }[] }>;

/** Choices by their labels: `A: Yes, it binds.` */
const choicesOf = ({ input }: Case) =>
  Object.fromEntries((input.choices ?? []).map(({ label, text }) => [label, `${label}: ${text}`]));

/** Positions by their labels: choices, or the theses of an open question. */
function positionsOf(surroundings: Case) {
  const [assigned] = contentsOf<{ positions: { label: string; statement: string }[] }>(
    surroundings,
    "position_assignment",
  ).slice(-1);
  const theses = (assigned?.positions ?? []).map(({ label, statement }) => [label, `${label}: ${statement}`]);
  return { ...Object.fromEntries(theses), ...choicesOf(surroundings) } as Record<string, string>;
}

interface Found {
  excerpts: { source: string; title: string | null; excerpt: string }[];
}

/** Citations with the source in which their words stand, since `S3` alone says nothing to a reader. */
function withSources<T extends Pick<Citation, "authority_id" | "quote">>(citations: readonly T[], surroundings: Case) {
  const excerpts = contentsOf<Found>(surroundings, "authorities").flatMap((found) => found.excerpts);
  return citations.map((citation) => {
    const { authority_id, quote } = citation;
    const source = excerpts.find(({ excerpt }) => quote.trim() !== "" && excerpt.includes(quote.trim()));
    if (!source) return citation;
    const name = [source.source, source.title].filter(Boolean).join(", ");
    return { ...citation, authority_id: `${authority_id}: ${name}` };
  });
}

const REFERS_TO = ["position_assignment", "authorities"] as const satisfies Kind[];

const ranking: Presenter<Ranking> = {
  refers_to: [],
  present: ({ options, rival, ...content }, surroundings) => {
    const names = choicesOf(surroundings);
    const named = options.map(({ label, ...rest }) => ({ option: nameOf(names, label), ...rest }));
    return { content: { ...content, options: named, ...(rival && { rival: nameOf(names, rival.trim()) }) }, names };
  },
};

const shortAnswer: Presenter<ShortAnswer> = {
  refers_to: REFERS_TO,
  present: ({ answer, runner_up, citations, ...content }, surroundings) => {
    const names = choicesOf(surroundings);
    return {
      content: {
        ...content,
        citations: withSources(citations, surroundings),
        answer: nameOf(names, answer.trim()),
        runner_up: nameOf(names, runner_up.trim()),
      },
      names,
    };
  },
};

const preference: Presenter<Preference> = {
  refers_to: [],
  present: ({ labels, ...content }, surroundings) => {
    const names = choicesOf(surroundings);
    return { content: { ...content, best_first: labels.map((label) => nameOf(names, label)) }, names };
  },
};

const brief: Presenter<Brief> = {
  refers_to: REFERS_TO,
  present: (content, surroundings) => {
    const names = positionsOf(surroundings);
    const { citations, switches_to } = content;
    return {
      content: {
        ...content,
        citations: withSources(citations, surroundings),
        switches_to: switches_to && nameOf(names, switches_to.trim()),
      },
      names,
    };
  },
};

const sideAnswer: Presenter<SideAnswer> = {
  refers_to: REFERS_TO,
  present: (content, surroundings) => ({
    content: { ...content, citations: withSources(content.citations, surroundings) },
  }),
};

const verdict: Presenter<Verdict> = {
  refers_to: [],
  present: (content, surroundings) => {
    const names = choicesOf(surroundings);
    const { answer, winner } = content;
    return { content: { ...content, answer: nameOf(names, answer.trim()), winner: winner && `Party ${winner}` } };
  },
};

const soleAnswer: Presenter<Alone> = {
  refers_to: REFERS_TO,
  present: (content, surroundings) => ({
    content: {
      ...content,
      answer: nameOf(choicesOf(surroundings), content.answer.trim()),
      citations: withSources(content.citations, surroundings),
    },
  }),
};

/** How people see the artifacts whose contents refer to others by ids. */
export const PRESENTERS: Partial<Record<Kind, Presenter>> = {
  option_ranking: ranking,
  short_answer: shortAnswer,
  option_preference: preference,
  brief,
  side_answer: sideAnswer,
  verdict,
  sole_answer: soleAnswer,
};
