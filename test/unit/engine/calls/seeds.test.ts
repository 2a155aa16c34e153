import { expect, test } from "vitest";
import { seedOfCall } from "#engine/calls/seeds";
import type { RunSpec } from "#engine/instance/spec";

const specWith = (seed: number | null) => ({ models: { seed } }) as RunSpec;
const seed = (ofRun: number | null, ofRole: number | undefined, step: string, { ofStep, nth = 1 }: Sent = {}) =>
  seedOfCall(specWith(ofRun), { seed: ofRole }, { step, seed: ofStep }, nth).seed;
interface Sent {
  ofStep?: number;
  nth?: number;
}

test("steps that share a prompt have different seeds, and the same ones in every run", () => {
  const samples = Array.from({ length: 40 }, (_, index) => seed(7, 7, `answering/answer#${index + 1}`));
  expect(new Set(samples).size).toBe(40);
  expect(samples.every((value) => Number.isInteger(value) && value! >= 0 && value! < 2 ** 31)).toBe(true);
  expect(samples[0]).toBe(seed(7, 7, "answering/answer#1"));
  expect(samples[0]).not.toBe(seed(8, 8, "answering/answer#1"));
});

test("each further try has another seed", () => {
  const tries = [1, 2, 3].map((nth) => seed(7, 7, "a", { nth }));
  expect(new Set(tries).size).toBe(3);
});

test("no seed is sent where neither caller nor workflow states one", () => {
  expect(seed(null, undefined, "a")).toBeUndefined();
  expect(seed(null, undefined, "a", { nth: 2 })).toBeUndefined();
});

test("the workflow's seed for a step is sent as it is, with and without a seed of the run; a further try derives from it", () => {
  expect(seed(7, 7, "a", { ofStep: 3 })).toBe(3);
  expect(seed(null, undefined, "a", { ofStep: 3 })).toBe(3);
  expect(seed(7, 7, "a", { ofStep: 3, nth: 2 })).not.toBe(3);
  expect(seed(7, 7, "a", { ofStep: 3, nth: 2 })).toBe(seed(null, undefined, "a", { ofStep: 3, nth: 2 }));
});

test("a role's own seed wins over the step's, and is derived from too", () => {
  const own = seed(7, 5, "a", { ofStep: 3 });
  expect(own).toBe(seed(null, 5, "a"));
  expect(own).not.toBe(seed(7, 5, "b", { ofStep: 3 }));
});
