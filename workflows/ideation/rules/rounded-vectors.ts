/**
 * Most products of vectors need no exact value, only the proof that they are not above a floor. Vectors rounded to integers give that
 * proof, and two of them can be packed into one, so that one multiplication serves both.
 */
export interface Rounded {
  /** The integers of one vector; or of two, low + high · FIELD. */
  numbers: Float64Array;
  /** Norm of the remaining vector after each part; of two vectors, the greater. */
  rests: Float64Array;
}

/** Greatest norm of a rounded vector, so that a product of two, or of parts of them, is below half of `FIELD`. */
const MAX_LENGTH = 5700;
/** Sums of products of packed vectors stay below 2^53, so they are exact. */
const FIELD = 2 ** 26;
/** Parts of a vector: after each, the product stops if the remaining parts cannot exceed the limit. */
const PARTS = 4;

export class Rounding {
  readonly zero: Rounded;
  private readonly dimensions: number;
  private readonly part: number;
  private readonly scale: number;
  /** Greatest difference between the products of rounded and of exact vectors, scaled. */
  private readonly error: number;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    const displacement = Math.sqrt(dimensions) / 2;
    this.scale = MAX_LENGTH - displacement;
    this.error = 2 * MAX_LENGTH * displacement;
    this.part = Math.ceil(dimensions / PARTS);
    this.zero = { numbers: new Float64Array(dimensions), rests: new Float64Array(PARTS) };
  }

  /** If a product of rounded vectors is not above this limit, the exact product is not above the floor. */
  limitFor(floor: number): number {
    return floor * this.scale ** 2 - this.error;
  }

  /** @param vector of unit length */
  rounded(vector: Float32Array): Rounded {
    const numbers = new Float64Array(this.dimensions);
    for (let at = 0; at < numbers.length; at++) numbers[at] = Math.round(vector[at]! * this.scale);
    const rests = new Float64Array(PARTS);
    for (let part = 0; part < PARTS; part++) rests[part] = normOf(numbers.subarray((part + 1) * this.part));
    return { numbers, rests };
  }

  /** Packs two vectors into one. */
  packed(low: Rounded, high: Rounded): Rounded {
    return {
      numbers: low.numbers.map((number, at) => number + high.numbers[at]! * FIELD),
      rests: low.rests.map((rest, part) => Math.max(rest, high.rests[part]!)),
    };
  }

  /**
   * Whether any product of a or b with the vectors packed in k and l may be above a limit. It is fast because the four sums are
   * independent of each other, and each number that is read serves two of them.
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

function normOf(numbers: Float64Array): number {
  let squares = 0;
  for (const number of numbers) squares += number * number;
  return Math.ceil(Math.sqrt(squares));
}

/** The greater of two packed sums. */
function greater(sums: number): number {
  const high = Math.round(sums / FIELD);
  return Math.max(high, sums - high * FIELD);
}
