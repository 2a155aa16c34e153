import { expect, test } from "vitest";
import { longestChain } from "../../../lab/lib/chains.ts";

const call = (started_at: number, ended_at: number) => ({ started_at, ended_at });

test("calls at the same time count once in a chain", () => {
  expect(longestChain([call(0, 50), call(52, 102), call(53, 104), call(106, 156)])).toBe(3);
});

test("a long call beside short ones that follow one another does not shorten their chain", () => {
  expect(longestChain([call(0, 500), call(0, 50), call(60, 110), call(120, 170)])).toBe(3);
});

test("without calls there is no chain", () => {
  expect(longestChain([])).toBe(0);
});
