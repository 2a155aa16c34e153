import type { Feedback } from "#workflow-kit/action";
import { at, quoted } from "#workflow-kit/text";
import type { Critique, Idea, Ideas, Revision } from "../artifacts";
import { drawn } from "../rules/chance";
import type { CritiqueIdeasInput, ProposeIdeasInput, ReviseIdeasInput, ShownPaper } from "../inputs";
import { keyOf } from "../rules/papers";
import { revised } from "../rules/revisions";
import { MECHANISMS, SETTINGS, type Mechanism } from "./mechanisms";

const COMBINATIONS = SETTINGS.flatMap((setting) => MECHANISMS.map((mechanism) => ({ mechanism, setting })));

/** Ideas of one seed: first of different mechanisms, then of mechanisms in other settings. */
function conceived(topic: string, seed: number, count: number): Idea[] {
  const order = drawn(MECHANISMS, seed, "mock mechanisms");
  const settings = drawn(SETTINGS, seed, "mock settings");
  return Array.from({ length: count }, (_, index) =>
    written(topic, at(order, index), at(settings, index + Math.floor(index / order.length))),
  );
}

function written(topic: string, mechanism: Mechanism, setting: (typeof COMBINATIONS)[number]["setting"]): Idea {
  const sentences = (...parts: string[]) => parts.filter(Boolean).join(" ");
  return {
    name: sentences(mechanism.name, setting.name),
    problem: sentences(mechanism.problem(topic), setting.problem),
    existing_methods: mechanism.existing,
    motivation: mechanism.motivation,
    proposed_method: steps(mechanism.method),
    experiment_plan: sentences(mechanism.plan, setting.plan),
  };
}

/** A method with each step on a line of its own. */
const steps = (method: string): string => method.split(/(?<=[;.])\s+/u).join("\n");

/** Versions of one idea: other names, the same text. */
const repeatedIdea = (idea: Idea, count: number): Idea[] =>
  Array.from({ length: count }, (_, index) =>
    index === 0 ? idea : { ...idea, name: `${idea.name}, Take ${index + 1}` },
  );

export function mockProposal(
  { topic, method, papers, existing, count, seed, base_seed }: ProposeIdeasInput,
  outcome: string,
  feedback?: Feedback<Ideas>,
): Ideas {
  const about = quoted(topic, 90) || "the topic";
  const taken = new Set(existing.map((name) => name.toLowerCase()));
  const own = conceived(about, seed, count);
  const ideas =
    outcome === "duplicate"
      ? repeatedIdea(conceived(about, base_seed, 1)[0]!, count)
      : outcome === "same_names"
        ? renamed(own, conceived(about, base_seed, count))
        : own;
  const [paper] = papers;
  return {
    ideas: ideas.map((idea, index) => ({
      ...idea,
      name: taken.has(idea.name.toLowerCase()) ? `${idea.name} Reconsidered` : idea.name,
      ...(index === 0 && paper
        ? { existing_methods: `${idea.existing_methods} So does "${quoted(paper.title, 80)}".` }
        : {}),
      ...(index === 0 && method !== null && method !== "prompting"
        ? { motivation: `${idea.motivation} It is a case for ${quoted(method, 60)}.` }
        : {}),
      ...(feedback ? { experiment_plan: `${idea.experiment_plan} As asked: ${quoted(feedback.comment, 160)}.` } : {}),
    })),
  };
}

/** The contents of some ideas under the names of others. */
const renamed = (contents: readonly Idea[], names: readonly Idea[]): Idea[] =>
  contents.map((idea, index) => ({ ...idea, name: names[index]!.name }));

type Objection = Pick<Critique["criticisms"][number], "category" | "criticism" | "papers">;

const OBJECTIONS: readonly Omit<Objection, "papers">[] = [
  {
    category: "missing_dataset_detail",
    criticism: "Which split is used, and how many items? Name the file one would download.",
  },
  { category: "missing_metric_detail", criticism: "How is this computed, step by step, and over how many runs?" },
  { category: "missing_procedure_detail", criticism: "What exactly goes in here, and what comes out?" },
  { category: "test_cases", criticism: "Show one input, what is sent for it, and what should come back." },
  { category: "involving_humans", criticism: "Who judges this? Use a model with a written rubric instead." },
  {
    category: "substance",
    criticism: "In my field such a loop settles on what was there first. What keeps it moving here?",
  },
];

const PUBLISHED = (paper: ShownPaper): Objection => ({
  category: "novelty",
  criticism: `"${quoted(paper.title, 80)}" comes close. Say what is still new against it.`,
  papers: [keyOf(paper, 0)],
});

