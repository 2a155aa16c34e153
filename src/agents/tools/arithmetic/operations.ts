import type { Decimal } from "decimal.js";
import { Fraction } from "fraction.js";
import { ToolError } from "../tool";
import { Approximate, approximate, exact, exactRoot, isExact, type Quantity, toDecimal, wholePower } from "./quantity";

/** Exponentials and powers of larger arguments would take long and be useless. */
const MAX_ARGUMENT = 100_000;
const MAX_FACTORIAL = 1700n;
/** Decimal places, so that trigonometric functions of multiples of pi are exactly zero despite the rounding of pi. */
const TRIGONOMETRIC_PLACES = 50;

export const CONSTANTS: Record<string, Quantity> = { pi: Approximate.acos(-1), e: Approximate.exp(1) };

export const negated = (value: Quantity): Quantity => value.neg();

/** Sum, difference, product, quotient, remainder (with the sign of the divisor) or power. */
export function binary(operator: string, left: Quantity, right: Quantity): Quantity {
  if ((operator === "/" || operator === "%") && isZero(right)) throw new ToolError("That divides by zero.");
  if (operator === "^") return power(left, right);
  const { exactly, roughly } = OPERATIONS[operator]!;
  if (isExact(left) && isExact(right)) return exact(exactly(left, right));
  return approximate(roughly(toDecimal(left), toDecimal(right)));
}

/** The exact and the approximate form of each operator. */
const OPERATIONS: Record<
  string,
  { exactly(left: Fraction, right: Fraction): Fraction; roughly(left: Decimal, right: Decimal): Decimal }
> = {
  "+": { exactly: (left, right) => left.add(right), roughly: (left, right) => left.plus(right) },
  "-": { exactly: (left, right) => left.sub(right), roughly: (left, right) => left.minus(right) },
  "*": { exactly: (left, right) => left.mul(right), roughly: (left, right) => left.times(right) },
  "/": { exactly: (left, right) => left.div(right), roughly: (left, right) => left.div(right) },
  "%": {
    exactly: (left, right) => left.sub(right.mul(left.div(right).floor())),
    roughly: (left, right) => left.minus(right.times(left.div(right).floor())),
  },
};

function power(base: Quantity, exponent: Quantity): Quantity {
  if (isExact(base) && isExact(exponent)) {
    const root = exponent.d <= 64n ? exactRoot(base, exponent.d) : null;
    const result = root && wholePower(root, exponent.s * exponent.n);
    if (result) return result;
  }
  return approximate(toDecimal(base).pow(moderate(toDecimal(exponent))));
}

interface Definition {
  takes: readonly [least: number, most: number];
  of(...values: Quantity[]): Quantity;
}

const unary = (of: (value: Quantity) => Quantity): Definition => ({ takes: [1, 1], of: (value) => of(value!) });
const variadic = (of: (values: Quantity[]) => Quantity): Definition => ({
  takes: [1, Infinity],
  of: (...values) => of(values),
});
const approximated = (of: (value: Decimal) => Decimal): Definition =>
  unary((value) => approximate(of(toDecimal(value))));
const trigonometric = (of: (value: Decimal) => Decimal): Definition =>
  approximated((value) => of(moderate(value)).toDecimalPlaces(TRIGONOMETRIC_PLACES));
const root = (degree: bigint): Definition => unary((value) => power(value, new Fraction(1n, degree)));

