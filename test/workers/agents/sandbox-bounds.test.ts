/** Bounds of the text that leaves the sandbox, and sources that the engine itself cannot take. */
import { expect, it, test } from "vitest";
import { main, run } from "../../support/sandbox";

const size = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;

/** A program whose function has a name of 100,000 characters and executes `body`. */
const longNamed = (body: string) =>
  main(`const f = { ["f".repeat(100_000)]: (...args) => { ${body} } }; await Object.values(f)[0]();`);

test.each([
  ["throws", `throw new Error("no")`, "runtime"],
  ["calls too often", `for (;;) agents.call("writer", "x");`, "too_many_calls"],
  ["passes too much", `agents.call("writer", "x", "y".repeat(300_000));`, "output_too_large"],
])("a program in which a function with a very long name %s has an error of bounded size", async (_, body, kind) => {
  const result = await run(longNamed(body));
  expect(result).toMatchObject({ status: "failed", error: { kind } });
  expect(size(result)).toBeLessThan(20_000);
});

test.each([
  ["control characters", `"\\u0001".repeat(3000)`],
  ["halves of surrogate pairs", `"\\ud800".repeat(3000)`],
])("a log of %s is bounded as the JSON that is stored", async (_, text) => {
  const result = await run(main(`for (let i = 0; i < 500; i++) console.log(${text}); return 1;`));
  expect(size(result.log)).toBeLessThan(280_000);
  expect(result.log.at(-1)!.text).toContain("The log ends here");
});

test.each([
  ["what main returns", `return { toJSON: () => undefined };`, "what main returned"],
  ["an input", `return agents.call("writer", "x", { toJSON: () => undefined });`, "the input of agents.call"],
])("%s whose toJSON gives nothing is named", async (_, body, what) => {
  const result = await run(main(body));
  expect(result).toMatchObject({ status: "failed", error: { kind: "not_serialisable" } });
  expect((result as any).error.message).toContain(`${what} is not JSON`);
});

test.each([
  ["a NUL", "const a = 1;\nconst b = '\0';", "NUL"],
  ["half of a surrogate pair", "const a = 1;\nconst b = '\ud800';", "surrogate"],
])("a source with %s is refused, with its line", async (_, source, word) => {
  const result = await run(`${source}\nexport default async function main() { return a; }`);
  expect(result).toMatchObject({ status: "failed", error: { kind: "syntax", line: 2 } });
  expect((result as any).error.message).toContain(word);
});

it("runs sources of every short length", async () => {
  const program = "export default()=>1";
  for (let length = program.length; length < 80; length++) {
    const result = await run(program.padEnd(length, ";"));
    expect(result, `${length} characters`).toMatchObject({ status: "returned", value: 1 });
  }
});
