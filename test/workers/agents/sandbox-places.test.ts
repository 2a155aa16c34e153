/** Programs that share few places for engines: an engine that waits for agents gives its place up, and a replay makes it again. */
import { describe, expect, it } from "vitest";
import { EnginePlaces } from "#agents/sandbox/engine-places";
import type { AgentCall } from "#agents/sandbox/program";
import { runProgram } from "#agents/sandbox/run-program";
import { Agents, main, pause } from "../../support/sandbox";

const BODY = `
  const log = [];
  const chain = async (name) => {
    for (let i = 0; i < 3; i++) {
      log.push(await agents.call(name, i + " " + Math.random().toFixed(3)));
      console.log(name, i);
    }
  };
  await Promise.all(["x", "y", "z"].map(chain));
  try { await agents.call("bad", "refuse"); } catch (error) { log.push(error.message); }
  return log.sort();`;

/** Counts the engines that are alive: those that were taken and not dropped. */
class CountedPlaces extends EnginePlaces {
  live = 0;
  most_live = 0;
  drops = 0;

  override async acquire(drop: () => void): Promise<void> {
    const counted = this.counted.get(drop) ?? (() => (this.live--, this.drops++, drop()));
    this.counted.set(drop, counted);
    await super.acquire(counted);
    this.most_live = Math.max(this.most_live, ++this.live);
  }
  override rest(drop: () => void): void {
    super.rest(this.counted.get(drop)!);
  }
  override resume(drop: () => void): boolean {
    return super.resume(this.counted.get(drop)!);
  }
  override release(drop: () => void): void {
    this.live--;
    super.release(this.counted.get(drop)!);
  }
  private readonly counted = new Map<() => void, () => void>();
}

describe("twelve programs with two places", () => {
  it("end as each would alone, call each agent once, and never have more than two engines", async () => {
    const alone = await runProgram(main(BODY), { call: new Agents(() => 5).call, seed: 3 });
    const places = new CountedPlaces(2);
    const agents = Array.from({ length: 12 }, () => new Agents(() => 5));
    const results = await Promise.all(agents.map(({ call }) => runProgram(main(BODY), { call, seed: 3 }, places)));
    for (const result of results) {
      expect(result).toMatchObject({ status: "returned", value: (alone as { value: unknown }).value, calls: 10 });
      expect(result.log).toHaveLength(alone.log.length);
    }
    expect(agents.map(({ calls }) => calls.length)).toEqual(Array(12).fill(10));
    expect(places.most_live).toBe(2);
    expect(places.live).toBe(0);
    expect(places.drops).toBeGreaterThan(10);
  });

  it("have the same fuel used and the same log as programs that kept their engines, when outcomes come in one order", async () => {
    const body = `for (let i = 0; i < 4; i++) console.log(await agents.call("a", "part " + i)); return Math.random();`;
    const alone = await runProgram(main(body), { call: new Agents(() => 1).call, seed: 5 });
    const places = new EnginePlaces(1);
    const all = [1, 2, 3].map(() => runProgram(main(body), { call: new Agents(() => 3).call, seed: 5 }, places));
    for (const result of await Promise.all(all)) expect(result).toEqual(alone);
  });
});

it("a program whose agents do not answer holds up no other", async () => {
  const places = new EnginePlaces(1);
  let answer!: () => void;
  const silent = new Promise<void>((resolve) => (answer = resolve));
  const waiting = runProgram(
    main(`return agents.call("slow", "x");`),
    { call: async (_: AgentCall) => (await silent, { completed_seq: 1, ok: true, value: "late" }), seed: 1 },
    places,
  );
  await pause(20);
  const other = await runProgram(
    main(`return agents.call("quick", "y");`),
    { call: new Agents().call, seed: 1 },
    places,
  );
  expect(other).toMatchObject({ status: "returned", value: "answer to y" });
  answer();
  expect(await waiting).toMatchObject({ status: "returned", value: "late", calls: 1 });
});

it("a program that fails to start gives its place back", async () => {
  const places = new EnginePlaces(1);
  const call = new Agents().call;
  await expect(runProgram(main("return 1;"), { call, seed: 1, limits: { memory_bytes: 1 } }, places)).rejects.toThrow(
    RangeError,
  );
  expect(await runProgram("not a program", { call, seed: 1 }, places)).toMatchObject({ status: "failed" });
  expect(await runProgram(main("return 1;"), { call, seed: 1 }, places)).toMatchObject({ value: 1 });
});
