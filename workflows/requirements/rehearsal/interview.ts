import type { Feedback } from "#workflow-kit/action";
import type { Answers, Questions, RoughIdea, UserStories } from "../artifacts";
import type { AnswerQuestionInput, ProposeQuestionInput, SpeakUserStoriesInput } from "../inputs";
import { understand, type Concept } from "./concept";
import { withArticle } from "./text";
import { at, capitalized, clip, listed, quoted } from "#workflow-kit/text";
import type { Feature } from "./feature";

export const understandIdea = (idea: RoughIdea): Concept =>
  understand([idea.idea, idea.background ?? ""].join("\n"), idea.title);

/** A name of a system, without a word on what it does. */
export const isOnlyName = (idea: RoughIdea): boolean => !idea.background && idea.idea.trim().split(/\s+/u).length <= 5;

const BENEFITS = [
  "so that I need not ask anybody else for it",
  "so that nothing is forgotten",
  "so that it takes me a minute and not an hour",
  "so that everybody concerned knows the same",
  "so that I can rely on it later",
] as const;

/** Variants of a wish, so that any number of stories can be told. */
const SIDES = [
  (wish: string) => `to ${wish}`,
  (wish: string) => `to be told at once when I could not ${wish}`,
  (wish: string) => `to undo it when I made a mistake while trying to ${wish}`,
  (wish: string) => `to ${wish} on my phone as well`,
  (wish: string) => `nobody who has no right to it to ${wish}`,
] as const;

/** A wish as an infinitive without "to". */
const wish = ({ does, actor, statement }: Feature): string =>
  statement ? `have this provided: ${does}` : actor ? does : `have the system ${does}`;

export function rehearseStories(
  { idea, stakeholder, count }: SpeakUserStoriesInput,
  feedback?: Feedback<UserStories>,
): UserStories {
  const { features, actors } = understandIdea(idea);
  const assumed = isOnlyName(idea) ? " (I assume)" : "";
  const turn = [...stakeholder.name].length; // stakeholders start with different features
  const stories = Array.from({ length: count }, (_, index) => {
    const feature = features[(index + (turn % 3)) % features.length]!;
    const side = at(SIDES, Math.floor(index / features.length));
    return `As ${withArticle(feature.actor ?? actors[0]!)}, I want ${side(wish(feature))}, ${at(BENEFITS, index + turn)}.${repeat(index, features.length)}${assumed}`;
  });
  if (feedback)
    stories[count - 1] = `As ${withArticle(actors[0]!)}, I want this to be heeded: ${quoted(feedback.comment)}.`;
  return { stories };
}

/** Stories beyond all variants differ by their rank. */
const repeat = (index: number, features: number): string =>
  index < features * SIDES.length ? "" : ` (Once more, as number ${index + 1}.)`;

type Topic = readonly [topic: string, question: (concept: Concept, feature: Feature) => string];

const TOPICS: readonly [Topic, ...Topic[]] = [
  [
    "permissions",
    (concept, feature) => `Who besides ${people(concept)} may ${wish(feature)}, and who must never be able to?`,
  ],
  ["failure", (_concept, feature) => `What should happen when the attempt to ${wish(feature)} fails half way?`],
  [
    "amounts",
    (_concept, feature) =>
      `How often a day does somebody want to ${wish(feature)}, and is there a limit for one person?`,
  ],
  [
    "privacy",
    ({ things }) => `Who may see the information about ${things[0] ?? "the users"}, and for how long is it kept?`,
  ],
  ["speed", (_concept, feature) => `How long may it take to ${wish(feature)} before it hurts?`],
  [
    "surroundings",
    ({ devices }) =>
      `Which other systems or devices take part${devices.length > 0 ? ` besides ${listed(devices)}` : ""}?`,
  ],
  ["law", ({ name }) => `Which laws or house rules does "${name}" have to keep?`],
  ["scope", ({ name }) => `What is "${name}" not meant to do in its first version?`],
  ["notice", (_concept, feature) => `Who has to be told when somebody wanted to ${wish(feature)}, and how soon?`],
  [
    "accessibility",
    (concept) => `Which of ${people(concept)} need it in another language, or with larger text or spoken words?`,
  ],
];

const people = ({ actors }: Concept): string => listed(actors.map((actor) => `the ${actor}`));

