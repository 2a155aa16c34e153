import { bullets, inline, sections, table } from "#workflow-kit/markdown";
import type { Entity, RequirementModel } from "../artifacts";
import {
  assumptionsOf,
  idLines,
  idRanges,
  isTraced,
  letterOf,
  linesNamedIn,
  sourcesOf,
  withoutSourcesOf,
  type DraftLine,
} from "../rules/draft-lines";
import { renumbered, renumbering } from "../rules/renumbering";
import { requirementsOf } from "../rules/requirement-model";
import { applyRewordings } from "../rules/rewordings";
import { markedAsNotAccepted, numbers, remarks, type SpecificationParts } from "./appendices";
import { completeVerification } from "./verification";

export type { SpecificationParts };

const MARKER = /^\s*(?:[-*]\s+)?\[\[(.+?)\]\]\s*$/u;
const MODEL_HEAD = ["Element", "Kind", "What it is or does", "Requirements", "Relations"];
const TRACE_HEAD = ["Requirement", "Model elements", "Sources"];
const NOTHING = "–";

/**
 * Puts the requirements of the draft and the tables of the model into the Documenter's text: nothing of the draft is lost, and no line of it is
 * reworded but one at which a finding of an accepted check stands. Requirements are numbered in their order; a table says what their numbers were.
 */
export function assembleSpecification(given: SpecificationParts): string {
  const drafted = idLines(given.draft);
  const reworded = applyRewordings(given.text, given.draft, given.accepted ? given.findings : []);
  const numbering = renumbering(drafted);
  const now = (text: string) => renumbered(text, numbering, drafted);
  const parts: SpecificationParts = {
    ...given,
    text: now(reworded.text),
    draft: now(reworded.draft),
    model: {
      ...given.model,
      entities: given.model.entities.map(({ requirements, description, ...entity }) => ({
        ...entity,
        description: now(description),
        ...(requirements && { requirements: inDraftOrder(requirements, drafted).map(now) }),
      })),
    },
    findings: given.findings.map((finding) => ({
      ...finding,
      location: now(finding.location),
      explanation: now(finding.explanation),
    })),
  };
  const document = sections(filledIn(parts), remarks(parts, new Set([...reworded.ids].map(now))), numbers(numbering));
  return parts.accepted ? document : markedAsNotAccepted(document, parts);
}

/** Ids in the order of the draft, those of no line at the end. */
function inDraftOrder(ids: readonly string[], lines: readonly DraftLine[]): string[] {
  const known = lines.map(({ id }) => id).filter((id) => ids.includes(id));
  return [...known, ...ids.filter((id) => !known.includes(id))];
}

function filledIn(parts: SpecificationParts): string {
  const lines = idLines(parts.draft);
  const placed = new Set<string>();
  const text = completeVerification(parts.text, lines);
  const filled: Filled[] = text.split("\n").map((row) => {
    const marker = MARKER.exec(row)?.[1];
    return marker === undefined ? { row } : fill(marker, parts, lines, placed);
  });
  const written = new Set(idLines(parts.text).map(({ id }) => id));
  for (const [letter, missing] of byLetter(lines.filter(({ id }) => !placed.has(id) && !written.has(id)))) {
    const added = bullets(missing.map((line) => shown(line, parts, lines)));
    const last = filled.findLast((one) => one.letters?.has(letter));
    if (last) last.row = sections(last.row === NOTHING ? null : last.row, added);
    else filled.push({ row: added, letters: new Set([letter]) });
  }
  for (const [name, heading] of TABLES)
    if (hasTable(parts.template, name) && !hasTable(parts.text, name))
      filled.push({ row: `\n## ${heading}` }, fill(name, parts, lines, placed));
  return joined(filled);
}

/** What was filled in stands between empty lines; a place inside of a sentence becomes its ids. */
const joined = (filled: readonly Filled[]): string =>
  filled
    .map(({ row, letters }) => (letters ? `\n${row}\n` : row.replace(/\[\[([^[\]]+)\]\]/gu, "$1")))
    .join("\n")
    .replace(/\n{3,}/gu, "\n\n")
    .trim();

/** The tables, and the headings under which lost ones are added. */
const TABLES = [
  ["model", "Requirements model"],
  ["traceability", "Traceability"],
] as const;

const hasTable = (text: string, name: string): boolean =>
  text.split("\n").some((row) => MARKER.exec(row)?.[1]?.toLowerCase().startsWith(name));

interface Filled {
  row: string;
  /** Of what code filled in: the letters of the lines for which the place was meant, none of a table. */
  letters?: Set<string>;
}

function fill(marker: string, parts: SpecificationParts, lines: readonly DraftLine[], placed: Set<string>): Filled {
  const [, name, labels = ""] = /^(model|traceability)\s*(?::(.*))?$/iu.exec(marker.trim()) ?? [];
  if (name?.toLowerCase() === "model")
    return { row: modelTable(parts.model, lines, headOf(labels, MODEL_HEAD)), letters: new Set() };
  if (name) return { row: traceTable(lines, parts.model, headOf(labels, TRACE_HEAD)), letters: new Set() };
  const wanted = linesNamedIn(marker, lines);
  const found = inOrder(wanted.filter(({ id }) => !placed.has(id)));
  for (const { id } of found) placed.add(id);
  const letters = new Set(marker.match(/\p{Lu}{1,3}/gu) ?? []);
  const items = found.map((line) => shown(line, parts, lines));
  return { row: items.length > 0 ? bullets(items) : NOTHING, letters };
}

