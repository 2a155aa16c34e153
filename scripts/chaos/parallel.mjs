/** Works on items in order, so many at once. */
export async function parallel(items, work, at_once) {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: at_once }, worker));
}
