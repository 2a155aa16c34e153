import { describe, expect, it } from "vitest";
import { makePlatform } from "#cloudflare/platform";

const RUN = { id: "run_1", epoch: 25 };

/** Fake Workflows; `remove` decides how deleting an instance ends. */
function workflows(remove: (id: string) => Promise<void>) {
  const deleted: string[] = [];
  let underWay = 0;
  let most = 0;
  const get = async (id: string) => ({
    delete: async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setTimeout(resolve));
      underWay--;
      await remove(id);
      deleted.push(id);
    },
  });
  return { env: { RUNS: { get } } as unknown as Env, deleted, most: () => most };
}

describe("removing a run", () => {
  it("deletes the instances of all its epochs, with bounded concurrency", async () => {
    const { env, deleted, most } = workflows(async () => {});
    await makePlatform(env).deleteInstances(RUN);
    expect(deleted.toSorted()).toEqual(Array.from({ length: 25 }, (_, n) => `run_1-e${n + 1}`).toSorted());
    expect(most()).toBeGreaterThan(1);
    expect(most()).toBeLessThanOrEqual(10);
  });

  it("treats a missing instance as deleted", async () => {
    const { env, deleted } = workflows(async (id) => {
      if (id !== "run_1-e2") throw new Error("(instance.not_found) Instance does not exist");
    });
    await makePlatform(env).deleteInstances(RUN);
    expect(deleted).toEqual(["run_1-e2"]);
  });

  it("throws when an instance cannot be deleted", async () => {
    const { env } = workflows(async (id) => {
      if (id === "run_1-e12") throw new Error("Network connection lost.");
    });
    await expect(makePlatform(env).deleteInstances(RUN)).rejects.toThrow("Network connection lost.");
  });

  it("throws when an instance cannot be looked up", async () => {
    const get = () => Promise.reject(new Error("Network connection lost."));
    await expect(makePlatform({ RUNS: { get } } as unknown as Env).deleteInstances(RUN)).rejects.toThrow();
  });
});
