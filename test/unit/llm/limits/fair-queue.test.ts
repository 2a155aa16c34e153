/** Order of admission: within the limits, in order, and fair. */
import { describe, expect, it } from "vitest";
import type { ProviderLimits } from "#llm";
import { FairQueue } from "#llm/limits/fair-queue";

const NONE: ProviderLimits = { max_concurrency: null, requests_per_minute: null, tokens_per_minute: null };
const ONE: ProviderLimits = { ...NONE, max_concurrency: 1 };
const LEASE = 1000;

/** A queue that records admissions by name. */
function gate(limits: ProviderLimits, queue = new FairQueue()) {
  const admitted: string[] = [];
  const permits = new Map<string, string | null>();
  const admits = new Map<string, (permit: string | null) => void>();
  let now = 0;
  const open = () => queue.admit(limits, now);
  return {
    queue,
    admitted,
    permits,
    join(id: string, run = id, tenant = "t", tokens = 0) {
      const admit = (permit: string | null) => {
        permits.set(id, permit);
        if (permit !== null) admitted.push(id);
      };
      admits.set(id, admit);
      queue.join({ id, run, tenant, lease_ms: LEASE, tokens }, admit);
      open();
    },
    leave: (id: string) => queue.leave(id, admits.get(id)!, now),
    release(id: string) {
      const given = queue.release(id, permits.get(id)!);
      open();
      return given;
    },
    settle: (id: string, tokens: number) => (queue.recordTokens(permits.get(id)!, tokens), open()),
    /** Serves tickets one at a time until none waits. */
    drain() {
      for (let at = 0; at < admitted.length; at++) this.release(admitted[at]!);
      return admitted;
    },
    at(time: number) {
      now = time;
      open();
    },
    get opensAt() {
      return queue.opensAt(limits, now);
    },
  };
}

describe("concurrency", () => {
  it("admits as many as the limit, and the next after a release", () => {
    const door = gate({ ...NONE, max_concurrency: 2 });
    for (const id of ["a", "b", "c", "d"]) door.join(id);
    expect(door.admitted).toEqual(["a", "b"]);
    door.release("b");
    expect(door.admitted).toEqual(["a", "b", "c"]);
  });

  it("expires a permit that is not released, when its lease ends", () => {
    const door = gate(ONE);
    door.join("a");
    door.join("b");
    expect(door.opensAt).toBe(LEASE);
    door.at(LEASE - 1);
    expect(door.admitted).toEqual(["a"]);
    door.at(LEASE);
    expect(door.admitted).toEqual(["a", "b"]);
    expect(door.release("a")).toBe(false);
  });

  it("a ticket with the same id after a crash gets one permit, and the earlier permit is void", () => {
    const door = gate(ONE);
    door.join("a");
    const before = door.permits.get("a")!;
    door.join("a");
    expect(door.permits.get("a")).not.toBe(before);
    expect(door.queue.release("a", before)).toBe(false);
    door.join("b");
    expect(door.admitted).toEqual(["a", "a"]);
    door.release("a");
    expect(door.admitted).toEqual(["a", "a", "b"]);
  });

  it("counts permits from before it was moved", () => {
    const door = gate(ONE, new FairQueue([{ id: "x", permit: "p", until: 500 }]));
    door.join("a");
    expect(door.admitted).toEqual([]);
    door.at(500);
    expect(door.admitted).toEqual(["a"]);
  });
});

