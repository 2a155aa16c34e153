import type { Feedback } from "#workflow-kit/action";
import { table } from "#workflow-kit/markdown";
import { capitalized, listed, quoted } from "#workflow-kit/text";
import type { WriteSrsInput } from "../inputs";
import { idLines, isTraced, letterOf, wordsOf } from "../rules/draft-lines";
import { describeRelations } from "../rules/requirement-model";
import { understand } from "./concept";
import { fillTemplate, FUNCTIONS, list, QUALITIES, type Section } from "./fill-template";

const MODEL = "[[model: Element | Kind | What it is or does | Requirements | Relations]]";
const TRACE = "[[traceability: Requirement | Model elements | Sources]]";

/** The text of a specification, with markers where code puts requirements and tables, and other words for each requirement with a finding. */
export function mockSrs(input: WriteSrsInput, feedback?: Feedback): string {
  const reworded = idLines(input.draft)
    .filter(({ id }) => isTraced(id) && input.findings.some(({ location }) => location === id))
    .map(({ id, text }) => `[[${id} = ${wordsOf(text).replace(/\.$/u, "")}, each time, and at no other time.]]`);
  return [specification(input, feedback), ...reworded].join("\n\n");
}

/** The whole of a specification: requirements and relations stand where the markers are. */
export const mockWholeSrs = (input: WriteSrsInput, feedback?: Feedback): string =>
  specification(input, feedback).replace(/^\[\[(.+)\]\]$/gmu, (match, marker: string) => {
    if (match === MODEL)
      return list(describeRelations(input.model).map((one) => quoted(one.replaceAll("->", "→"), 300)));
    const ids = match === TRACE ? [] : marker.split(", ");
    const lines = idLines(input.draft).filter(({ id }) => ids.length === 0 || ids.includes(letterOf(id)));
    return list(lines.map(({ text }) => text));
  });

function specification({ idea, template, sources, draft, model }: WriteSrsInput, feedback?: Feedback): string {
  const { name, actors, features } = understand(draft, idea.title);
  const ids = idLines(draft).map(({ id }) => id);
  const idsOf = (letter: string) => ids.filter((id) => letterOf(id) === letter).join(", ");
  const placed = (letter: string, intro: string) => (idsOf(letter) ? `${intro}\n\n[[${letter}]]` : "None.");
  const requirements: Section = [FUNCTIONS, placed("R", `### Functions\n\nFor ${listed(actors)}.`)];
  const heeded = feedback && `Heeded from review: ${quoted(feedback.comment)}.`;
  const checks = [
    ["Test", idsOf("R")],
    ["Measurement", idsOf("Q")],
  ].filter(([, of]) => of);
  const sections: Section[] = [
    [/purpose|introduction/iu, `This document specifies "${name}" for those who decide on it, build it and test it.`],
    [/scope/iu, `"${name}" covers: ${listed(features.map(({ does }) => does))}.`],
    [
      /basis|provenance/iu,
      `The requirements rest on ${listed(["the idea", ...sources.map((one) => quoted(one, 100))])}.`,
    ],
    [/definition|glossary|term/iu, list(model.entities.map((one) => quoted(`${one.name}: ${one.description}`, 300)))],
    [/stakeholder|user|actor/iu, list(actors.map((actor) => `**${capitalized(actor)}**: uses the system.`))],
    [/assum|depend/iu, placed("A", "The requirements that name an assumption change with it.")],
    requirements,
    [QUALITIES, placed("Q", "These hold for all functions.")],
    [/model|diagram/iu, `The model has ${model.entities.length} entities.\n\n${MODEL}`],
    [/verif|test|accept/iu, table(["Method", "Requirements"], checks)],
    [/trac/iu, `Each requirement with what it is based on.\n\n${TRACE}`],
    [/open|issue|question/iu, heeded ? `${heeded}\n\n[[O]]` : placed("O", "A person has to decide these.")],
  ];
  const filled = fillTemplate(template, name, sections, { "Functional requirements": requirements });
  return heeded && !filled.includes(heeded) ? `${filled}\n\n## Review\n\n${heeded}` : filled;
}
