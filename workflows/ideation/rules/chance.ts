/** Seeded randomness: the same seed and purpose give the same numbers, in any isolate. */

/** Generator of numbers in [0, 1): mulberry32, seeded by a seed and a purpose. */
export function chance(seed: number, purpose: string): () => number {
  let state = (seed ^ fnv1a(purpose)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random sample of the items in random order; by default of all items. */
export function drawn<T>(items: readonly T[], seed: number, purpose: string, count = items.length): T[] {
  const random = chance(seed, purpose);
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all.slice(0, count);
}

/** FNV-1a hash, 32 bits. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
