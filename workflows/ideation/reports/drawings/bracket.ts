import type { Match, Ranking } from "../../artifacts";
import { FAINT, INK, n, picture, text, tooltip } from "#workflow-kit/picture";
import { DARK_COLOURS } from "./dark";

/** Least width, for title and legend. */
const NARROWEST = 760;
const ROW = 26;
const HEAD = 30;
/** Least width of the names; fewer rounds leave more. */
const NAME_WIDTH = 380;
const CELL = 54;
const SCORE = 60;
const LEGEND_LINE = 16;
/** Most rows: of more entrants the best are drawn, and the subtitle says so. */
const MAX_ROWS = 60;

const COLOURS = {
  won: ["#eaf7ee", "#2f7d4f"],
  lost: ["#fff0f0", "#b23b3b"],
  drew: ["#fff3d6", "#a8690a"],
  bye: ["#f4f6f8", FAINT],
} as const;

/** The tournament as a table: a row per entrant, best first; a column per round; in each cell the opponent's place. */
export function drawBracket(topic: string, ranking: Ranking, names: ReadonlyMap<string, string>): string {
  const shown = ranking.places.slice(0, MAX_ROWS);
  const place = new Map(ranking.places.map(({ id }, index) => [id, index + 1]));
  const cells = ranking.rounds.length * CELL + SCORE;
  const width = Math.max(NARROWEST, NAME_WIDTH + cells);
  const names_end = width - cells;
  const columns = ranking.rounds.map(({ round }, index) =>
    text(`round ${round}`, {
      x: names_end + (index + 0.5) * CELL,
      y: 16,
      width: CELL,
      size: 11,
      attributes: `text-anchor="middle" fill="${FAINT}"`,
    }),
  );
  const rows = shown.map(({ id, score, tied }, row) => {
    const y = HEAD + row * ROW;
    const stripe = row % 2 ? "" : `<rect x="0" y="${y}" width="${n(width)}" height="${ROW}" fill="#f8fafc"/>`;
    const name = names.get(id) ?? id;
    const played = ranking.rounds.map(({ matches, bye }, index) => {
      const match = matches.find(({ a, b }) => a === id || b === id);
      return cell(
        names_end + index * CELL,
        y,
        outcome(id, match, bye),
        match && place.get(match.a === id ? match.b : match.a),
      );
    });
    const final = text(`${score}${tied ? " *" : ""}`, {
      x: width - 12,
      y: y + 18,
      width: SCORE,
      attributes: 'text-anchor="end" font-weight="bold"',
    });
    return `<g>${tooltip(`${row + 1}. ${name}`)}${stripe}${text(`${row + 1}. ${name}`, { x: 8, y: y + 18, width: names_end - 16 })}${played.join("")}${final}</g>`;
  });
  const legend = [
    "Each cell: the place of the opponent; green won, red lost, amber undecided, grey no opponent. Scores begin at 1.",
    ...(shown.some(({ tied }) => tied) ? ["* nothing but a draw puts it before or behind others of its score."] : []),
    ...playOff(ranking.play_off, place),
  ];
  const bottom = HEAD + shown.length * ROW + 24;
  const height = bottom + (legend.length - 1) * LEGEND_LINE;
  const left = ranking.places.length - shown.length;
  return picture(
    {
      title: `Ranking of ${ranking.places.length} ${ranking.of}`,
      subtitle: `${left ? `The best ${shown.length} are shown. ` : ""}Topic: ${topic}`,
      width,
      height,
      dark: DARK_COLOURS,
    },
    [
      ...columns,
      text("score", { x: width - 12, y: 16, width: SCORE, attributes: `text-anchor="end" fill="${FAINT}"` }),
      ...rows,
      ...legend.map((line, index) =>
        text(line, {
          x: 0,
          y: bottom + index * LEGEND_LINE,
          width,
          size: 11,
          attributes: `fill="${FAINT}"`,
        }),
      ),
    ].join("\n"),
  );
}

/** The results of the play-off. */
function playOff(matches: readonly Match[], place: ReadonlyMap<string, number>): string[] {
  if (matches.length === 0) return [];
  const results = matches.map(({ a, b, winner }) => {
    const [one, other] = [place.get(a), place.get(b)];
    if (winner === null) return `${one} and ${other} drew`;
    return winner === a ? `${one} beat ${other}` : `${other} beat ${one}`;
  });
  return [`Play-off, to settle who is written out: ${results.join(", ")}.`];
}

function outcome(id: string, match: Match | undefined, bye: string | null): keyof typeof COLOURS | null {
  if (bye === id) return "bye";
  if (!match) return null;
  if (match.winner === null) return "drew";
  return match.winner === id ? "won" : "lost";
}

function cell(x: number, y: number, result: keyof typeof COLOURS | null, opponent: number | undefined): string {
  if (!result) return "";
  const [fill, stroke] = COLOURS[result];
  const box = `<rect x="${n(x + 5)}" y="${n(y + 3)}" width="${CELL - 10}" height="${ROW - 6}" rx="4" fill="${fill}" stroke="${stroke}"/>`;
  const words = result === "bye" ? "bye" : `${opponent}`;
  return (
    box +
    text(words, { x: x + CELL / 2, y: y + 17, width: CELL, size: 11, attributes: `text-anchor="middle" fill="${INK}"` })
  );
}
