import { describe, expect, test } from "vitest";
import type { Match } from "#workflows/ideation/artifacts/index";
import { metricsOf } from "#workflows/ideation/rules/metrics";
import { Tournament, type Pairing } from "#workflows/ideation/rules/tournament";

const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${index + 1}`);
const won = ({ a, b }: Pairing, winner: string | null): Match => ({ a, b, first: a, winner, reasons: [], points: [] });
/** The entrant with the lower number wins. */
const byNumber = (pairing: Pairing): Match =>
  won(pairing, Number(pairing.a.slice(1)) < Number(pairing.b.slice(1)) ? pairing.a : pairing.b);

function played(count: number, rounds: number, judge: (pairing: Pairing) => Match = byNumber, seed = 2024): Tournament {
  const tournament = new Tournament(ids(count), seed, rounds);
  while (!tournament.finished) {
    const { pairings, bye } = tournament.nextRound();
    tournament.recordRound(pairings.map(judge), bye);
  }
  return tournament;
}

const meetings = ({ rounds }: Tournament) =>
  rounds.flatMap(({ matches }) => matches.map(({ a, b }) => [a, b].sort().join(" ")));

describe("a Swiss tournament", () => {
  test("adds a point for each win to the initial one", () => {
    const { rounds } = played(4, 1);
    expect(Object.values(rounds[0]!.scores).sort()).toEqual([1, 1, 2, 2]);
  });

  test("pairs ideas of similar score", () => {
    const [first, second] = played(8, 2).rounds;
    for (const { a, b } of second!.matches) expect(first!.scores[a]).toBe(first!.scores[b]);
  });

  test.each([2, 3, 5, 6, 7, 8, 20, 41, 100])(
    "of %i: nobody meets twice in ten rounds while that can be helped",
    (count) => {
      const tournament = played(count, 10);
      const seen = meetings(tournament);
      // Of six, the fourth round may have rematches only; other sizes always allow new pairs.
      if (count !== 6) expect(new Set(seen).size).toBe(seen.length);
      for (const { matches, bye } of tournament.rounds) expect(matches.length * 2 + (bye ? 1 : 0)).toBe(count);
    },
  );

  test.each([2, 3, 4, 5, 6, 7, 8, 9, 10, 11])(
    "of %i with rounds enough: everybody meets everybody once, and has at most one bye",
    (count) => {
      for (let seed = 1; seed <= 40; seed++) {
        const tournament = played(count, 11, byNumber, seed);
        const seen = meetings(tournament);
        expect(seen).toHaveLength((count * (count - 1)) / 2);
        expect(new Set(seen).size).toBe(seen.length);
        const byes = tournament.rounds.flatMap(({ bye }) => (bye === null ? [] : [bye]));
        expect(new Set(byes).size).toBe(count % 2 ? count : 0);
        expect(byes).toHaveLength(count % 2 ? count : 0);
      }
    },
  );

  test("ends when all pairs have met", () => {
    expect(played(4, 10).rounds).toHaveLength(3);
    expect(played(5, 10).rounds).toHaveLength(5);
    expect(played(1, 10).rounds).toHaveLength(0);
    expect(played(0, 10).places()).toEqual([]);
  });

  test("gives the bye and its point to each in turn, the last first", () => {
    const { rounds } = played(5, 5);
    expect(new Set(rounds.map(({ bye }) => bye)).size).toBe(5);
    for (const { scores, bye } of rounds.slice(0, 1)) expect(scores[bye!]).toBe(2);
  });

  test("finds the true order of merit", () => {
    const places = played(8, 7)
      .places()
      .map(({ id }) => id);
    expect(places).toEqual(ids(8));
  });

  test("shares the point when the judge contradicts itself", () => {
    const tournament = played(2, 1, (pairing) => won(pairing, null));
    expect(tournament.places().map(({ score }) => score)).toEqual([1.5, 1.5]);
  });

  test("settles equal scores by the match between them, before any draw", () => {
    for (const seed of [1, 2, 3, 4]) {
      const again = new Tournament(["x", "y"], seed, 2);
      again.recordRound([won({ a: "x", b: "y" }, "y")], null);
      again.recordRound([], "x"); // both now have two points
      expect(again.places().map(({ id }) => id)).toEqual(["y", "x"]);
    }
  });

  test("counts matches among the tied only when all of them have met, else the opponents' scores come first", () => {
    const tournament = new Tournament(["x", "y", "z", "p", "q"], 1, 3);
    const record = (...results: [winner: string, loser: string][]) =>
      tournament.recordRound(
        results.map(([a, b]) => won({ a, b }, a)),
        null,
      );
    record(["x", "y"], ["z", "p"]);
    record(["y", "q"]);
    for (let round = 0; round < 3; round++) record(["p", "q"]);
    // x, y and z have two points each. x has beaten y, but z has met neither; the opponents of z have four points, those of y three, of x two.
    expect(tournament.places().map(({ id }) => id)).toEqual(["p", "z", "y", "x", "q"]);
  });

  /** x and y are tied: same score, same opponents, and no match with each other. */
  const level = (seed: number) => {
    const tournament = new Tournament(["x", "y", "p", "q"], seed, 2);
    tournament.recordRound([won({ a: "p", b: "x" }, "p"), won({ a: "q", b: "y" }, "y")], null);
    tournament.recordRound([won({ a: "x", b: "q" }, "x"), won({ a: "y", b: "p" }, "p")], null);
    return tournament; // p 3, x 2, y 2, q 1; both have met p and q
  };

  test("settles equal scores by the opponents' scores, before any draw", () => {
    for (const seed of [1, 2, 3, 4]) {
      const tournament = new Tournament(["x", "y", "p", "q", "r"], seed, 2);
      tournament.recordRound([won({ a: "x", b: "p" }, "x"), won({ a: "y", b: "q" }, "y")], "r");
      tournament.recordRound([won({ a: "p", b: "r" }, "p")], null);
      // x, y, p and r have two points each. p and r have met; x and y differ by opponents: p has two points, q has one.
      const places = tournament.places();
      expect(places.findIndex(({ id }) => id === "x")).toBeLessThan(places.findIndex(({ id }) => id === "y"));
      expect(places.every(({ tied }) => !tied)).toBe(true);
    }
  });

  test("marks the places that only the draw decided", () => {
    const places = level(1).places();
    expect(places.map(({ tied }) => tied)).toEqual([false, true, true, false]);
  });

  test("has a play-off between tied entrants at the cut, and uses its result before the draw", () => {
    for (const seed of [1, 2, 3, 4])
      for (const winner of ["x", "y"]) {
        const tournament = level(seed);
        expect(tournament.playOffPairings(1)).toEqual([]); // p alone is first
        expect(tournament.playOffPairings(3)).toEqual([]);
        const missing = tournament.playOffPairings(2);
        expect(missing.map(({ a, b }) => [a, b].sort())).toEqual([["x", "y"]]);
        tournament.recordPlayOff(missing.map((pairing) => won(pairing, winner)));
        expect(tournament.places().slice(0, 2)).toEqual([
          { id: "p", score: 3, tied: false },
          { id: winner, score: 2, tied: false },
        ]);
        expect(tournament.playOffPairings(2)).toEqual([]);
      }
  });

  test("has no play-off between entrants that have met, nor among more than five", () => {
    const drew = new Tournament(["x", "y"], 1, 2);
    drew.recordRound([won({ a: "x", b: "y" }, null)], null);
    expect(drew.playOffPairings(1)).toEqual([]);
    expect(drew.places().every(({ tied }) => tied)).toBe(true);
    expect(new Tournament(ids(5), 1, 2).playOffPairings(2)).toHaveLength(10);
    expect(new Tournament(ids(6), 1, 2).playOffPairings(2)).toEqual([]);
  });

  test("depends only on its seed, which also decides the order before the judge", () => {
    const all = (seed: number) => played(20, 3, byNumber, seed).rounds;
    expect(all(5)).toEqual(all(5));
    expect(all(5)).not.toEqual(all(6));
    const firsts = played(40, 10).rounds.flatMap(({ matches }) => matches.map(({ a, winner }) => a === winner));
    const share = firsts.filter(Boolean).length / firsts.length;
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  test("pairs a thousand in reasonable time", () => {
    expect(played(1000, 3).rounds).toHaveLength(3);
  });
});

describe("metrics", () => {
  const ideas = [
    ...["a1", "a2", "a3"].map((id) => ({ id, configuration: "A" })),
    ...["b1", "b2"].map((id) => ({ id, configuration: "B" })),
  ];
  const verdict = {
    measure: { method: "embedding", model: "m", threshold: 0.8 } as const,
    kept: ["a1", "a3", "b1", "b2"],
    dropped: [{ idea: "a2", because: { cause: "similar", similar_to: "a1", similarity: 0.9 } as const }],
  };
  const place = (id: string, score: number) => ({ id, score, tied: false, rubric: null });
  const ranking = {
    of: "proposals" as const,
    rounds: [
      {
        round: 1,
        bye: null,
        scores: {},
        matches: [won({ a: "a1", b: "b1" }, "b1"), won({ a: "a3", b: "b2" }, null), won({ a: "b1", b: "b2" }, "b1")],
      },
    ],
    play_off: [],
    places: [place("b1", 3), place("b2", 1.5), place("a3", 1.5), place("a1", 1)],
  };

  test("give each configuration's kept ideas, ranks and wins", () => {
    const { configurations, ...all } = metricsOf(["A", "B"], ideas, verdict, ranking);
    expect(all).toMatchObject({ ideas: 5, kept: 4, non_duplicate_ratio: 0.8 });
    expect(configurations).toEqual([
      {
        configuration: "A",
        ideas: 3,
        kept: 2,
        non_duplicate_ratio: 0.6667,
        ranked: 2,
        precision_at: { all: 0.5 },
        mean_score: 1.25,
        win_rate: 0.25,
      },
      {
        configuration: "B",
        ideas: 2,
        kept: 2,
        non_duplicate_ratio: 1,
        ranked: 2,
        precision_at: { all: 0.5 },
        mean_score: 2.25,
        win_rate: 0.75,
      },
    ]);
  });

  test("have precision at each N that the ranking reaches", () => {
    const places = Array.from({ length: 22 }, (_, index) => place(index < 11 ? `b${index}` : `a${index}`, 22 - index));
    const many = places.map(({ id }) => ({ id, configuration: id[0]!.toUpperCase() }));
    const [, b] = metricsOf(["A", "B"], many, null, { ...ranking, rounds: [], places }).configurations;
    expect(b!.precision_at).toEqual({ "5": 1, "10": 1, "20": 0.55, all: 0.5 });
  });

  test("are empty for stages that a run did not reach", () => {
    expect(metricsOf(["A"], [], null, null)).toEqual({
      ideas: 0,
      kept: 0,
      non_duplicate_ratio: null,
      measure: null,
      configurations: [
        {
          configuration: "A",
          ideas: 0,
          kept: 0,
          non_duplicate_ratio: null,
          ranked: 0,
          precision_at: null,
          mean_score: null,
          win_rate: null,
        },
      ],
    });
  });
});
