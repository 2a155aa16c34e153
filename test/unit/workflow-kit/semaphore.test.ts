import { expect, test } from "vitest";
import { Semaphore } from "#workflow-kit/semaphore";

test("a semaphore lets as many work at once as it says, in order, failures included", async () => {
  const semaphore = new Semaphore(3);
  let working = 0;
  let most = 0;
  const order: number[] = [];
  const settled = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) =>
      semaphore.use(async () => {
        order.push(index);
        most = Math.max(most, ++working);
        await new Promise((done) => setTimeout(done, 2));
        working--;
        if (index % 4 === 0) throw new Error("no");
        return index;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(3);
});
