/**
 * Most products of vectors need not be known, only that they are not above a floor. Vectors that are rounded to whole numbers tell it,
 * and one multiplication takes two of them.
 */
export interface Rounded {
  /** Of one vector; or of two, low + high · FIELD. */
  numbers: Float64Array;
  /** How long what is left of it is after each part; of two, the longer. */
  rests: Float64Array;
}

/** No rounded vector is longer, so that a product of two, and of any parts of them, is below half of `FIELD`. */
const LONGEST = 5700;
/** Sums of products with two in one stay below 2^53, and so are exact. */
const FIELD = 2 ** 26;
/** Parts of a vector: after each, a product is given up that the others cannot lift over the limit. */
const PARTS = 4;

export class Rounding {
  readonly nothing: Rounded;
  private readonly dimensions: number;
  private readonly part: number;
  private readonly scale: number;
  /** By how much a product of two may be greater or smaller for being of rounded vectors. */
  private readonly error: number;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    const moved = Math.sqrt(dimensions) / 2;
    this.scale = LONGEST - moved;
    this.error = 2 * LONGEST * moved;
    this.part = Math.ceil(dimensions / PARTS);
    this.nothing = { numbers: new Float64Array(dimensions), rests: new Float64Array(PARTS) };
  }

  /** A product of rounded vectors up to this is of vectors whose own is not above the floor. */
  limitOf(floor: number): number {
    return floor * this.scale ** 2 - this.error;
  }

  /** @param vector of unit length */
  rounded(vector: Float32Array): Rounded {
    const numbers = new Float64Array(this.dimensions);
    for (let at = 0; at < numbers.length; at++) numbers[at] = Math.round(vector[at]! * this.scale);
    const rests = new Float64Array(PARTS);
    for (let part = 0; part < PARTS; part++) rests[part] = lengthOf(numbers.subarray((part + 1) * this.part));
    return { numbers, rests };
  }

  together(low: Rounded, high: Rounded): Rounded {
    return {
      numbers: low.numbers.map((number, at) => number + high.numbers[at]! * FIELD),
      rests: low.rests.map((rest, part) => Math.max(rest, high.rests[part]!)),
    };
  }

  /**
   * Whether the product of one of two vectors with one of those that are in two others may be above a limit. Four sums that do not wait
   * for each other, of numbers that are fetched once for two of them, are what makes it quick.
   */
  mayBeAbove(limit: number, a: Rounded, b: Rounded, k: Rounded, l: Rounded): boolean {
    const [as, bs, ks, ls] = [a.numbers, b.numbers, k.numbers, l.numbers];
    let [ak, al, bk, bl] = [0, 0, 0, 0];
    for (let part = 0; part < PARTS; part++) {
      const end = Math.min((part + 1) * this.part, this.dimensions);
      for (let at = part * this.part; at < end; at++) {
        ak += as[at]! * ks[at]!;
        al += as[at]! * ls[at]!;
        bk += bs[at]! * ks[at]!;
        bl += bs[at]! * ls[at]!;
      }
      const rest = Math.max(a.rests[part]!, b.rests[part]!) * Math.max(k.rests[part]!, l.rests[part]!);
      if (Math.max(greater(ak), greater(al), greater(bk), greater(bl)) + rest <= limit) return false;
    }
    return true;
  }
}

function lengthOf(numbers: Float64Array): number {
  let squares = 0;
  for (const number of numbers) squares += number * number;
  return Math.ceil(Math.sqrt(squares));
}

/** The greater of the two sums in one. */
function greater(sums: number): number {
  const high = Math.round(sums / FIELD);
  return Math.max(high, sums - high * FIELD);
}