/** The lines of one place in the order of their numbers. */
const inOrder = (found: readonly DraftLine[]): readonly DraftLine[] =>
  found.toSorted((one, other) => one.id.localeCompare(other.id, "en", { numeric: true }));

/**
 * A line as it stands in the document: a requirement without its sources when the table of the trace names them; an assumption or open question
 * with the requirements that name it.
 */
function shown({ id, text }: DraftLine, parts: SpecificationParts, lines: readonly DraftLine[]): string {
  if (!isTraced(id)) return indexed(id, text, lines);
  return hasTable(parts.text, "traceability") || hasTable(parts.template, "traceability")
    ? withoutSourcesOf(text).trimEnd()
    : text;
}

/** "**A1** (R2, Q1) Badges get lost.": in place of the ids that the draft may give, those of the requirements that name the line. */
function indexed(id: string, text: string, lines: readonly DraftLine[]): string {
  const names = new RegExp(String.raw`\b${id}\b`, "u");
  const resting = lines.filter((line) => isTraced(line.id) && names.test(line.text)).map((line) => line.id);
  if (resting.length === 0) return text;
  const [, head, rest] = /^(\S+)\s*(?:\((?:[\s,;–-]|\p{Lu}{1,3}\d+)+\))?\s*(.*)$/u.exec(text)!;
  return `${head} (${idRanges(resting).join(", ")}) ${rest}`;
}

/** The words of a table's head, which the Documenter may have translated. */
function headOf(labels: string, usual: readonly string[]): readonly string[] {
  const words = labels.split("|").map((word) => inline(word));
  return words.length === usual.length && words.every((word) => word !== "") ? words : usual;
}

const modelTable = (model: RequirementModel, lines: readonly DraftLine[], head: readonly string[]): string =>
  table(
    head,
    model.entities.map((entity) => [
      inline(entity.name),
      inline(entity.type.replaceAll("_", " ")),
      inline(entity.description) || NOTHING,
      idRanges(requirementsOf(entity, lines)).map(inline).join(", ") || NOTHING,
      relationsOf(entity, model) || NOTHING,
    ]),
  );

/** "actors: Customer; includes Check stock" */
function relationsOf({ id }: Entity, { model_kind, entities, relations }: RequirementModel): string {
  const nameOf = (other: string) => inline(entities.find((entity) => entity.id === other)?.name ?? other);
  const groups = new Map<string, string[]>();
  for (const { type, from, to } of relations) {
    if (from !== id && to !== id) continue;
    const group = phrase(model_kind, type, from === id);
    groups.set(group, [...(groups.get(group) ?? []), nameOf(from === id ? to : from)]);
  }
  return [...groups].map(([group, names]) => `${group} ${names.join(", ")}`).join("; ");
}

/** How the relations of a use case diagram read from their start, and from their end. */
const USE_CASE_PHRASES: Readonly<Record<string, readonly [start: string, end: string]>> = {
  association: ["takes part in", "actors:"],
  include: ["includes", "is included by"],
  extend: ["extends", "is extended by"],
  generalization: ["is a kind of", "has the kinds"],
};

function phrase(modelKind: string, type: string, isStart: boolean): string {
  const phrases = modelKind === "use_case" ? USE_CASE_PHRASES[type] : undefined;
  return phrases?.[isStart ? 0 : 1] ?? `${inline(type.replaceAll("_", " "))} ${isStart ? "→" : "←"}`;
}

/** Requirements with the same elements and sources share a row. */
function traceTable(lines: readonly DraftLine[], model: RequirementModel, head: readonly string[]): string {
  const resting = model.entities.map((entity) => ({ name: inline(entity.name), on: requirementsOf(entity, lines) }));
  const groups = new Map<string, { ids: string[]; cells: [elements: string, sources: string] }>();
  for (const { id, text } of lines.filter((line) => isTraced(line.id))) {
    const elements = resting.filter(({ on }) => on.includes(id)).map(({ name }) => name);
    const cells: [string, string] = [elements.join(", ") || NOTHING, namedSourcesOf(text) || NOTHING];
    const key = JSON.stringify([letterOf(id), ...cells]);
    groups.set(key, { ids: [...(groups.get(key)?.ids ?? []), id], cells });
  }
  return table(
    head,
    [...groups.values()].map(({ ids, cells }) => [idRanges(ids).join(", "), ...cells]),
  );
}

/** The sources of a requirement; of one that rests on assumptions alone their ids. */
const namedSourcesOf = (text: string): string => {
  const named = sourcesOf(text)?.trim() ?? "";
  const assumed = assumptionsOf(text).join(", ");
  return inline(["", "assumed"].includes(named) && assumed !== "" ? assumed : named);
};

function byLetter(lines: readonly DraftLine[]): Map<string, DraftLine[]> {
  const groups = new Map<string, DraftLine[]>();
  for (const line of lines) groups.set(letterOf(line.id), [...(groups.get(letterOf(line.id)) ?? []), line]);
  return groups;
}
