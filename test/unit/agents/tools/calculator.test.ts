/** The calculator: exact where possible, bounded where results could grow too large. */
import { describe, expect, it, test } from "vitest";
import { calculator } from "#agents/tools/calculator";

const calculate = (expression: string) => calculator.call({ expression }, new AbortController().signal);

describe("exact results", () => {
  const exact: [string, string][] = [
    ["0.1 + 0.2", "0.3"],
    ["1/3 + 1/6", "0.5"],
    ["1/3 * 3", "1"],
    ["2^100", "1267650600228229401496703205376"],
    ["2 ^ -2", "0.25"],
    ["-2^2", "-4"],
    ["(-2)^2", "4"],
    ["2*-3^2", "-18"],
    ["--2^2", "4"],
    ["2^3^2", "512"],
    ["2 ** 10", "1024"],
    ["10 - 4 - 3", "3"],
    ["2 + 3 * 4", "14"],
    ["(2 + 3) * 4", "20"],
    ["7 % 3", "1"],
    ["-7 % 3", "2"],
    ["5.5 % 2", "1.5"],
    ["1e-7 * 3", "0.0000003"],
    ["1250 * 0.19", "237.5"],
    ["12 × 3 ÷ 4 − 1", "8"],
    ["sqrt(144)", "12"],
    ["sqrt(4/9) * 3", "2"],
    ["sqrt(1000000014000000049)", "1000000007"],
    ["cbrt(-27)", "-3"],
    ["8 ^ (2/3)", "4"],
    ["round(2.675, 2)", "2.68"],
    ["round(-2.5)", "-3"],
    ["round(1234, -2)", "1200"],
    ["floor(-1.5) + ceil(1.2)", "0"],
    ["max(1, 5/2, 2) - min(3, 2)", "0.5"],
    ["sum(1, 2, 3) / mean(1, 2)", "4"],
    ["median(5, 1, 4, 2)", "3"],
    ["gcd(84, 36) + lcm(4, 6)", "24"],
    ["factorial(20)", "2432902008176640000"],
    ["choose(49, 6)", "13983816"],
    ["permutations(5, 2)", "20"],
    ["abs(-0.5)", "0.5"],
    ["1 - 0.9", "0.1"],
  ];
  test.each(exact)("%s is %s", async (expression, result) => {
    expect(await calculate(expression)).toBe(result);
  });

  it("endless decimals are fractions, with their first digits", async () => {
    expect(await calculate("2/7")).toBe("2/7 (about 0.285714285714285714285714285714)");
    expect(await calculate("-10/3")).toBe("-10/3 (about -3.33333333333333333333333333333)");
  });
});

describe("rounded results", () => {
  const rounded: [string, string][] = [
    ["sqrt(2)", "1.41421356237309504880168872421"],
    ["pi", "3.14159265358979323846264338328"],
    ["e ^ 1", "2.71828182845904523536028747135"],
    ["ln(10)", "2.30258509299404568401799145468"],
    ["log(8, 2)", "3"],
    ["log10(1000)", "3"],
    ["sin(pi)", "0"],
    ["cos(pi / 3)", "0.5"],
    ["asin(1) * 2", "3.14159265358979323846264338328"],
    ["1000 * 1.05 ^ 0.5", "1024.69507659595983832210386805"],
    ["1000 * (1 + 0.05/365) ^ 3650", "1648.6648137654718302139994212"],
    ["(-1/3) ^ 20001", "-1.25251908491267684917120559739e-9543"],
  ];
  test.each(rounded)("%s is %s, marked as rounded", async (expression, result) => {
    expect(await calculate(expression)).toBe(`${result} (rounded to 30 digits)`);
  });
});

describe("refusals, with a reason", () => {
  const wrong: [string, RegExp][] = [
    ["1/0", /divides by zero/],
    ["5 % (1 - 1)", /divides by zero/],
    ["0 ^ -1", /divides by zero/],
    ["sqrt(-1)", /not a real number/],
    ["(-2) ^ 0.3", /not a real number/],
    ["ln(0)", /above zero/],
    ["asin(2)", /not a real number/],
    ["9^9^9", /up to 100000/],
    ["10^5001 * 10^5001", /too large/],
    ["1e999999999", /too large/],
    ["factorial(100000)", /from 0 to 1700/],
    ["factorial(2.5)", /whole number/],
    ["choose(3, 4)", /not be larger/],
    ["exp(1000000)", /up to 100000/],
    ["1,000 + 1", /thousands separator/],
    ["2 3", /operator is missing/],
    ["", /do not fit/],
    ["2 +", /cannot be read/],
    ["(2", /cannot be read/],
    ["()", /not arithmetic/],
    ["x + 1", /no constant "x"/],
    ["constructor", /no constant/],
    ["toString(1)", /no function/],
    ["sqrt()", /takes 1 numbers/],
    ["log(2)", /takes 2/],
    ["'a' + 1", /a text/],
    ["[1, 2]", /not arithmetic/],
    ["this", /not arithmetic/],
    ["Math.max(1)", /no function/],
    ["(1, 2)", /not arithmetic/],
    ["1; 2", /more than one expression/],
  ];
  test.each(wrong)("%s", async (expression, reason) => {
    await expect(calculate(expression)).rejects.toThrow(reason);
  });

  it("other arguments than an expression", async () => {
    await expect(calculator.call({ formula: "1" }, new AbortController().signal)).rejects.toThrow(/do not fit/);
    await expect(calculate("1+".repeat(1500) + "1")).rejects.toThrow(/2000/);
  });
});

it("the time is bounded for deep and large expressions", async () => {
  const started = performance.now();
  for (const expression of [
    `${"(".repeat(900)}1${")".repeat(900)}`,
    `${"-".repeat(1900)}1`,
    "2^19000",
    "1.0000001^2000",
    "99999^0.5^0.5",
    "exp(99999)",
    "tan(99999.5)",
    "factorial(1700)/factorial(1699)",
    "sqrt(1000000000000000000000000000000000000000000000000057)",
    "1.5^99999.5",
  ]) {
    await calculate(expression).catch((error: Error) => expect(error.name, expression).toBe("ToolError"));
  }
  expect(performance.now() - started).toBeLessThan(2000);
});
