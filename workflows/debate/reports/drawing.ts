import { clip } from "#workflow-kit/text";
import { cleanLabel, escaped, fitted, FONT, wrap } from "#workflow-kit/drawing";
import type { CheckedCitation, Question } from "../artifacts";
import type { Judgment, Submission } from "../outcome";
import { isInvented, numbered } from "../rules/citations";
import { positionsAround } from "../rules/debate-state";
import { debaterName, type Statement } from "../rules/topology";
import { translationFor } from "./parts";

/** The debate as a drawing: a column for each side, a row for each round, arrows from a brief to those that it answers, marks for citations. */

const MARGIN = 24;
const COLUMN = 280;
const BETWEEN = 56;
const HEAD = 100;
const CELL = 118;
const ROW_GAP = 44;
const TOP = 64;
const VERDICT = 92;
const LEGEND_LINE = 20;

/** Colours of the light and the dark scheme. */
const STYLE = `
svg{--paper:#fff;--ink:#1b2330;--faint:#5b6675;--line:#9aa5b1;--box:#f5f7f9;--good:#1f7a45;--goodbox:#e8f5ec;--warn:#9a6200;--bad:#b3261e}
@media (prefers-color-scheme:dark){svg{--paper:#14181d;--ink:#e7ebf0;--faint:#a3aebb;--line:#5f6b78;--box:#1e242b;--good:#6fd196;--goodbox:#17301f;--warn:#e5b45a;--bad:#ff8f86}}
text{fill:var(--ink)}.faint{fill:var(--faint)}.box{fill:var(--box);stroke:var(--line)}.won{fill:var(--goodbox);stroke:var(--good);stroke-width:2}
.arrow{fill:none;stroke:var(--line);stroke-width:1.6}.carries{fill:none;stroke:var(--good);stroke-width:3}.tip{fill:var(--line)}.goodtip{fill:var(--good)}
.sound{fill:var(--good)}.abridged{fill:none;stroke:var(--good);stroke-width:2.5}.invalid{fill:var(--warn)}.invented{stroke:var(--bad);stroke-width:2.5;fill:none}.unjudged{fill:none;stroke:var(--faint);stroke-width:1.5}`;

type Mark = "sound" | "abridged" | "invalid" | "invented" | "unjudged";

const markOf = (citation: CheckedCitation): Mark => {
  if (isInvented(citation)) return "invented";
  if (!citation.quote_found || citation.supported === false) return "invalid";
  if (citation.supported === null) return "unjudged";
  return citation.quote_match === "abridged" ? "abridged" : "sound";
};

/** A mark of 12 × 12 pixels: its shape tells it apart without its colour. */
function drawMark(mark: Mark, x: number, y: number): string {
  switch (mark) {
    case "invalid":
      return `<path class="invalid" d="M${x} ${y + 11}L${x + 6} ${y}L${x + 12} ${y + 11}Z"/>`;
    case "invented":
      return `<path class="invented" d="M${x + 1} ${y + 1}L${x + 11} ${y + 11}M${x + 11} ${y + 1}L${x + 1} ${y + 11}"/>`;
    default:
      return `<circle class="${mark}" cx="${x + 6}" cy="${y + 6}" r="${mark === "sound" ? 6 : 5}"/>`;
  }
}

interface Written {
  x: number;
  y: number;
  size?: number;
  bold?: boolean;
  faint?: boolean;
}

const write = (words: string, { x, y, size = 13, bold = false, faint = false }: Written): string =>
  `<text x="${x}" y="${y}" font-size="${size}"${bold ? ' font-weight="bold"' : ""}${faint ? ' class="faint"' : ""}>${escaped(words)}</text>`;

/** Bold letters are wider than the estimated ones. */
const BOLD = 0.9;

