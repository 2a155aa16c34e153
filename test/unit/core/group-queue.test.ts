import { expect, test, vi } from "vitest";
import { type GroupQueueOptions, GroupQueue } from "#core/group-queue";
import { StorageUnavailableError } from "#core/unavailable";

/** A queue whose groups are answered on request of the test. */
function queueOf(grouping: GroupQueueOptions<string> | null = null) {
  const sent: { group: readonly string[]; answer(): void; fail(reason: Error): void }[] = [];
  const queue = new GroupQueue<string, string>(
    (group) =>
      new Promise((resolve, reject) => {
        sent.push({ group, answer: () => resolve(group.map((item) => item.toUpperCase())), fail: reject });
      }),
    grouping,
  );
  const groups = async () => {
    await Promise.resolve();
    return sent.map(({ group }) => group.join(""));
  };
  return { sent, groups, add: (item: string) => queue.add(item) };
}

const lengths = {
  sizeOf: (item: string) => item.length,
  largestGroup: 3,
  mostWaiting: 5,
  busy_ms: 0,
  gather_ms: 0,
  lost_ms: Infinity,
};

test("items that arrive during a group share the next one, in order of arrival", async () => {
  const { sent, groups, add } = queueOf();
  const all = ["a", "b", "c"].map(add);
  expect(await groups()).toEqual(["a"]);
  sent[0]!.answer();
  expect(await all[0]).toBe("A");
  expect(await groups()).toEqual(["a", "bc"]);
  sent[1]!.answer();
  expect(await Promise.all(all)).toEqual(["A", "B", "C"]);
  const last = add("d");
  expect(await groups()).toEqual(["a", "bc", "d"]);
  sent[2]!.answer();
  expect(await last).toBe("D");
});

test("an error goes to the callers of its group; the next group is sent", async () => {
  const { sent, groups, add } = queueOf();
  const [a, b, c] = ["a", "b", "c"].map(add);
  sent[0]!.fail(new Error("the database is away"));
  await expect(a).rejects.toThrow("away");
  expect(await groups()).toEqual(["a", "bc"]);
  sent[1]!.answer();
  expect(await Promise.all([b, c])).toEqual(["B", "C"]);
});

test("a group is bounded, and an item that is larger goes alone", async () => {
  const { sent, groups, add } = queueOf({ ...lengths, mostWaiting: 100 });
  const all = ["a", "bb", "c", "d", "eeee", "f"].map(add);
  for (let at = 0; at < 4; at++) {
    await groups();
    sent[at]!.answer();
    await all[at === 0 ? 0 : at + 1];
  }
  expect(await groups()).toEqual(["a", "bbc", "d", "eeee", "f"]);
});

test("what waits is bounded: an item beyond the bound is refused as Unavailable, and accepted once there is room", async () => {
  const { sent, groups, add } = queueOf(lengths);
  const all = ["a", "bbb", "cc"].map(add);
  await expect(add("d")).rejects.toBeInstanceOf(StorageUnavailableError);
  sent[0]!.answer();
  await all[0];
  expect(await groups()).toEqual(["a", "bbb"]);
  const later = add("d");
  sent[1]!.answer();
  await all[1];
  expect(await groups()).toEqual(["a", "bbb", "ccd"]);
  sent[2]!.answer();
  expect(await Promise.all([all[2], later])).toEqual(["CC", "D"]);
});

test("an item on its own goes at once; a group that follows another closely waits for more items", async () => {
  vi.useFakeTimers();
  try {
    const { sent, groups, add } = queueOf({ ...lengths, busy_ms: 20, gather_ms: 1 });
    const first = add("a");
    expect(await groups()).toEqual(["a"]);
    sent[0]!.answer();
    await first;
    vi.setSystemTime(Date.now() + 19);
    const later = [add("b")];
    await vi.advanceTimersByTimeAsync(0);
    later.push(add("c"));
    expect(await groups()).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await groups()).toEqual(["a", "bc"]);
    sent[1]!.answer();
    expect(await Promise.all(later)).toEqual(["B", "C"]);
    vi.setSystemTime(Date.now() + 20);
    void add("d");
    expect(await groups()).toEqual(["a", "bc", "d"]);
  } finally {
    vi.useRealTimers();
  }
});
