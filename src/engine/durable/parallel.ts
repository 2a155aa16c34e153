import { decidingReason } from "../instance/signals";

/**
 * Runs `fn` over items, at most `limit` at the same time. After a failure no further branch starts, and the failure is thrown once all
 * started branches have settled.
 */
export async function parallel<T, R>(
  items: readonly T[],
  fn: (item: T, index: number) => Promise<R>,
  limit: number,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  const reasons: unknown[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length && reasons.length === 0) {
      const index = next++;
      try {
        results[index] = await fn(items[index]!, index);
      } catch (reason) {
        reasons.push(reason);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (reasons.length) throw decidingReason(reasons);
  return results;
}
