/** Vectors of texts, in their order, each of unit length. */
export interface EmbeddedTexts {
  /** `<provider>/<model>`, or `rehearsal`. */
  model: string;
  vectors: Float32Array[];
}

/** Cosine of two vectors of unit length. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += one[at]! * other[at]!;
  return sum;
}
