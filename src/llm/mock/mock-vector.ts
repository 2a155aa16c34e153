import { normalForm } from "#core/normal-form";

const DIMENSIONS = 256;
/** Weight of a shared word against a shared trigram. */
const WORD_WEIGHT = 2;

/**
 * Replaces an encoder in test mode: words and trigrams of letters, hashed into a vector of unit length. Texts with the same words
 * are near each other, in any language; meaning is ignored.
 */
export function mockVector(text: string): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const folded = normalForm(text, "NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const words = folded.match(/[\p{L}\p{N}]+/gu) ?? [text];
  for (const word of words) {
    add(vector, word, WORD_WEIGHT);
    for (let at = 0; at + 3 <= word.length; at++) add(vector, `#${word.slice(at, at + 3)}`, 1);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function add(vector: Float32Array, term: string, weight: number): void {
  const hash = fnv1a(term);
  vector[hash % DIMENSIONS]! += hash & 0x80000000 ? -weight : weight;
}

/** FNV-1a, 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
