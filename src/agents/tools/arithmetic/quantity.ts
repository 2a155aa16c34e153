import { Decimal } from "decimal.js";
import { Fraction } from "fraction.js";
import { ToolError } from "../tool";

/** A number: an exact fraction, or an approximation of an irrational number. */
export type Quantity = Fraction | Decimal;

/** Calculates with more digits than are shown, so that the shown ones are correct. */
export const Approximate = Decimal.clone({ precision: 60, defaults: true });

const SHOWN_DIGITS = 30;
/** Maximum of bits of a numerator or denominator; about 6,000 decimal digits. */
const MAX_BITS = 20_000;
const MAX_EXPONENT = 5000;

const TOO_LARGE = "The number is too large to be exact here; work with logarithms, or with smaller numbers.";

export const isExact = (value: Quantity): value is Fraction => value instanceof Fraction;

/** @throws ToolError when the number is too large for exact arithmetic */
export function exact(value: Fraction): Fraction {
  if (bits(value.n) > MAX_BITS || bits(value.d) > MAX_BITS) throw new ToolError(TOO_LARGE);
  return value;
}

/** @throws ToolError when the number is infinite or not real */
export function approximate(value: Decimal): Decimal {
  if (value.isNaN()) throw new ToolError("The result is not a real number.");
  if (!value.isFinite()) throw new ToolError("The result is infinite or too large.");
  return value;
}

export const toDecimal = (value: Quantity): Decimal =>
  isExact(value) ? new Approximate((value.s * value.n).toString()).div(value.d.toString()) : value;

/** Parses a literal such as 12.5 or 1e-7. */
export function literal(raw: string): Fraction {
  const decimal = new Decimal(raw);
  if (Math.abs(decimal.e) > MAX_EXPONENT) throw new ToolError(TOO_LARGE);
  return exact(new Fraction(decimal.toFixed()));
}

/** An exact integer power; null when it is too large, such as daily interest over ten years. */
export function wholePower(base: Fraction, exponent: bigint): Fraction | null {
  if (exponent < 0n) {
    if (base.n === 0n) throw new ToolError("Zero has no negative power: that divides by zero.");
    return wholePower(new Fraction(base.s * base.d, base.n), -exponent);
  }
  if (BigInt(Math.max(bits(base.n), bits(base.d)) - 1) * exponent > MAX_BITS) return null;
  return exact(new Fraction((base.s * base.n) ** exponent, base.d ** exponent));
}

/** The root of a fraction when it is itself a fraction, else null. */
export function exactRoot(value: Fraction, degree: bigint): Fraction | null {
  if (value.s < 0n && degree % 2n === 0n)
    throw new ToolError("An even root of a negative number is not a real number.");
  const numerator = wholeRoot(value.n, degree);
  const denominator = wholeRoot(value.d, degree);
  if (numerator ** degree !== value.n || denominator ** degree !== value.d) return null;
  return new Fraction(value.s * numerator, denominator);
}

/** The largest integer whose power does not exceed `value` (Newton's method). */
function wholeRoot(value: bigint, degree: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << (BigInt(bits(value)) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree;
    if (next >= root) return root;
    root = next;
  }
}

/** Formats a number: all digits of an exact decimal; else the fraction with its approximate value, or the approximation. */
export function shown(value: Quantity): string {
  if (!isExact(value)) return `${rounded(value)} (rounded to ${SHOWN_DIGITS} digits)`;
  const places = decimalPlaces(value.d);
  if (places === null) return `${value.toFraction()} (about ${rounded(toDecimal(value))})`;
  const digits = ((value.n * 10n ** BigInt(places)) / value.d).toString().padStart(places + 1, "0");
  const whole = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return value.s < 0n ? `-${whole}` : whole;
}

const rounded = (value: Decimal) => value.toSignificantDigits(SHOWN_DIGITS).toString();

/** Digits after the decimal point of 1/d; null when they do not terminate. */
function decimalPlaces(d: bigint): number | null {
  let rest = d;
  const take = (factor: bigint) => {
    let count = 0;
    for (; rest % factor === 0n; rest /= factor) count++;
    return count;
  };
  const places = Math.max(take(2n), take(5n));
  return rest === 1n ? places : null;
}

const bits = (value: bigint) => value.toString(16).length * 4;