export const FUNCTIONS: Record<string, Definition> = {
  abs: unary((value) => value.abs()),
  sqrt: root(2n),
  cbrt: unary((value) =>
    isNegative(value) ? power(value.neg(), new Fraction(1, 3)).neg() : power(value, new Fraction(1, 3)),
  ),
  exp: approximated((value) => moderate(value).exp()),
  ln: approximated((value) => positive(value).ln()),
  log: {
    takes: [2, 2],
    of: (value, base) => approximate(positive(toDecimal(value!)).log(positive(toDecimal(base!)))),
  },
  log10: approximated((value) => positive(value).log(10)),
  log2: approximated((value) => positive(value).log(2)),
  sin: trigonometric((value) => value.sin()),
  cos: trigonometric((value) => value.cos()),
  tan: trigonometric((value) => value.tan()),
  asin: approximated((value) => value.asin()),
  acos: approximated((value) => value.acos()),
  atan: approximated((value) => value.atan()),
  floor: unary((value) => value.floor()),
  ceil: unary((value) => value.ceil()),
  round: { takes: [1, 2], of: (value, places) => rounded(value!, places ? Number(whole(places)) : 0) },
  min: variadic((values) => values.reduce((least, next) => (compare(next, least) < 0 ? next : least))),
  max: variadic((values) => values.reduce((most, next) => (compare(next, most) > 0 ? next : most))),
  sum: variadic(sum),
  mean: variadic((values) => binary("/", sum(values), new Fraction(values.length))),
  median: variadic(median),
  gcd: variadic((values) => values.map(wholeMagnitude).reduce((left, right) => left.gcd(right))),
  lcm: variadic((values) => values.map(wholeMagnitude).reduce((left, right) => exact(left.lcm(right)))),
  factorial: unary((value) => toFraction(product(1n, natural(value)))),
  choose: {
    takes: [2, 2],
    of: (n, k) => {
      const [total, chosen] = pair(n!, k!);
      const fewer = chosen > total - chosen ? total - chosen : chosen;
      return toFraction(product(total - fewer + 1n, total) / product(1n, fewer));
    },
  },
  permutations: {
    takes: [2, 2],
    of: (n, k) => {
      const [total, chosen] = pair(n!, k!);
      return toFraction(product(total - chosen + 1n, total));
    },
  },
};

const toFraction = (value: bigint) => new Fraction(value);
const isZero = (value: Quantity) => (isExact(value) ? value.n === 0n : value.isZero());
const isNegative = (value: Quantity) => (isExact(value) ? value.s < 0n : value.isNegative());

const compare = (left: Quantity, right: Quantity): number =>
  isExact(left) && isExact(right) ? left.compare(right) : toDecimal(left).comparedTo(toDecimal(right));

function sum(values: Quantity[]): Quantity {
  return values.reduce((left, right) => binary("+", left, right));
}

function median(values: Quantity[]): Quantity {
  const sorted = values.toSorted(compare);
  const upper = sorted[Math.floor(sorted.length / 2)]!;
  if (sorted.length % 2 === 1) return upper;
  return binary("/", binary("+", sorted[sorted.length / 2 - 1]!, upper), new Fraction(2));
}

/** Rounds halves away from zero. */
function rounded(value: Quantity, places: number): Quantity {
  if (Math.abs(places) > 1000) throw new ToolError("round takes at most 1000 decimals.");
  const scale = wholePower(new Fraction(10), BigInt(places))!; // never null for so few digits
  const scaled = binary("*", value.abs(), scale);
  const up = isExact(scaled) ? scaled.add(new Fraction(1, 2)).floor() : scaled.plus(0.5).floor();
  const result = binary("/", up, scale);
  return isNegative(value) ? result.neg() : result;
}

function whole(value: Quantity): bigint {
  if (!isExact(value) || value.d !== 1n) throw new ToolError("A whole number is needed here.");
  return value.s * value.n;
}

const wholeMagnitude = (value: Quantity) => toFraction(whole(value)).abs();

function natural(value: Quantity): bigint {
  const n = whole(value);
  if (n < 0n || n > MAX_FACTORIAL) throw new ToolError(`A whole number from 0 to ${MAX_FACTORIAL} is needed here.`);
  return n;
}

function pair(n: Quantity, k: Quantity): [bigint, bigint] {
  const [total, chosen] = [natural(n), natural(k)];
  if (chosen > total) throw new ToolError("The second number must not be larger than the first.");
  return [total, chosen];
}

function product(from: bigint, to: bigint): bigint {
  let result = 1n;
  for (let factor = from; factor <= to; factor++) result *= factor;
  return result;
}

function moderate(value: Decimal): Decimal {
  if (value.abs().gt(MAX_ARGUMENT)) throw new ToolError(`Numbers up to ${MAX_ARGUMENT} are taken here.`);
  return value;
}

function positive(value: Decimal): Decimal {
  if (!value.gt(0)) throw new ToolError("Logarithms are of numbers above zero.");
  return value;
}
