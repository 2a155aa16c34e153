import { decidingReason } from "../instance/control";

/**
 * Runs `fn` over items, at most `limit` at once. Branches that have begun all settle before a failure is thrown; after one, no
 * further branch begins.
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
