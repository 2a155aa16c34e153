import type { Feedback } from "#workflow-kit/action";
import { listed, quoted } from "#workflow-kit/text";
import type { DraftChanges } from "../artifacts";
import { A_PERSON, type ReviseReqDraftInput, type WriteReqDraftInput } from "../inputs";
import { idLines, numberedLines } from "../rules/draft-lines";
import { isOnlyName, requirementSentence, ruleSentence, understandIdea } from "./concept";
import { fillTemplate, FUNCTIONS, list, QUALITIES, type Section } from "./fill-template";

const numbered = (letter: string, lines: readonly string[]) =>
  list(lines.map((line, index) => `**${letter}${index + 1}** ${line}`));

export function mockDraft(input: WriteReqDraftInput, feedback?: Feedback): string {
  const { idea, template, stories, rejection } = input;
  const { name, actors, features } = understandIdea(idea);
  const requirements: string[] = [];
  const assumptions: string[] = [];
  const require = (sentence: string, source: string) => requirements.push(`${sentence} [${source}]`);
  /** @returns the mark of a requirement that rests on the assumption */
  const assume = (assumption: string) => ` (assumed, A${assumptions.push(assumption)})`;

  const wishes = wishesOf(input);
  const told = stories.map(({ stakeholder }) => quoted(stakeholder, 80)).join(", ") || "idea";
  const mark = isOnlyName(idea) && assume("The idea is only a name: these are usual functions of such a system.");
  for (const feature of features) {
    const tellers = wishes.filter(({ want }) => want.endsWith(feature.does)).map(({ stakeholder }) => stakeholder);
    require(requirementSentence(feature) + (mark || ""), mark ? told : [...new Set(["idea", ...tellers])].join(", "));
  }
  for (const { topic, said, from } of answersIn(input)) {
    const rule = said.replace(/^I assume /u, "");
    if (from === A_PERSON) require(ruleSentence(`a person answered on ${topic}`, said), "interview");
    else require(ruleSentence(`is assumed on ${topic}`, rule) + assume(`On ${topic}: ${rule}.`), quoted(from, 80));
  }
  if (feedback) require(ruleSentence("a person remarked in review", quoted(feedback.comment)), "review");
  for (const fault of rejection?.report.match(/^\d+\.\s+.*$/gmu)?.slice(0, 5) ?? [])
    require(ruleSentence("the check asked for", quoted(fault, 160)), "idea");
  const usual = assume("Figures that are usual for such a system; nobody stated them.");
  const qualities = [`The system shall answer within 2 seconds in 95 of 100 cases.${usual}`];

  const needed: Record<string, Section> = {
    "Functional requirements": [FUNCTIONS, numbered("R", requirements)],
    "Quality requirements": [QUALITIES, numbered("Q", qualities)],
  };
  const further = wishes.filter(({ want }) => !features.some(({ does }) => want.endsWith(does)));
  const open = [...new Set(further.map(({ want }) => `Is this wanted: ${want}?`))];
  const sections: Section[] = [
    [/overview|purpose|introduction|summary|background/iu, `"${name}" serves these people: ${listed(actors)}.`],
    [/stakeholder|user|actor/iu, list(stories.map(({ stakeholder }) => `${quoted(stakeholder, 100)} told stories.`))],
    ...Object.values(needed),
    [/assum|depend/iu, numbered("A", assumptions)],
    [/open|question|issue/iu, numbered("O", open)],
  ];
  return fillTemplate(template, name, sections, needed);
}

const wishesOf = ({ stories }: WriteReqDraftInput): { stakeholder: string; want: string }[] =>
  stories.flatMap(({ stakeholder, stories: told }) =>
    told.map((story) => {
      const want = quoted(/ I want (?:to )?(.+?), so that /u.exec(story)?.[1] ?? story);
      return { stakeholder: quoted(stakeholder, 80), want };
    }),
  );

/** The first answers of the interview. */
const answersIn = ({ rounds }: WriteReqDraftInput): { topic: string; said: string; from: string }[] =>
  rounds
    .flatMap(({ questions, answers }) => answers.map((one) => ({ ...one, questions })))
    .flatMap(({ from, answers, questions }) =>
      answers.map(({ question, answer }) => {
        const topic = quoted(questions.find(({ id }) => id === question)?.topic ?? question, 60);
        return { topic, said: quoted(answer), from };
      }),
    )
    .slice(0, 12);

/** For each finding a new requirement below the line that it names, else below the last requirement. */
export function mockRevision({ draft, findings }: ReviseReqDraftInput, feedback?: Feedback): DraftChanges {
  const rows = numberedLines(draft).map(({ number, text }) => ({ number, id: idLines(text)[0]?.id }));
  const last = rows.findLast(({ id }) => id?.startsWith("R")) ?? rows.at(-1)!;
  let next = Math.max(0, ...rows.flatMap(({ id }) => (id?.startsWith("R") ? Number(id.slice(1)) : [])));
  const change = (why: string, location: string, sentence: string): DraftChanges["changes"][number] => ({
    why: `${why}: a rule for it is added`,
    line: (rows.find(({ id }) => id === location) ?? last).number,
    change: "insert_after",
    text: `- **R${++next}** ${sentence} [idea]`,
  });
  const changes = findings.map(({ id, location, explanation }) =>
    change(id, location, ruleSentence("the check asked for", quoted(explanation, 160))),
  );
  if (feedback) changes.push(change("review", "", ruleSentence("a person remarked", quoted(feedback.comment, 160))));
  return { changes };
}
