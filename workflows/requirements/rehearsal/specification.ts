import type { Feedback } from "#workflow-kit/action";
import type { RequirementModel } from "../artifacts";
import type { WriteSrsInput } from "../inputs";
import { describeRelations } from "../rules/requirement-model";
import { understand, type Concept } from "./concept";
import { bullets, fillTemplate, table, type Section } from "./fill-template";
import { shareWords } from "./text";
import { capitalized, clip, listed, quoted } from "#workflow-kit/text";

interface Line {
  id: string;
  text: string;
  source: string;
}

/** Requirements of a draft, one on each line: `**R1** The system shall … [source]`. */
function linesOf(draft: string, letter: "R" | "Q"): Line[] {
  const found: Line[] = [];
  for (const row of draft.split("\n")) {
    const [, id, text, source] =
      /^\s*[-*]?\s*\*{0,2}([RQ]\d+)\*{0,2}[:.]?\s+(.*?)(?:\s*\[([^\]]*)\])?\s*$/u.exec(row) ?? [];
    if (id?.startsWith(letter)) found.push({ id, text: text!, source: source ?? "draft" });
  }
  return found;
}

export function rehearseSrs(input: WriteSrsInput, feedback?: Feedback<string>): string {
  const { idea, template, draft, model } = input;
  const concept = understand(draft, idea.title);
  const functional = linesOf(draft, "R");
  const quality = linesOf(draft, "Q");
  const all = [...functional, ...quality];

  const requirements: Section = {
    heading: /^(?!.*non-?functional).*(function|feature|capabilit|^requirements$)/iu,
    content:
      functional.length > 0 ? functional.map(requirement).join("\n\n") : "The draft states no numbered function.",
  };
  const sections: Section[] = [
    {
      heading: /purpose|introduction/iu,
      content: `This document specifies "${concept.name}" for those who decide on it, build it and test it.`,
    },
    { heading: /scope/iu, content: scope(concept) },
    { heading: /definition|glossary|term/iu, content: definitions(model) },
    { heading: /perspective|overview|context|summary/iu, content: perspective(concept) },
    { heading: /stakeholder|user|actor/iu, content: stakeholders(concept) },
    { heading: /assum|depend/iu, content: sectionOf(draft, /assum/iu) },
    requirements,
    {
      heading: /qualit|non-?functional|performance|security/iu,
      content: bullets(quality.map(({ id, text }) => `**${id}** ${text}`)),
    },
    { heading: /interface/iu, content: sectionOf(draft, /interface/iu) },
    { heading: /constraint/iu, content: sectionOf(draft, /constraint/iu) },
    { heading: /model|diagram/iu, content: inWords(model) },
    { heading: /verif|test|accept/iu, content: verification(all) },
    { heading: /trac/iu, content: traceability(all, model) },
    {
      heading: /open|issue|question/iu,
      content: feedback ? `Heeded from review: ${quoted(feedback.comment)}.` : sectionOf(draft, /open/iu),
    },
  ];
  const filled = fillTemplate(template, concept.name, sections, [
    { title: "Functional requirements", section: requirements },
  ]);
  return feedback && !filled.includes("Heeded from review")
    ? `${filled}\n\n## Review\n\nHeeded from review: ${quoted(feedback.comment)}.`
    : filled;
}

function requirement({ id, text }: Line, index: number): string {
  const actor = ACTOR.exec(text)?.groups?.actor;
  return [
    `**${id}** ${text}`,
    "",
    `- Starts when: ${actor ? `the ${actor} asks for it` : "its condition comes true"}.`,
    `- Result: ${actor ? `the ${actor} sees that it is done` : "it is done"}, and it is recorded.`,
    "- On failure: nothing is changed, and a message says why and what to do.",
    `- Priority: ${isRule(text) || index < 3 ? "must" : index < 5 ? "should" : "could"}.`,
  ].join("\n");
}

const ACTOR = /^The system shall allow an? (?<actor>.+?) to (?<does>.+?)\.?$/u;
const isRule = (text: string): boolean => text.startsWith("The system shall keep to what");

const scope = ({ name, features }: Concept): string =>
  `"${name}" covers: ${listed(features.map(({ does }) => does))}. What is not listed under the functional requirements is outside of its first version.`;

const perspective = ({ name, actors, devices }: Concept): string =>
  `"${name}" is a system of its own. It works with ${listed([...actors.map((actor) => `the ${actor}`), ...devices.map((device) => `the ${device}`)])}.`;

const stakeholders = ({ actors, features }: Concept): string =>
  bullets(
    actors.map((actor) => {
      const own = features.filter((feature) => feature.actor === actor).map(({ does }) => does);
      return `**${capitalized(actor)}**: ${own.length > 0 ? `uses the system to ${listed(own)}` : "is served by the system"}; no training is taken for granted.`;
    }),
  );

function definitions(model: RequirementModel): string {
  return bullets(
    model.entities
      .slice(0, 12)
      .map(
        ({ name, type, description }) =>
          `**${quoted(name, 80)}** (${type.replaceAll("_", " ")}): ${quoted(description)}.`,
      ),
  );
}

const inWords = (model: RequirementModel): string =>
  [
    `The model has ${model.entities.length} entities and ${model.relations.length} relations.`,
    bullets(
      describeRelations(model).map((relation) => quoted(relation.replaceAll("->", "→"), 300)),
      "No relations.",
    ),
  ].join("\n\n");

const verification = (lines: readonly Line[]): string =>
  table(
    ["Requirement", "Method", "Passed when"],
    lines.map(({ id, text }) => [id, ...passed(id, text)]),
  );

function passed(id: string, text: string): readonly [method: string, when: string] {
  const { actor, does } = ACTOR.exec(text)?.groups ?? {};
  if (id.startsWith("Q")) return ["measurement", "the figure is met over one week of use"];
  if (isRule(text)) return ["inspection", "whoever said it confirms that it is kept to"];
  if (actor) return ["test", `a test person acting as ${actor} can ${does}, and somebody without the right cannot`];
  return ["demonstration", "it happens each time its condition comes true, and at no other time"];
}

const traceability = (lines: readonly Line[], model: RequirementModel): string =>
  table(
    ["Requirement", "Model elements", "Source"],
    lines.map(({ id, text, source }) => [
      id,
      elementsOf(text, model)
        .map((name) => clip(name, 50))
        .join(", ") || "none",
      source,
    ]),
  );

/** Elements whose names a requirement contains; if none, those that share words with it. */
function elementsOf(text: string, { entities }: RequirementModel): string[] {
  const names = entities.map(({ name }) => name);
  const named = names.filter((name) => ` ${text.toLowerCase()}`.includes(` ${name.toLowerCase()}`));
  return (named.length > 0 ? named : names.filter((name) => shareWords(text, name))).slice(0, 4);
}

/** The text under a heading of the draft. */
function sectionOf(draft: string, heading: RegExp): string {
  const blocks = draft.split(/^(?=#{1,6}\s)/mu);
  const block = blocks.find((candidate) => heading.test(candidate.split("\n", 1)[0]!));
  const body = block?.split("\n").slice(1).join("\n").trim();
  return body || "Nothing was said on this.";
}
