import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Spreads a number over 32 bits, so that near seeds draw different numbers (the finalizer of MurmurHash3, Appleby). */
function mixed(seed: number) {
  let bits = seed | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Seeded random numbers. */
export class Chance {
  #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(mixed(seed));
  }

  /** 32 random bits. */
  bits() {
    return this.#generator.next() >>> 0;
  }

  /** In [0, 1). */
  real() {
    return this.bits() / 2 ** 32;
  }

  /** Whether an event of a probability happens. */
  happens(probability: number) {
    return probability > 0 && this.real() < probability;
  }

  between(from: number, to: number) {
    return from + this.real() * (to - from);
  }

  /** A whole number from 0, below `count`. */
  below(count: number) {
    return Math.floor(this.real() * count);
  }

  choose<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** Fills an array with random bytes. */
  draw<T extends Uint8Array>(bytes: T): T {
    for (let at = 0; at < bytes.length; at++) bytes[at] = this.bits() & 255;
    return bytes;
  }
}
