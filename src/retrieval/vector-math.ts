/** Vectors are of unit length: the product of two is their cosine. */
export function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}

/** A bit for each number of a vector, 1 when it is positive: the 32nd part of it, and good enough to choose who is looked at closely. */
export function signsOf(vector: Float32Array): Uint8Array {
  const signs = new Uint8Array(Math.ceil(vector.length / 8));
  vector.forEach((value, at) => {
    if (value > 0) signs[at >> 3]! |= 1 << (at & 7);
  });
  return signs;
}

/**
 * Tells how near vectors are to this one, by their signs alone: the product of the whole query with them.
 * @returns a function that takes signs in hexadecimal; null for those of another length
 */
export function nearness(query: Float32Array): (signs: string) => number | null {
  const bytes = Math.ceil(query.length / 8);
  // What each value of each byte is worth, so that a vector costs a look-up for eight of its numbers.
  const worth = new Float32Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++)
    for (let value = 0; value < 256; value++) {
      let sum = 0;
      for (let bit = 0; bit < 8; bit++) {
        const number = query[byte * 8 + bit] ?? 0;
        sum += value & (1 << bit) ? number : -number;
      }
      worth[byte * 256 + value] = sum;
    }
  return (signs) => {
    const vector = Buffer.from(signs, "hex");
    if (vector.length !== bytes) return null;
    let sum = 0;
    for (let byte = 0; byte < bytes; byte++) sum += worth[byte * 256 + vector[byte]!]!;
    return sum;
  };
}
