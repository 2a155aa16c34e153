import { expect, test } from "vitest";
import { reservationQueue } from "#engine/durable/reservation-queue";

/** A budget of a number of tokens, from which steps reserve and to which they give back. */
function budgetOf(tokens: number) {
  let free = tokens;
  const queue = reservationQueue();
  const tried: string[] = [];
  return {
    queue,
    tried,
    reserve: (step: string, wanted: number) =>
      queue.reserve(step, async () => {
        tried.push(step);
        await Promise.resolve();
        if (wanted > free) return "exceeded";
        free -= wanted;
        return "reserved";
      }),
    giveBack: (step: string, unused: number) => {
      free += unused;
      queue.release(step);
    },
  };
}
const settled = (ms = 5) => new Promise((resolve) => setTimeout(resolve, ms));

test("what does not fit waits until another step gives back", async () => {
  const { reserve, giveBack, queue } = budgetOf(100);
  expect(await reserve("a", 80)).toBe("reserved");
  const second = reserve("b", 80);
  await settled();
  expect(queue.hasWaiters).toBe(true);
  giveBack("a", 70);
  expect(await second).toBe("reserved");
  expect(queue.hasWaiters).toBe(false);
});

test("what does not fit although nobody else holds anything is refused at once", async () => {
  const { reserve, tried } = budgetOf(100);
  expect(await reserve("a", 101)).toBe("exceeded");
  expect(tried).toEqual(["a"]);
});

test("steps that all want more than there is do not wait for each other", async () => {
  const { reserve } = budgetOf(100);
  await Promise.all(["a", "b", "c"].map((step) => reserve(step, 30)));
  const more = await Promise.all(["a", "b", "c"].map((step) => reserve(step, 30)));
  expect(more).toEqual(["exceeded", "exceeded", "exceeded"]);
});

test("a change during an attempt is not missed", async () => {
  const queue = reservationQueue();
  await queue.reserve("a", async () => "reserved");
  let attempts = 0;
  const second = queue.reserve("b", async () => {
    if (++attempts > 1) return "reserved";
    queue.release("a");
    await queue.reserve("c", async () => "reserved"); // so that b has somebody to wait for
    return "exceeded";
  });
  expect(await second).toBe("reserved");
});