describe("rate", () => {
  it("admits no more requests than the limit in any minute", () => {
    const door = gate({ ...NONE, requests_per_minute: 2 });
    door.join("a");
    door.at(30_000);
    for (const id of ["b", "c", "d"]) door.join(id);
    door.drain();
    expect(door.admitted).toEqual(["a", "b"]);
    expect(door.opensAt).toBe(60_000);
    door.at(60_000);
    expect(door.admitted).toEqual(["a", "b", "c"]);
    expect(door.opensAt).toBe(90_000);
    door.at(90_000);
    expect(door.admitted).toEqual(["a", "b", "c", "d"]);
  });

  const asking = (door: ReturnType<typeof gate>, id: string, tokens: number) => door.join(id, id, "t", tokens);

  it("admits no more expected tokens than the limit in any minute", () => {
    const door = gate({ ...NONE, tokens_per_minute: 1000 });
    asking(door, "a", 600);
    door.at(10_000);
    asking(door, "b", 400);
    asking(door, "c", 500);
    asking(door, "d", 1); // queues behind c
    expect(door.admitted).toEqual(["a", "b"]);
    expect(door.opensAt).toBe(60_000);
    door.at(60_000);
    expect(door.admitted).toEqual(["a", "b", "c", "d"]);
  });

  it("replaces expected tokens by used ones, once these are known", () => {
    const door = gate({ ...NONE, tokens_per_minute: 1000 });
    asking(door, "a", 900);
    asking(door, "b", 900);
    expect(door.admitted).toEqual(["a"]);
    door.settle("a", 100);
    expect(door.admitted).toEqual(["a", "b"]);
    door.settle("b", 950); // more than expected
    asking(door, "c", 100);
    expect(door.admitted).toEqual(["a", "b"]);
    door.at(60_000);
    expect(door.admitted).toEqual(["a", "b", "c"]);
  });

  it("admits a request that is larger than the limit when no other counts any more", () => {
    const door = gate({ ...NONE, tokens_per_minute: 1000 });
    asking(door, "a", 10);
    asking(door, "large", 5000);
    expect(door.admitted).toEqual(["a"]);
    door.at(60_000);
    expect(door.admitted).toEqual(["a", "large"]);
    asking(door, "b", 1);
    expect(door.opensAt).toBe(120_000);
  });

  it("saves tokens for a large request while its caller checks its run, and no longer", () => {
    const door = gate({ ...NONE, tokens_per_minute: 1000 });
    asking(door, "a", 500);
    asking(door, "large", 900);
    asking(door, "small", 300); // would fit, but queues behind it
    const away = (from: number) => (door.at(from), door.leave("large"), door.at(from + 1999));
    away(15_000);
    asking(door, "large", 900);
    away(30_000);
    asking(door, "late", 1);
    expect(door.admitted).toEqual(["a"]);
    asking(door, "large", 900);
    door.at(60_000);
    expect(door.admitted).toEqual(["a", "large"]);

    asking(door, "huge", 1000); // queues behind small, which does not fit
    door.leave("small");
    expect(door.opensAt).toBe(62_000);
    door.at(62_000);
    expect(door.admitted).toEqual(["a", "large", "late"]);
  });

  it("admits no request while it is closed, and all in order afterwards", () => {
    const door = gate(NONE);
    door.queue.close(5000);
    door.queue.close(2000);
    door.join("a");
    door.join("b");
    door.at(4999);
    expect(door.admitted).toEqual([]);
    door.at(5000);
    expect(door.admitted).toEqual(["a", "b"]);
  });
});

describe("order", () => {
  it("is FIFO", () => {
    const door = gate(ONE);
    for (const id of ["a", "b", "c", "d"]) door.join(id);
    expect(door.drain()).toEqual(["a", "b", "c", "d"]);
  });

  // Tickets that arrived while requests were admitted at once were served before any waited; turns count from then on.
  it("gives a run with many branches one turn at a time", () => {
    const door = gate(ONE);
    for (const n of [1, 2, 3]) door.join(`wide${n}`, "wide");
    door.join("b1", "b");
    door.join("c1", "c");
    expect(door.drain()).toEqual(["wide1", "wide2", "b1", "c1", "wide3"]);
  });

  it("gives a tenant with many runs one turn at a time", () => {
    const door = gate(ONE);
    for (const n of [1, 2, 3, 4]) door.join(`big${n}`, `run${n}`, "big");
    for (const n of [1, 2]) door.join(`small${n}`, `other${n}`, "small");
    expect(door.drain()).toEqual(["big1", "big2", "small1", "big3", "small2", "big4"]);
  });

  it("prevents newcomers from starving waiting requests", () => {
    const door = gate(ONE);
    for (const n of [1, 2, 3]) door.join(`old${n}`, "old");
    for (let n = 1; n <= 20 && !door.admitted.includes("old3"); n++) {
      door.join(`new${n}`);
      door.release(door.admitted.at(-1)!);
    }
    expect(door.admitted).toContain("old3");
    expect(door.admitted.length).toBeLessThanOrEqual(8);
  });

  it("skips a caller that left, and keeps its place for a minute", () => {
    const door = gate(ONE);
    for (const id of ["a", "b", "c", "d"]) door.join(id);
    expect(door.leave("b")).toBe(true);
    door.release("a");
    expect(door.admitted).toEqual(["a", "c"]);
    door.join("b");
    door.release("c");
    expect(door.admitted).toEqual(["a", "c", "b"]);
    expect(door.leave("d")).toBe(true);
    door.at(60_000);
    expect(door.queue.hasWaiting).toBe(false);
  });

  it("refuses to remove a request that was admitted already", () => {
    const door = gate(ONE);
    door.join("a");
    expect(door.leave("a")).toBe(false);
  });
});

it("takes back the permits and the places of callers that are gone, and of no others", () => {
  const door = gate({ ...ONE, max_concurrency: 2 });
  for (const id of ["run_1-e1/a", "run_12-e1/a", "run_1-e2/b", "run_2-e1/a"]) door.join(id);
  expect(door.queue.releaseAll("run_1-e")).toEqual(["run_1-e1/a"]);
  expect(door.permits.get("run_1-e2/b")).toBeNull();
  door.at(1);
  expect(door.admitted).toEqual(["run_1-e1/a", "run_12-e1/a", "run_2-e1/a"]);
});
