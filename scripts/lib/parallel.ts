/** Works on items in their order, at most `concurrency` at a time. */
export async function parallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>, concurrency: number) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
