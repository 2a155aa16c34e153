/** Normal quantile of 0.975, squared. */
const Z_SQUARED = 1.959963984540054 ** 2;

/**
 * Bounds of Wilson's 95 % score interval (Wilson 1927) for a share that was seen in all of n cases, or in none: where a bootstrap, which can only
 * draw what it has seen, has no width.
 * @param n at least 1
 */
export function wilsonInterval(seen: "all" | "none", n: number): { low: number; high: number } {
  const tail = Z_SQUARED / (n + Z_SQUARED);
  return seen === "all" ? { low: 1 - tail, high: 1 } : { low: 0, high: tail };
}
