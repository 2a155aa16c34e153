/** Dot product; the cosine, because vectors have unit length. */
export function product(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < left.length; at++) sum += left[at]! * right[at]!;
  return sum;
}

/** One bit per number of a vector, 1 when positive: 1/32 of its size, and accurate enough to preselect candidates. */
export function signsOf(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, at) => {
    if (value > 0) signs[at >> 3]! |= 1 << (at & 7);
  });
  return signs;
}

/**
 * Scores vectors by their signs alone: the product of the full query with them.
 * @returns a function of signs in hexadecimal; it returns null for another length
 */
export function nearness(query: Float32Array): (signs: string) => number | null {
  const bytes = Math.ceil(query.length / 8);
  // Contribution of each value of each byte, so that a vector costs one look-up per eight numbers.
  const contributions = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const number = query[byte * 8 + bit] ?? 0;
        sum += value & (1 << bit) ? number : -number;
      }
      contributions[byte * 256 + value] = sum;
    }
  return (signs) => {
    const vector = Buffer.from(signs, "hex");
    if (vector.length !== bytes) return null;
    let sum = 0;
    for (let byte = 0; byte < bytes; byte++) sum += contributions[byte * 256 + vector[byte]!]!;
    return sum;
  };
}
