/** Vectors of texts, in their order, each of unit length. */
export interface EmbeddedTexts {
  /** `<provider>/<model>`, or `mock`. */
  model: string;
  vectors: Float32Array[];
}

/** Cosine of two vectors of unit length. */
export function cosine(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}
