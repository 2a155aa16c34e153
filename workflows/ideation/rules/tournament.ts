import type { Match, Place, Round } from "../artifacts";
import { chance, drawn } from "./chance";

/** A Swiss tournament (Si et al.; spec, step 8), its known defects mended: see the README, "Tournament". Nobody is eliminated. */

/** Two who meet; the judge reads `a` first. */
export interface Pairing {
  a: string;
  b: string;
}

/** Where a tournament stands: what the next round is paired by. */
export class Tournament {
  readonly rounds: Round[] = [];
  /** Matches after the rounds, see `undecided`. */
  readonly playOff: Match[] = [];
  private readonly scores: Map<string, number>;
  private readonly met = new Map<string, number>();
  private readonly byes = new Map<string, number>();
  /** Equal scores stand in the order in which the draw put them. */
  private readonly seeded: readonly string[];

  /** @param ids of those who take part; all begin with a score of 1 */
  constructor(
    ids: readonly string[],
    private readonly seed: number,
  ) {
    this.seeded = drawn(ids, seed, "first order");
    this.scores = new Map(this.seeded.map((id) => [id, 1]));
  }

  /** Whether another round would tell anything: everybody has met everybody after one less than there are of them. */
  get exhausted(): boolean {
    const count = this.seeded.length;
    return count < 2 || this.rounds.length >= (count % 2 ? count : count - 1);
  }

  /** Neighbours by score, who have not met before if that can be; of an odd number the last one who had the fewest byes sits out. */
  next(): { pairings: Pairing[]; bye: string | null } {
    const order = this.ordered();
    const bye = order.length % 2 ? this.sitsOut(order) : null;
    const pairs = this.paired(order.filter((id) => id !== bye));
    const random = chance(this.seed, `sides of round ${this.rounds.length + 1}`);
    return {
      pairings: pairs.map(([one, other]) => (random() < 0.5 ? { a: one, b: other } : { a: other, b: one })),
      bye,
    };
  }

  /** Takes in a round: a point for each winner, half a point each where the judge contradicted itself, and one for the bye. */
  play(matches: readonly Match[], bye: string | null): void {
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
   * The matches that those have not played of whom only the draw would say who is among the best; none when nothing hangs on it, or when
   * too many stand there.
   * @param best how many are to be chosen
   */
  undecided(best: number): Pairing[] {
    let before = 0;
    const straddling = this.standings().find(({ ids }) => (before += ids.length) > best && before - ids.length < best);
    if (!straddling || straddling.ids.length > MOST_IN_PLAY_OFF) return [];
    const random = chance(this.seed, "sides of the play-off");
    return straddling.ids.flatMap((one, place) =>
      straddling.ids
        .slice(place + 1)
        .filter((other) => !this.meetings(one, other))
        .map((other) => (random() < 0.5 ? { a: one, b: other } : { a: other, b: one })),
    );
  }

  /** Takes in matches after the rounds: they part equals, and give no points. */
  settle(matches: readonly Match[]): void {
    this.playOff.push(...matches);
  }

  /** Best first: by score; equals as `parted` says, then by a seeded draw. */
  places(): Pick<Place, "id" | "score" | "tied">[] {
    return this.standings().flatMap(({ score, ids }) =>
      drawn(ids, this.seed, "ties").map((id) => ({ id, score, tied: ids.length > 1 })),
    );
  }

  /** Groups, best first, within which nothing tells one from the other. */
  private standings(): { score: number; ids: string[] }[] {
    const groups = Map.groupBy(this.ordered(), (id) => this.scores.get(id)!);
    return [...groups].flatMap(([score, ids]) => this.parted(ids).map((equals) => ({ score, ids: equals })));
  }

  /** Equal scores: by the matches among those who have them, then by the scores of all whom each has met, then by the play-off. */
  private parted(ids: string[]): string[][] {
    const played = this.rounds.flatMap(({ matches }) => matches);
    const measures = [() => pointsAmong(ids, played), () => this.opponents(ids), () => pointsAmong(ids, this.playOff)];
    for (const measure of measures) {
      const points = measure();
      const groups = Map.groupBy(ids, (id) => points.get(id)!);
      if (groups.size > 1)
        return [...groups].toSorted(([one], [other]) => other - one).flatMap(([, equals]) => this.parted(equals));
    }
    return [ids];
  }

  /** The sum of the scores of those whom each has met; a bye counts as one who has won nothing. */
  private opponents(ids: readonly string[]): Map<string, number> {
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

  private sitsOut(order: readonly string[]): string {
    const had = (id: string) => this.byes.get(id) ?? 0;
    const fewest = Math.min(...order.map(had));
    return order.findLast((id) => had(id) === fewest)!;
  }

  private meetings(one: string, other: string): number {
    return this.met.get(pairKey(one, other)) ?? 0;
  }

  /** Neighbours, none of whom have met; where the search finds no such round, whoever has met least often. */
  private paired(order: readonly string[]): [string, string][] {
    const budget = { steps: SEARCH };
    return this.unmet(order, budget) ?? this.leastMet(order);
  }

  private unmet(order: readonly string[], budget: { steps: number }): [string, string][] | null {
    const [first, ...rest] = order;
    if (first === undefined) return [];
    for (const [place, other] of rest.entries()) {
      if (budget.steps-- <= 0) return null;
      if (this.meetings(first, other)) continue;
      const others = this.unmet(rest.toSpliced(place, 1), budget);
      if (others) return [[first, other], ...others];
    }
    return null;
  }

  private leastMet(order: readonly string[]): [string, string][] {
    const [first, ...rest] = order;
    if (first === undefined) return [];
    const fewest = Math.min(...rest.map((other) => this.meetings(first, other)));
    const place = rest.findIndex((other) => this.meetings(first, other) === fewest);
    return [[first, rest[place]!], ...this.leastMet(rest.toSpliced(place, 1))];
  }
}

/** Of more than so many, the missing matches would be a tournament of their own. */
const MOST_IN_PLAY_OFF = 5;

/** What each has won in matches with the others; half a point where the judge contradicted itself. */
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

/** Pairings that are tried before a round takes whoever has met least. */
const SEARCH = 20_000;

const pairKey = (one: string, other: string): string => (one < other ? `${one} ${other}` : `${other} ${one}`);