/** A text on at most `most` lines of a width in pixels. */
function writeLines(text: string, at: Written & { width: number; most: number }): string {
  const { width: wanted, most, size = 13, ...where } = at;
  const width = at.bold ? wanted * BOLD : wanted;
  const lines = wrap(cleanLabel(text, 400), width, size);
  const shown = lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]!.slice(0, -1)}…`];
  return shown
    .map((line, index) => write(fitted(line, width, size), { ...where, size, y: where.y + index * (size + 4) }))
    .join("");
}

const leftOf = (column: number): number => MARGIN + column * (COLUMN + BETWEEN);
const topOf = (round: number): number => TOP + HEAD + ROW_GAP + (round - 1) * (CELL + ROW_GAP);

/** @returns an SVG document */
export function drawingOf(question: Question, submission: Submission, judged: Judgment): string {
  const words = translationFor(question);
  const { state, replies } = submission;
  const { parties, prevailed, winner, answer, stop_reason, verdict } = judged;
  const columns = parties.map(({ debater }) => Number(debater.slice("debater_".length)));
  const columnOf = (debater: number) => columns.indexOf(debater);
  const width = leftOf(parties.length) - BETWEEN + MARGIN;
  const bottom = topOf(state.rounds.length) + CELL;
  const verdictTop = bottom + ROW_GAP;
  const citations = numbered(judged.citations).map(({ all }) => all);

  const heads = parties.map(({ party, debater, position, statement }, column) => {
    const marks = [
      ...(prevailed.includes(debater) ? [words.prevailed] : []),
      ...(winner === debater ? [words.winner] : []),
    ];
    const x = leftOf(column);
    return [
      `<rect class="${prevailed.includes(debater) ? "won" : "box"}" x="${x}" y="${TOP}" width="${COLUMN}" height="${HEAD}" rx="8"/>`,
      write(fitted(words.party(party), COLUMN - 24, 13), { x: x + 12, y: TOP + 22, bold: true }),
      marks.length > 0 && write(fitted(marks.join(", "), COLUMN - 24, 11), { x: x + 12, y: TOP + 39, size: 11 }),
      writeLines(`${position}) ${statement}`, {
        x: x + 12,
        y: TOP + (marks.length ? 58 : 44),
        width: COLUMN - 24,
        most: 3,
        size: 12,
      }),
    ]
      .filter(Boolean)
      .join("");
  });

  const cellOf = (statement: Statement) => {
    const { debater, round, brief } = statement;
    const [x, y] = [leftOf(columnOf(debater)), topOf(round)];
    const [before, after] = positionsAround(debater, round, state);
    const moved = before.label === after.label ? "" : ` · ${words.movedTo(after.label)}`;
    const title = `${round === 1 ? words.opening : words.round(round)}${moved}`;
    const { claims, concedes } = brief.content;
    const marks = citations.flatMap((all) =>
      all
        .filter((citation) => citation.cited_by === debaterName(debater) && citation.round === round)
        .slice(0, 1)
        .map(markOf),
    );
    const conceded = concedes.length ? words.drawing.concedes(concedes.length) : "";
    return [
      `<g><title>${escaped(cleanLabel(`${title}: ${claims[0] ?? ""}`, 400))}</title>`,
      `<rect class="box" x="${x}" y="${y}" width="${COLUMN}" height="${CELL}" rx="8"/>`,
      write(fitted(title, COLUMN - 24, 12), { x: x + 12, y: y + 20, size: 12, bold: true }),
      writeLines(claims[0] ?? "", { x: x + 12, y: y + 40, width: COLUMN - 24, most: 3, size: 12 }),
      ...marks.map((mark, index) => drawMark(mark, x + 12 + index * 18, y + CELL - 20)),
      conceded && write(conceded, { x: x + 16 + marks.length * 18, y: y + CELL - 10, size: 11, faint: true }),
      "</g>",
    ].join("");
  };

  const statements = state.rounds.flat();
  const arrows = statements.flatMap(({ debater, round, answers = [] }) =>
    answers
      .filter((one) => one.round === round - 1)
      .map((one) => {
        const [from, to] = [columnOf(debater), columnOf(one.debater)];
        const slot = (column: number) => Math.round((COLUMN * (column + 1)) / (parties.length + 1));
        const start = `${leftOf(from) + slot(to)} ${topOf(round)}`;
        const end = `${leftOf(to) + slot(from)} ${topOf(round - 1) + CELL + 3}`;
        return `<path class="arrow" marker-end="url(#tip)" d="M${start}L${end}"/>`;
      }),
  );

  const carried = prevailed.map((debater) => {
    const x = leftOf(columnOf(Number(debater.slice("debater_".length)))) + COLUMN / 2;
    return `<path class="carries" marker-end="url(#goodtip)" d="M${x} ${bottom}L${x} ${verdictTop - 4}"/>`;
  });
  const decided = stop_reason === "judged" || stop_reason === "agreed";
  const said = answerOf(question, answer) ?? words.noAnswer;
  const sure = decided ? ` (${words.confidence} ${Math.round(verdict.confidence * 100)} %)` : "";
  const full = width - 2 * MARGIN;
  const verdictBox = [
    `<rect class="won" x="${MARGIN}" y="${verdictTop}" width="${full}" height="${VERDICT}" rx="8"/>`,
    write(`${words.answer}${sure}`, { x: MARGIN + 12, y: verdictTop + 22, bold: true }),
    writeLines(said, { x: MARGIN + 12, y: verdictTop + 42, width: full - 24, most: 2 }),
    write(fitted(words.decided[stop_reason], full - 24, 11), {
      x: MARGIN + 12,
      y: verdictTop + 82,
      size: 11,
      faint: true,
    }),
  ].join("");

  const legend = legendOf(words, replies.length);
  const legendTop = verdictTop + VERDICT + 26;
  const height = legendTop + legend.length * LEGEND_LINE + MARGIN / 2;
  const sides = parties.map(
    ({ party, position, statement }) => `${words.party(party)}: ${position}) ${sentence(statement)}`,
  );
  const summary = words.drawing.summary(
    sides.join(" "),
    `${words.answer}: ${sentence(said)} ${words.decided[stop_reason]}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="t d" font-family="${FONT}">`,
    `<title id="t">${escaped(cleanLabel(`${words.drawing.title}: ${question.text}`, 200))}</title>`,
    `<desc id="d">${escaped(cleanLabel(summary, 2_000))}</desc>`,
    `<style>${STYLE}</style>`,
    `<defs>${tip("tip")}${tip("goodtip")}</defs>`,
    `<rect width="${width}" height="${height}" style="fill:var(--paper)"/>`,
    writeLines(question.text, { x: MARGIN, y: 26, width: full, most: 2, size: 14, bold: true }),
    ...arrows,
    ...carried,
    ...heads,
    ...statements.map(cellOf),
    verdictBox,
    ...legend.map((draw, index) => draw(MARGIN, legendTop + index * LEGEND_LINE)),
    "</svg>",
  ].join("\n");
}

/** A text in the text alternative, with one full stop. */
const sentence = (text: string): string => `${clip(text, 200).replace(/[.…\s]+$/u, "")}.`;

const tip = (id: string): string =>
  `<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="${id === "tip" ? 7 : 5}" markerHeight="${id === "tip" ? 7 : 5}" orient="auto"><path class="${id}" d="M0 0L10 5L0 10Z"/></marker>`;

function answerOf(question: Question, answer: string | null): string | null {
  if (answer === null) return null;
  const choice = question.choices.find(({ label }) => label === answer);
  return choice ? `${choice.label}) ${choice.text}` : answer;
}

/** The lines of the legend, each drawn from its left end. */
function legendOf(words: ReturnType<typeof translationFor>, asked: number): ((x: number, y: number) => string)[] {
  const { citation, rebuts, carries, asked: questions } = words.drawing;
  const explained = (label: string) => (x: number, y: number) =>
    write(label, { x: x + 34, y: y + 11, size: 11, faint: true });
  const line = (className: string, marker: string, label: string) => (x: number, y: number) =>
    `<path class="${className}" marker-end="url(#${marker})" d="M${x} ${y + 7}L${x + 24} ${y + 7}"/>${explained(label)(x, y)}`;
  return [
    ...(Object.keys(citation) as Mark[]).map(
      (mark) => (x: number, y: number) => drawMark(mark, x + 6, y) + explained(citation[mark])(x, y),
    ),
    line("arrow", "tip", rebuts),
    line("carries", "goodtip", carries),
    ...(asked > 0 ? [explained(questions(asked))] : []),
  ];
}
