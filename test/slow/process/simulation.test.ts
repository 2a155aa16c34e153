/** A bounded form of `npm run simulate`: the whole Worker in simulated worlds, each made of a seed. */
import { expect, it } from "vitest";
import { runSeeds } from "../../../lab/simulate/run-seeds.ts";
import { SABOTAGES } from "../../../lab/simulate/sabotages.ts";

const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const COMMON = { processes: 2, sabotages: [] };

it("keeps every promise in simulated worlds, with crashes, faults of storage and concurrent clients", async () => {
  const { results, kinds } = await runSeeds({ ...COMMON, seeds: seeds(8), runs: 4 });
  expect(kinds, "Again: npm run simulate -- --runs 4 --seed <seed>").toEqual([]);
  expect(results.reduce((sum, { completed, removed }) => sum + completed + removed, 0)).toBe(8 * 4);
});

it("replays a world from its seed, event by event", async () => {
  const [first, again] = await Promise.all(
    [seeds(3), [3]].map((some) => runSeeds({ ...COMMON, seeds: some, runs: 2, processes: 1 })),
  );
  const scheduleOf = ({ results }: { results: any[] }) => {
    const { events, fingerprint } = results.find(({ seed }) => seed === 3);
    return { events, fingerprint };
  };
  expect(scheduleOf(again!)).toEqual(scheduleOf(first!));
});

it.each(Object.keys(SABOTAGES))("finds the sabotage %s", async (name) => {
  const { sign, focus } = SABOTAGES[name]!;
  const { results } = await runSeeds({
    ...COMMON,
    seeds: seeds(60),
    runs: 4,
    sabotages: [name],
    overrides: focus,
    stopAt: sign,
  });
  const found = results.flatMap(({ violations }) => violations as string[]).filter((violation) => sign.test(violation));
  expect(found.length, `after ${results.length} seeds`).toBeGreaterThan(0);
});