export function rehearseQuestions(input: ProposeQuestionInput, feedback?: Feedback<Questions>): Questions {
  const { idea, stakeholders, rounds, rejection } = input;
  const concept = understandIdea(idea);
  const asked = rounds.length;
  const questions = [0, 1].map((offset) => {
    const index = asked * 2 + offset;
    const [topic, question] = at(TOPICS, index);
    const feature = concept.features[(asked + offset) % concept.features.length]!;
    const again = index < TOPICS.length ? "" : " You may answer for the time after the first year.";
    // The first question is for all stakeholders, the second for one of them.
    const to = offset === 1 && stakeholders.length > 1 ? at(stakeholders, asked).name : "all";
    return { id: `q${offset + 1}`, topic, to, question: clip(question(concept, feature) + again, 500) };
  });
  if (rejection) questions[0] = { id: "q1", topic: "error report", to: "all", question: aboutReport(rejection.report) };
  if (feedback)
    questions[1] = {
      id: "q2",
      topic: "comment",
      to: "all",
      question: `What exactly do you need, given this remark: "${quoted(feedback.comment)}"?`,
    };
  return { questions };
}

function aboutReport(report: string): string {
  const fault = report.split("\n").find((row) => /^1\.\s/u.test(row)) ?? report;
  return `How should this point of the check be settled: "${quoted(fault, 160)}"?`;
}

/** Two answers to each topic, so that stakeholders can disagree. What neither idea nor background states begins with "I assume". */
const DECISIONS: Readonly<Record<string, (concept: Concept) => readonly [string, string]>> = {
  permissions: ({ actors }) => [
    `I assume that only ${withArticle(actors[0]!)} who has signed in may do it; visitors from outside never.`,
    `I assume each ${actors[0]} for their own matters, and the administrator for all.`,
  ],
  failure: () => [
    "I assume that nothing is changed then, and a plain message says what to do next.",
    "I assume that what was entered is kept, so that nobody has to enter it twice, and a message says why it failed.",
  ],
  amounts: () => [
    "I assume about 200 times on a busy day, and at most 5 open ones for one person.",
    "I assume 50 times a day; no limit for one person.",
  ],
  privacy: ({ actors }) => [
    `I assume that only the ${actors[0]} concerned and the administrator may; after two years it is deleted.`,
    "I assume that whoever takes part may see it while it is open, and that it is kept for one year afterwards.",
  ],
  speed: () => [
    "I assume that up to 2 seconds is fine; beyond 10 seconds I would give up.",
    "I assume 1 second at most; it should be there as soon as I look.",
  ],
  surroundings: ({ devices }) =>
    devices.length > 0
      ? [
          `${capitalized(listed(devices))}; nothing else that I know of.`,
          `${capitalized(devices[0]!)} above all; I assume e-mail for messages.`,
        ]
      : ["I assume e-mail for messages, and nothing else.", "I do not know of any."],
  law: () => [
    "I assume the data protection law of our country. I do not know of any other.",
    "I assume data protection, and that records are kept for the tax office where money is paid.",
  ],
  scope: () => [
    "I assume that it need not handle money across borders.",
    "I assume that it need not work without a network connection.",
  ],
  notice: ({ actors }) => [
    `I assume the ${actors[0]} concerned, by e-mail within five minutes.`,
    "I assume that a summary each morning is enough.",
  ],
  accessibility: () => [
    "I assume that everything must work by keyboard and with a screen reader.",
    "I assume English and one more language to begin with.",
  ],
};

export function rehearseAnswers(
  { idea, stakeholder, questions }: AnswerQuestionInput,
  feedback?: Feedback<Answers>,
): Answers {
  const concept = understandIdea(idea);
  const turn = [...stakeholder.name].length;
  const answers = questions.map(({ id, topic }) => {
    const usual = `I would keep it simple: what is usual in a system such as "${concept.name}", and no more.`;
    return { question: id, answer: Object.hasOwn(DECISIONS, topic) ? at(DECISIONS[topic]!(concept), turn) : usual };
  });
  if (feedback)
    answers[0] = {
      ...answers[0]!,
      answer: `I have thought again, because of "${quoted(feedback.comment)}": that is what I want.`,
    };
  return { answers };
}
