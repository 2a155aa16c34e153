import type { Feedback } from "#workflow-kit/action";
import { capitalized, listed, quoted } from "#workflow-kit/text";
import { A_PERSON, type WriteReqDraftInput } from "../inputs";
import { DEVICE_LINE, requirementSentence, ruleSentence, type Concept } from "./concept";
import type { Feature } from "./feature";
import { bullets, fillTemplate, type Section } from "./fill-template";
import { isOnlyName, understandIdea } from "./interview";

/** Numbered lines of a draft: requirements, and the assumptions on which some of them rest. */
class Lines {
  readonly requirements: string[] = [];
  readonly qualities: string[] = [];
  readonly assumptions: string[] = [];

  /** A requirement that idea, background or a person states. */
  given(sentence: string, source: string): void {
    this.requirements.push(`**R${this.requirements.length + 1}** ${sentence} [${source}]`);
  }

  /**
   * Requirements that rest on one assumption.
   * @param source who said it; null: the drafter supplies it
   */
  assumed(
    sentences: readonly string[],
    source: string | null,
    assumption: string,
    kind: "requirements" | "qualities",
  ): void {
    const mark = `A${this.assumptions.length + 1}`;
    for (const sentence of sentences) {
      const id = `${kind === "requirements" ? "R" : "Q"}${this[kind].length + 1}`;
      this[kind].push(`**${id}** ${sentence} (assumed, ${mark})${source ? ` [${source}]` : ""}`);
    }
    this.assumptions.push(`**${mark}** ${assumption}`);
  }
}

export function rehearseDraft(input: WriteReqDraftInput, feedback?: Feedback<string>): string {
  const { idea, template, stories, rejection } = input;
  const concept = understandIdea(idea);
  const { name, actors, features, devices } = concept;
  const lines = new Lines();
  const wishes = wishesOf(input);
  const tellers = (feature: Feature) =>
    wishes.filter(({ want }) => want.endsWith(feature.does)).map(({ stakeholder }) => stakeholder);
  const told = stories.map(({ stakeholder }) => quoted(stakeholder, 80)).join(", ") || "idea";
  if (isOnlyName(idea))
    lines.assumed(
      features.map(requirementSentence),
      told,
      "The idea is only a name: these are usual functions of such a system.",
      "requirements",
    );
  else
    for (const feature of features)
      lines.given(requirementSentence(feature), [...new Set(["idea", ...tellers(feature)])].join(", "));
  addAnswers(lines, input);
  if (feedback) lines.given(ruleSentence("a person remarked in review", quoted(feedback.comment)), "review");
  if (rejection) addRepairs(lines, rejection.report, actors[0]!);
  lines.assumed(qualities(concept), null, "Figures that are usual for such a system; nobody stated them.", "qualities");

  const functional: Section = {
    heading: /^(?!.*non-?functional).*(function|feature|capabilit|^requirements$)/iu,
    content: bullets(lines.requirements),
  };
  const quality: Section = { heading: /qualit|non-?functional|performance/iu, content: bullets(lines.qualities) };
  const further = wishes.filter(({ want }) => !features.some(({ does }) => want.endsWith(does)));
  const sections: Section[] = [
    { heading: /overview|purpose|introduction|summary|background/iu, content: overview(concept, stories.length) },
    {
      heading: /stakeholder|user|actor/iu,
      content: bullets([
        ...actors.map((actor) => `**${capitalized(actor)}**: wants to ${wants(actor, features)}.`),
        ...stories.map(({ stakeholder }) => `${quoted(stakeholder, 100)} told user stories.`),
      ]),
    },
    functional,
    quality,
    { heading: /interface/iu, content: bullets(devices.map((device) => capitalized(device) + DEVICE_LINE)) },
    { heading: /constraint/iu, content: bullets(["No technology is prescribed."]) },
    { heading: /assum|depend/iu, content: bullets(lines.assumptions) },
    {
      heading: /open|question|issue/iu,
      content: bullets(
        further.map(({ want }, index) => `**O${index + 1}** Is this wanted: ${want}?`),
        "None.",
      ),
    },
  ];
  return fillTemplate(template, name, sections, [
    { title: "Functional requirements", section: functional },
    { title: "Quality requirements", section: quality },
  ]);
}

/** What the stories want, without those that say it for the second time. */
function wishesOf({ stories }: WriteReqDraftInput): { stakeholder: string; want: string }[] {
  const wishes = new Map<string, { stakeholder: string; want: string }>();
  for (const { stakeholder, stories: lines } of stories)
    for (const story of lines) {
      const want = quoted(/ I want (?:to )?(.+?), so that /u.exec(story)?.[1] ?? story);
      wishes.set(`${stakeholder}\n${want}`, { stakeholder: quoted(stakeholder, 80), want });
    }
  return [...wishes.values()];
}

/** A person's answers are given; those of simulated stakeholders are assumptions, and the same one of several is one. */
function addAnswers(lines: Lines, { rounds }: WriteReqDraftInput): void {
  const assumed = new Map<string, { topic: string; from: string[] }>();
  for (const { questions, answers } of rounds)
    for (const { from, answers: given } of answers)
      for (const { question, answer } of given) {
        const topic = quoted(questions.find(({ id }) => id === question)?.topic ?? question, 60);
        const said = quoted(answer);
        if (from === A_PERSON) lines.given(ruleSentence(`a person answered on ${topic}`, said), "interview");
        else assumed.set(said, { topic, from: [...(assumed.get(said)?.from ?? []), quoted(from, 80)] });
      }
  for (const [said, { topic, from }] of [...assumed].slice(0, 8)) {
    const rule = said.replace(/^I assume (?:that )?/u, "");
    lines.assumed(
      [ruleSentence(`is assumed on ${topic}`, rule)],
      from.join(", "),
      `On ${topic}: ${rule}.`,
      "requirements",
    );
  }
}

/** For each fault of a report, the rule that answers it. */
function addRepairs(lines: Lines, report: string, serves: string): void {
  const faults = report.split("\n").flatMap((row) => /^\d+\.\s+(.*)$/u.exec(row)?.[1] ?? []);
  for (const fault of faults.slice(0, 5)) lines.given(ruleSentence("the check asked for", quoted(fault, 160)), serves);
}

function overview({ name, actors, features }: Concept, storytellers: number): string {
  const first = features.slice(0, 3).map(({ does }) => does);
  return [
    `"${name}" serves ${listed(actors.map((actor) => `the ${actor}`))}. At its heart: ${listed(first)}.`,
    `This draft rests on the rough idea, the user stories of ${storytellers} stakeholder${storytellers === 1 ? "" : "s"} and the interview.`,
  ].join(" ");
}

function wants(actor: string, features: readonly Feature[]): string {
  const own = features.filter((feature) => feature.actor === actor).map(({ does }) => does);
  return own.length > 0 ? listed(own) : "see the system do its work";
}

function qualities({ actors, features }: Concept): string[] {
  const { does, statement } = features[0]!;
  const first = statement ? "use the main function" : does;
  return [
    `The system shall answer an attempt to ${first} within 2 seconds in 95 of 100 cases.`,
    "The system shall be available for 99.5 % of each month.",
    `The system shall show what one ${actors[0]} has entered to nobody but that ${actors[0]} and the administrator.`,
    `9 of 10 people who see the system for the first time shall ${first} within 3 minutes without help.`,
  ];
}
