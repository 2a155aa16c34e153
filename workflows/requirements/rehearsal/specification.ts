import type { Feedback } from "#workflow-kit/action";
import { capitalized, listed, quoted } from "#workflow-kit/text";
import type { RequirementModel } from "../artifacts";
import type { WriteSrsInput } from "../inputs";
import { idLines, isTraced, letterOf, wordsOf, type DraftLine } from "../rules/draft-lines";
import { describeRelations } from "../rules/requirement-model";
import { understand, type Concept } from "./concept";
import { bullets, fillTemplate, table, type Section } from "./fill-template";

/** The text of a specification, with lines such as `[[R1, R2]]` where code puts requirements and tables. */
export const rehearseSrs = (input: WriteSrsInput, feedback?: Feedback<string>): string => {
  const place: Place = (ids) => `[[${ids}]]`;
  const model = "[[model: Element | Kind | What it is or does | Requirements | Relations]]";
  const trace = "[[traceability: Requirement | Model elements | Sources]]";
  return [specification(input, { place, model, trace }, feedback), ...rewordings(input)].join("\n\n");
};

/** Other words for each requirement at which a finding stands. */
const rewordings = ({ draft, findings }: WriteSrsInput): string[] =>
  idLines(draft)
    .filter(({ id }) => isTraced(id) && findings.some(({ location }) => location === id))
    .map(({ id, text }) => `[[${id} = ${wordsOf(text).replace(/\.$/u, "")}, each time, and at no other time.]]`);

/** The whole of a specification, requirements and relations included. */
export function rehearseWholeSrs(input: WriteSrsInput, feedback?: Feedback<string>): string {
  const lines = idLines(input.draft);
  const place: Place = (wanted) =>
    bullets(
      lines
        .filter(({ id }) => wanted.split(", ").some((one) => [id, letterOf(id)].includes(one)))
        .map(({ text }) => text),
    );
  const model = bullets(describeRelations(input.model).map((relation) => quoted(relation.replaceAll("->", "→"), 300)));
  const trace = bullets(
    lines.flatMap(
      ({ id, text }) =>
        /\[([^\]]*)\]$/u
          .exec(text)
          ?.slice(1)
          .map((source) => `${id}: ${source}`) ?? [],
    ),
  );
  return specification(input, { place, model, trace }, feedback);
}

/** How requirements, by ids or letters, come into a document. */
type Place = (ids: string) => string;

function specification(
  input: WriteSrsInput,
  { place, ...tables }: { place: Place; model: string; trace: string },
  feedback?: Feedback<string>,
): string {
  const { idea, template, sources, draft, model } = input;
  const concept = understand(draft, idea.title);
  const lines = idLines(draft);
  const requirements: Section = {
    heading: /^(?!.*non-?functional).*(function|feature|capabilit|^requirements$)/iu,
    content: functions(
      lines.filter(({ id }) => letterOf(id) === "R"),
      place,
    ),
  };
  const sections: Section[] = [
    {
      heading: /purpose|introduction/iu,
      content: `This document specifies "${concept.name}" for those who decide on it, build it and test it.`,
    },
    { heading: /scope/iu, content: scope(concept) },
    { heading: /basis|provenance/iu, content: basis(sources) },
    { heading: /definition|glossary|term/iu, content: definitions(model) },
    { heading: /perspective|overview|context|summary/iu, content: perspective(concept) },
    { heading: /stakeholder|user|actor/iu, content: users(concept) },
    {
      heading: /assum|depend/iu,
      content: placed("A", lines, place, "The requirements that name an assumption change with it."),
    },
    requirements,
    {
      heading: /qualit|non-?functional|performance|security/iu,
      content: placed("Q", lines, place, "These hold for all functions."),
    },
    { heading: /interface/iu, content: sectionOf(draft, /interface/iu) },
    { heading: /constraint/iu, content: sectionOf(draft, /constraint/iu) },
    { heading: /scenario/iu, content: scenarios(concept) },
    {
      heading: /model|diagram/iu,
      content: `The model has ${model.entities.length} entities and ${describeRelations(model).length} relations.\n\n${tables.model}`,
    },
    { heading: /verif|test|accept/iu, content: verification(lines) },
    {
      heading: /trac/iu,
      content: `Each requirement with what it is based on.\n\n${tables.trace}`,
    },
    {
      heading: /open|issue|question/iu,
      content: feedback
        ? `Heeded from review: ${quoted(feedback.comment)}.\n\n${place("O")}`
        : placed("O", lines, place, "A person has to decide these."),
    },
  ];
  const filled = fillTemplate(template, concept.name, sections, [
    { title: "Functional requirements", section: requirements },
  ]);
  return feedback && !filled.includes("Heeded from review")
    ? `${filled}\n\n## Review\n\nHeeded from review: ${quoted(feedback.comment)}.`
    : filled;
}

