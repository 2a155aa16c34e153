import type { Match, Place, Round } from "../artifacts";
import { chance, drawn } from "./chance";

/**
 * A Swiss tournament (Si et al.; spec, step 8) without elimination; the README, "Tournament", lists the repaired defects. If there are rounds
 * enough for everybody to meet everybody, the rounds follow the circle method instead.
 */

/** Two opponents; the judge reads `a` first. */
export interface Pairing {
  a: string;
  b: string;
}

export class Tournament {
  readonly rounds: Round[] = [];
  /** Matches after the rounds; see `playOffPairings`. */
  readonly playOff: Match[] = [];
  private readonly scores: Map<string, number>;
  private readonly met = new Map<string, number>();
  private readonly byes = new Map<string, number>();
  /** Ids in a random order, which breaks ties of scores in pairings. */
  private readonly seeded: readonly string[];

  /**
   * @param ids ids of the entrants; each begins with a score of 1
   * @param planned number of rounds that are to be played
   */
  constructor(
    ids: readonly string[],
    private readonly seed: number,
    private readonly planned: number,
  ) {
    this.seeded = drawn(ids, seed, "first order");
    this.scores = new Map(this.seeded.map((id) => [id, 1]));
  }

  /** Rounds in which everybody can meet everybody once: n - 1 of n entrants, n if n is odd. */
  private get fullRounds(): number {
    const count = this.seeded.length;
    return count < 2 ? 0 : count % 2 ? count : count - 1;
  }

  /** Whether the planned rounds are played, or all rounds in which opponents can be new. */
  get finished(): boolean {
    return this.rounds.length >= Math.min(this.planned, this.fullRounds);
  }

  /**
   * The next round: by the circle method if everybody meets everybody in the planned rounds; else neighbours by score, without rematches if
   * possible, and of an odd number, the last entrant with the fewest byes gets the bye.
   */
  nextRound(): { pairings: Pairing[]; bye: string | null } {
    const { pairs, bye } = this.planned >= this.fullRounds ? this.circleRound() : this.swissRound();
    const random = chance(this.seed, `sides of round ${this.rounds.length + 1}`);
    return {
      pairings: pairs.map(([one, other]) => (random() < 0.5 ? { a: one, b: other } : { a: other, b: one })),
      bye,
    };
  }

  private swissRound(): { pairs: [string, string][]; bye: string | null } {
    const order = this.ordered();
    const bye = order.length % 2 ? this.byeOf(order) : null;
    return { pairs: this.pairUp(order.filter((id) => id !== bye)), bye };
  }

  /** The circle method: one place stands still, the others move on by one each round, and opposite places meet. */
  private circleRound(): { pairs: [string, string][]; bye: string | null } {
    const [fixed, ...moving] = this.seeded.length % 2 ? [null, ...this.seeded] : this.seeded;
    const turn = this.rounds.length;
    const circle = [fixed!, ...moving.map((_, place) => moving[(place + turn) % moving.length]!)];
    const half = circle
      .slice(0, circle.length / 2)
      .map((one, place): [string | null, string | null] => [one, circle.at(-1 - place)!]);
    const bye = half.find((pair) => pair.includes(null))?.find((id) => id !== null) ?? null;
    return { pairs: half.filter((pair): pair is [string, string] => !pair.includes(null)), bye };
  }

  /** Records a round: one point for a winner and for the bye, half a point each for a draw. */
  recordRound(matches: readonly Match[], bye: string | null): void {
    const add = (id: string, points: number) => this.scores.set(id, this.scores.get(id)! + points);
    for (const { a, b, winner } of matches) {
      if (winner === null) for (const id of [a, b]) add(id, 0.5);
      else add(winner, 1);
      this.met.set(pairKey(a, b), this.meetings(a, b) + 1);
    }
    if (bye !== null) {
      add(bye, 1);
      this.byes.set(bye, (this.byes.get(bye) ?? 0) + 1);
    }
    this.rounds.push({
      round: this.rounds.length + 1,
      matches: [...matches],
      bye,
      scores: Object.fromEntries(this.scores),
    });
  }

  /**
   * The missing matches of a tie that crosses the cut after the best entrants. Empty without such a tie, or when too many entrants are
   * tied.
   * @param best number of entrants to choose
   */
  playOffPairings(best: number): Pairing[] {
    let before = 0;
    const straddling = this.standings().find(({ ids }) => (before += ids.length) > best && before - ids.length < best);
    if (!straddling || straddling.ids.length > MAX_IN_PLAY_OFF) return [];
    const random = chance(this.seed, "sides of the play-off");
    return straddling.ids.flatMap((one, place) =>
      straddling.ids
        .slice(place + 1)
        .filter((other) => !this.meetings(one, other))
        .map((other) => (random() < 0.5 ? { a: one, b: other } : { a: other, b: one })),
    );
  }

  /** Records matches after the rounds: they break ties and give no points. */
  recordPlayOff(matches: readonly Match[]): void {
    this.playOff.push(...matches);
  }

