import type { Match, Ranking } from "../artifacts";

export type Outcome = "won" | "lost" | "drew";

export const outcomeOf = (id: string, { winner }: Match): Outcome =>
  winner === null ? "drew" : winner === id ? "won" : "lost";

/** Most verdicts for a prompt. */
const MAX_VERDICTS = 8;
const ORDER: readonly Outcome[] = ["lost", "drew", "won"];

/** What the judge said in the matches of an idea, lost ones first. Matches without a reason are left out. */
export const verdictsOn = (id: string, { rounds, play_off }: Ranking, nameOf: (id: string) => string) =>
  [...rounds.flatMap(({ matches }) => matches), ...play_off]
    .filter(({ a, b, reasons }) => (a === id || b === id) && reasons.length)
    .map((match) => ({
      outcome: outcomeOf(id, match),
      other: nameOf(match.a === id ? match.b : match.a),
      reason: match.reasons.join(" "),
      although: outcomeOf(id, match) === "won" && match.points.length ? match.points.join(" ") : null,
    }))
    .toSorted((one, other) => ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome))
    .slice(0, MAX_VERDICTS);
