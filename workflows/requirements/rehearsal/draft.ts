import type { Feedback } from "#workflow-kit/action";
import type { WriteReqDraftInput } from "../inputs";
import { DEVICE_LINE, requirementSentence, ruleSentence, type Concept } from "./concept";
import { bullets, fillTemplate, type Section } from "./fill-template";
import { understandIdea } from "./interview";
import { capitalized, listed, quoted } from "#workflow-kit/text";
import type { Feature } from "./feature";

/** Answers that a person gave weigh more than simulated ones: they become requirements of their own. */
const BY_A_PERSON = "human";

export function rehearseDraft(input: WriteReqDraftInput, feedback?: Feedback<string>): string {
  const { idea, template, stories, rounds, rejection } = input;
  const concept = understandIdea(idea);
  const { name, actors, features, devices } = concept;
  const facts = rounds.flatMap(({ questions, answers }) =>
    answers.flatMap(({ from, answers: given }) =>
      given.map(({ question, answer }) => ({
        from,
        answer,
        topic: questions.find(({ id }) => id === question)?.topic ?? question,
      })),
    ),
  );
  const lines = [
    ...features.map((feature) => `${requirementSentence(feature)} [${feature.actor ?? "idea"}]`),
    ...facts
      .filter(({ from }) => from === BY_A_PERSON)
      .map(
        ({ topic, answer }) =>
          `${ruleSentence(`a person answered on ${quoted(topic, 60)}`, quoted(answer))} [interview]`,
      ),
    ...(feedback ? [`${ruleSentence("a person remarked in review", quoted(feedback.comment))} [review]`] : []),
    ...(rejection ? repairs(rejection.report, actors[0]!) : []),
  ];

  const functional: Section = {
    heading: /^(?!.*non-?functional).*(function|feature|capabilit|^requirements$)/iu,
    content: lines.map((line, index) => `- **R${index + 1}** ${line}`).join("\n"),
  };
  const quality: Section = { heading: /qualit|non-?functional|performance/iu, content: bullets(qualities(concept)) };
  const sections: Section[] = [
    { heading: /overview|purpose|introduction|summary|background/iu, content: overview(concept, stories.length) },
    {
      heading: /stakeholder|user|actor/iu,
      content: bullets(actors.map((actor) => `**${capitalized(actor)}**: wants to ${wants(actor, features)}.`)),
    },
    functional,
    quality,
    { heading: /interface/iu, content: bullets(interfaces(devices)) },
    {
      heading: /constraint/iu,
      content: bullets(["The law of the country of use, data protection above all.", "No technology is prescribed."]),
    },
    {
      heading: /assum|depend/iu,
      content: bullets([...assumptions(facts), "Every person has a device with a network connection."]),
    },
    { heading: /open|question|issue/iu, content: bullets([], "None.") },
  ];
  return fillTemplate(template, name, sections, [
    { title: "Functional requirements", section: functional },
    { title: "Quality requirements", section: quality },
  ]);
}

/** For each fault of a report, the rule that answers it. */
function repairs(report: string, serves: string): string[] {
  const faults = report.split("\n").flatMap((row) => /^\d+\.\s+(.*)$/u.exec(row)?.[1] ?? []);
  return faults.slice(0, 5).map((fault) => `${ruleSentence("the check asked for", quoted(fault, 160))} [${serves}]`);
}

interface StatedFacts {
  from: string;
  topic: string;
  answer: string;
}

/** Simulated answers are assumptions; the same answer of several stakeholders is one. */
function assumptions(facts: readonly StatedFacts[]): string[] {
  const senders = new Map<string, string[]>();
  for (const { from, topic, answer } of facts.filter((fact) => fact.from !== BY_A_PERSON)) {
    const said = `On ${quoted(topic, 60)}: ${quoted(answer, 300)}.`;
    senders.set(said, [...(senders.get(said) ?? []), from]);
  }
  return [...senders].slice(0, 8).map(([said, from]) => `${said} [${from.map((name) => quoted(name, 80)).join(", ")}]`);
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
    `**Q1** The system shall answer an attempt to ${first} within 2 seconds in 95 of 100 cases.`,
    "**Q2** The system shall be available for 99.5 % of each month.",
    `**Q3** The system shall show what one ${actors[0]} has entered to nobody but that ${actors[0]} and the administrator.`,
    `**Q4** 9 of 10 people who see the system for the first time shall ${first} within 3 minutes without help.`,
  ];
}

const interfaces = (devices: readonly string[]): string[] => [
  ...devices.map((device) => capitalized(device) + DEVICE_LINE),
  "E-mail service: takes messages to people.",
];