export function mockCritique(
  { ideas, seed, persona, papers, earlier, most }: CritiqueIdeasInput,
  feedback?: Feedback<Critique>,
): Critique {
  const raised = new Set(earlier.flatMap(({ criticisms }) => criticisms.map(({ category }) => category)));
  const left = OBJECTIONS.filter(({ category }) => !raised.has(category));
  const own = (left.length < 3 ? OBJECTIONS : left).map((objection): Objection => ({ ...objection, papers: [] }));
  const objections = [...own, ...(papers?.[0] ? [PUBLISHED(papers[0])] : [])];
  const chosen = drawn(objections, seed, `objections ${persona.slice(0, 40)}`, Math.min(3, most));
  const criticisms = chosen.map((objection, index) => {
    const idea = at(ideas, seed + index);
    const text = index % 2 ? idea.experiment_plan : idea.proposed_method;
    return { idea: idea.name, quote: firstSentence(text), ...objection };
  });
  if (!feedback) return { criticisms };
  const remark = { ...criticisms[0]!, criticism: `A reader asks: ${quoted(feedback.comment, 200)}` };
  return { criticisms: [remark, ...criticisms.slice(1)] };
}

/** As `mockCritique`, in the paper's categories. */
export function mockPaperCritique(input: CritiqueIdeasInput, feedback?: Feedback<Critique>): Critique {
  const { criticisms } = mockCritique({ ...input, papers: null }, feedback);
  const paper_name = { missing_procedure_detail: "missing_prompt_detail", substance: "test_cases" } as const;
  return {
    criticisms: criticisms.map((one) => ({
      ...one,
      category: paper_name[one.category as keyof typeof paper_name] ?? one.category,
    })),
  };
}

/** Longest quote. Characters. */
const MAX_QUOTE_LENGTH = 240;

/** The first sentence, word for word. */
const firstSentence = (text: string): string => (text.split(/(?<=[.;])\s/u)[0] ?? text).slice(0, MAX_QUOTE_LENGTH);

const REMEDIES: Record<Critique["criticisms"][number]["category"], string> = {
  missing_dataset_detail: "Public test split, 200 items at random, fixed list in the appendix.",
  missing_metric_detail: "Mean over three runs with bootstrap intervals.",
  missing_procedure_detail: "Each step gets the output of the one before it, and nothing else.",
  missing_prompt_detail: 'Prompt: "Do this step alone, then stop."; the baseline gets the task alone.',
  test_cases: "Example: a short input, two calls, and the corrected line as output.",
  involving_humans: "A stronger model judges by a rubric of four lines.",
  substance: "A random restart each fifth step keeps it from settling.",
  novelty: "The nearest published method runs beside it as a baseline.",
};

const SAME = { name: null, problem: null, existing_methods: null, motivation: null, proposed_method: null };

/** The plans that change, and a reply to each criticism that the plan has met already. */
export function mockRevision(
  { topic, ideas, critiques }: ReviseIdeasInput,
  outcome: string,
  feedback?: Feedback<Revision>,
): Revision {
  const all = critiques.flatMap(({ criticisms }) => criticisms);
  const replaced = outcome === "replace" ? ideas.at(-1)! : null;
  const changes = ideas.map((idea, index): Revision["ideas"][number] => {
    const remedies = all.filter((criticism) => criticism.idea === idea.name).map(({ category }) => REMEDIES[category]);
    const fresh = [...new Set(remedies)].filter((remedy) => !idea.experiment_plan.includes(remedy));
    const more = [...fresh, ...(feedback && index === 0 ? [`As asked: ${quoted(feedback.comment, 160)}.`] : [])];
    return {
      idea: idea.name,
      ...SAME,
      ...(idea === replaced && replacement(quoted(topic, 90) || "the topic", ideas)),
      ...(idea !== replaced && { experiment_plan: more.length ? [idea.experiment_plan, ...more].join(" ") : null }),
    } as Revision["ideas"][number];
  });
  const replies = all.flatMap(({ idea: name, category }, index) => {
    const idea = ideas.find((one) => one.name === name);
    return idea !== replaced && idea?.experiment_plan.includes(REMEDIES[category])
      ? [{ criticism: `c${index + 1}`, reply: "The plan has this already." }]
      : [];
  });
  return { replies, ideas: changes.filter((change) => change.experiment_plan !== null) };
}

/** As `mockRevision`, with all ideas whole. */
export const mockPaperRevision = (input: ReviseIdeasInput, outcome: string, feedback?: Feedback<Ideas>): Ideas => ({
  ideas: revised(
    input.ideas,
    mockRevision(input, outcome, feedback && { ...feedback, previous: { replies: [], ideas: [] } }),
  ),
});

/** An idea with a name that no existing idea has. */
function replacement(topic: string, ideas: readonly Idea[]): Idea {
  const names = new Set(ideas.map(({ name }) => name));
  const fresh = COMBINATIONS.map(({ mechanism, setting }) => written(topic, mechanism, setting));
  const found = fresh.find(({ name }) => !names.has(name));
  return found ?? { ...fresh[0]!, name: `${fresh[0]!.name} Anew` };
}
