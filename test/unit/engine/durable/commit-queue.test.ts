import { expect, test } from "vitest";
import { CommitQueue } from "#engine/durable/commit-queue";
import type { Commitment, NewArtifact } from "#store/artifacts";

const COMMITMENT: Commitment = { completed_seq: null, pause: 0, active_ms: 0, active_since: null, followed: 0 };
const artifact = (id: string) => ({ id }) as NewArtifact;

/** A database that answers on request of the test. */
function database() {
  const asked: { ids: string[]; answer(ids?: readonly string[]): void; fail(reason: Error): void }[] = [];
  const commits = new CommitQueue(
    (artifacts) =>
      new Promise((resolve, reject) => {
        const ids = artifacts.map(({ id }) => id);
        const answer = (written: readonly string[] = ids) =>
          resolve(ids.map((id) => (written.includes(id) ? COMMITMENT : null)));
        asked.push({ ids, answer, fail: reject });
      }),
  );
  return { asked, add: (id: string) => commits.add(artifact(id)) };
}

test("artifacts that arrive during a commit share the next one, in order of arrival", async () => {
  const { asked, add } = database();
  const all = ["a", "b", "c"].map(add);
  expect(asked.map(({ ids }) => ids)).toEqual([["a"]]);
  asked[0]!.answer();
  expect(await all[0]).toBe(COMMITMENT);
  await Promise.resolve();
  expect(asked.map(({ ids }) => ids)).toEqual([["a"], ["b", "c"]]);
  asked[1]!.answer();
  expect(await Promise.all(all)).toEqual([COMMITMENT, COMMITMENT, COMMITMENT]);
  const last = add("d");
  expect(asked[2]!.ids).toEqual(["d"]);
  asked[2]!.answer();
  expect(await last).toBe(COMMITMENT);
});

test("each caller gets its own result: a refusal, or a failed transaction", async () => {
  const { asked, add } = database();
  const [a, b, c] = ["a", "b", "c"].map(add);
  asked[0]!.fail(new Error("the database is away"));
  await expect(a).rejects.toThrow("away");
  await Promise.resolve();
  asked[1]!.answer(["c"]);
  expect(await b).toBeNull();
  expect(await c).toBe(COMMITMENT);
});