const ACTOR = /The system shall allow an? (?<actor>.+?) to /u;

/** A group for each actor, and one for what the system does by itself. */
function functions(lines: readonly DraftLine[], place: Place): string {
  const groups = new Map<string, string[]>();
  for (const { id, text } of lines) {
    const actor = ACTOR.exec(text)?.groups?.actor ?? "";
    groups.set(actor, [...(groups.get(actor) ?? []), id]);
  }
  const parts = [...groups].map(([actor, ids]) => {
    const [heading, intro] = actor
      ? [`Functions for the ${actor}`, `The ${actor} uses these functions; their rules stand with them.`]
      : ["What the system does by itself", "Nobody asks for these each time; they hold always."];
    return `### ${heading}\n\n${intro}\n\n${place(ids.join(", "))}`;
  });
  return parts.join("\n\n") || "The draft states no numbered function.";
}

const placed = (letter: string, lines: readonly DraftLine[], place: Place, intro: string): string =>
  lines.some(({ id }) => letterOf(id) === letter) ? `${intro}\n\n${place(letter)}` : "None.";

const scope = ({ name, features }: Concept): string =>
  `"${name}" covers: ${listed(features.map(({ does }) => does))}. What is not listed under the functional requirements is outside of its first version.`;

function basis(sources: readonly string[]): string {
  const heard =
    sources.length > 0 ? `, and on statements of ${listed(sources.map((source) => quoted(source, 100)))}` : "";
  return `The requirements rest on the idea${heard}. What simulated stakeholders alone said is listed under the assumptions until a person confirms it.`;
}

const perspective = ({ name, actors, devices }: Concept): string =>
  `"${name}" is a system of its own. It works with ${listed([...actors.map((actor) => `the ${actor}`), ...devices.map((device) => `the ${device}`)])}.`;

const users = ({ actors, features }: Concept): string =>
  bullets(
    actors.map((actor) => {
      const own = features.filter((feature) => feature.actor === actor).map(({ does }) => does);
      return `**${capitalized(actor)}**: ${own.length > 0 ? `uses the system to ${listed(own)}` : "is served by the system"}.`;
    }),
  );

const definitions = (model: RequirementModel): string =>
  bullets(
    model.entities
      .slice(0, 12)
      .map(
        ({ name, type, description }) =>
          `**${quoted(name, 80)}** (${type.replaceAll("_", " ")}): ${quoted(description)}.`,
      ),
  );

const scenarios = ({ features }: Concept): string =>
  features
    .filter(({ actor }) => actor)
    .slice(0, 3)
    .map(
      ({ actor, does }) =>
        `### ${capitalized(does)}\n\n1. The ${actor} asks the system to ${does}.\n2. The system does it, and shows the ${actor} that it is done.`,
    )
    .join("\n\n") || "The draft names no actor.";

/** A row for each way of verifying. */
function verification(lines: readonly DraftLine[]): string {
  const verified = lines.filter(({ id }) => ["R", "Q"].includes(letterOf(id)));
  const ids = (isOne: (line: DraftLine) => boolean) =>
    verified
      .filter(isOne)
      .map(({ id }) => id)
      .join(", ");
  const isUsed = ({ id, text }: DraftLine) => id.startsWith("R") && ACTOR.test(text);
  const rows = [
    ["Test", ids(isUsed), "a test person in the role of the actor gets it done"],
    [
      "Demonstration",
      ids((line) => line.id.startsWith("R") && !isUsed(line)),
      "it happens each time, and at no other time",
    ],
    ["Measurement", ids(({ id }) => id.startsWith("Q")), "the figure is met over one week of use"],
  ].filter(([, covered]) => covered !== "");
  return table(["Method", "Requirements", "Passed when"], rows);
}

/** The text under a heading of the draft. */
function sectionOf(draft: string, heading: RegExp): string {
  const blocks = draft.split(/^(?=#{1,6}\s)/mu);
  const block = blocks.find((candidate) => heading.test(candidate.split("\n", 1)[0]!));
  const body = block?.split("\n").slice(1).join("\n").trim();
  return body || "Nothing was said on this.";
}