  /** Places, best first: by score, then by the tie-breaks of `splitTies`, then by a seeded draw. */
  places(): Pick<Place, "id" | "score" | "tied">[] {
    return this.standings().flatMap(({ score, ids }) =>
      drawn(ids, this.seed, "ties").map((id) => ({ id, score, tied: ids.length > 1 })),
    );
  }

  /** Groups of entrants that no tie-break separates, best first. */
  private standings(): { score: number; ids: string[] }[] {
    const groups = Map.groupBy(this.ordered(), (id) => this.scores.get(id)!);
    return [...groups].flatMap(([score, ids]) => this.splitTies(ids).map((tied) => ({ score, ids: tied })));
  }

  /**
   * Splits entrants of equal score: by their matches with each other if all of them have met, else by their opponents' scores first; last by
   * their matches with the play-off.
   */
  private splitTies(ids: string[]): string[][] {
    const played = this.rounds.flatMap(({ matches }) => matches);
    const measures = [
      () => (allMet(ids, played) ? pointsAmong(ids, played) : NO_POINTS),
      () => this.opponentScores(ids),
      () => (allMet(ids, [...played, ...this.playOff]) ? pointsAmong(ids, [...played, ...this.playOff]) : NO_POINTS),
    ];
    for (const measure of measures) {
      const points = measure();
      const groups = Map.groupBy(ids, (id) => points.get(id) ?? 0);
      if (groups.size > 1)
        return [...groups].toSorted(([one], [other]) => other - one).flatMap(([, tied]) => this.splitTies(tied));
    }
    return [ids];
  }

  /** Sum of the scores of each entrant's opponents; a bye counts as an opponent with a score of 1. */
  private opponentScores(ids: readonly string[]): Map<string, number> {
    const sums = new Map(ids.map((id) => [id, this.byes.get(id) ?? 0]));
    const add = (id: string, other: string) => {
      if (sums.has(id)) sums.set(id, sums.get(id)! + this.scores.get(other)!);
    };
    for (const { a, b } of this.rounds.flatMap(({ matches }) => matches)) {
      add(a, b);
      add(b, a);
    }
    return sums;
  }

  private ordered(): string[] {
    return this.seeded.toSorted((one, other) => this.scores.get(other)! - this.scores.get(one)!);
  }

  private byeOf(order: readonly string[]): string {
    const had = (id: string) => this.byes.get(id) ?? 0;
    const fewest = Math.min(...order.map(had));
    return order.findLast((id) => had(id) === fewest)!;
  }

  private meetings(one: string, other: string): number {
    return this.met.get(pairKey(one, other)) ?? 0;
  }

  /** Pairs neighbours without rematches; if the search finds no such round, those that have met least often. */
  private pairUp(order: readonly string[]): [string, string][] {
    const budget = { steps: SEARCH_STEPS };
    return this.pairWithoutRematch(order, budget) ?? this.pairLeastMet(order);
  }

  private pairWithoutRematch(order: readonly string[], budget: { steps: number }): [string, string][] | null {
    const [first, ...rest] = order;
    if (first === undefined) return [];
    for (const [place, other] of rest.entries()) {
      if (budget.steps-- <= 0) return null;
      if (this.meetings(first, other)) continue;
      const others = this.pairWithoutRematch(rest.toSpliced(place, 1), budget);
      if (others) return [[first, other], ...others];
    }
    return null;
  }

  private pairLeastMet(order: readonly string[]): [string, string][] {
    const [first, ...rest] = order;
    if (first === undefined) return [];
    const fewest = Math.min(...rest.map((other) => this.meetings(first, other)));
    const place = rest.findIndex((other) => this.meetings(first, other) === fewest);
    return [[first, rest[place]!], ...this.pairLeastMet(rest.toSpliced(place, 1))];
  }
}

/** Most entrants in a play-off: more would need too many matches. */
const MAX_IN_PLAY_OFF = 5;

const NO_POINTS: ReadonlyMap<string, number> = new Map();

/** Whether each of the entrants has met each other one. */
function allMet(ids: readonly string[], matches: readonly Match[]): boolean {
  const met = new Set(matches.map(({ a, b }) => pairKey(a, b)));
  return ids.every((one, place) => ids.slice(place + 1).every((other) => met.has(pairKey(one, other))));
}

/** Points of each entrant in matches with the others: one for a win, half for a draw. */
function pointsAmong(ids: readonly string[], matches: readonly Match[]): Map<string, number> {
  const points = new Map(ids.map((id) => [id, 0]));
  const add = (id: string, more: number) => points.set(id, points.get(id)! + more);
  for (const { a, b, winner } of matches) {
    if (!points.has(a) || !points.has(b)) continue;
    if (winner === null) for (const id of [a, b]) add(id, 0.5);
    else add(winner, 1);
  }
  return points;
}

/** Most pairings that the search for a round without rematches tries. */
const SEARCH_STEPS = 20_000;

const pairKey = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
