import { expect, test } from "vitest";
import { Semaphore } from "#workflow-kit/semaphore";

test("a semaphore runs calls in order, at most its limit at once, and continues after failures", async () => {
  const semaphore = new Semaphore(3);
  let inside = 0;
  let most = 0;
  const order: number[] = [];
  const settled = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      semaphore.run(async () => {
        order.push(index);
        most = Math.max(most, ++inside);
        await new Promise((done) => setTimeout(done, 2));
        inside--;
        if (index % 4 === 0) throw new Error("no");
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(3);
});
