import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { addFuel, FUEL_EXPORT } from "../../../scripts/assets/wasm-fuel.ts";
import { buildSandboxWasm } from "../../../scripts/assets/sandbox-wasm.ts";

// A module written by hand: (memory 1) exported as m, one type () -> (), and one function for each body, exported as a, b …
const MAGIC = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, bytes: number[]) => [id, bytes.length, ...bytes];
const exported = (index: number) => [1, 0x61 + index, 0, index];
const coded = (body: number[]) => [body.length + 2, 0].concat(body, 0x0b);
const moduleOf = (...bodies: number[][]) =>
  Uint8Array.from([
    ...MAGIC,
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [bodies.length, ...bodies.map(() => 0)]),
    ...section(5, [1, 0, 1]),
    ...section(7, [bodies.length + 1, 1, 0x6d, 2, 0, ...bodies.flatMap((_, index) => exported(index))]),
    ...section(10, [bodies.length, ...bodies.flatMap(coded)]),
  ]);

const NOTHING: number[] = [];
const LOOP_FOR_EVER = [0x03, 0x40, 0x0c, 0, 0x0b];
const CALL_ITSELF = [0x10, 0];
const CALL_TWICE = [0x10, 0, 0x10, 0];
const FILL_A_PAGE = [0x41, 0, 0x41, 1, 0x41, 0x80, 0x80, 0x04, 0xfc, 11, 0];
const COPY_64_BYTES = [0x41, 0x10, 0x41, 0, 0x41, 0xc0, 0, 0xfc, 10, 0, 0];
const WASM_TRAP = /unreachable/;

// The types are those of Workers, where code cannot compile a module.
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;

function instantiate(wasm: Uint8Array) {
  const { exports } = new WebAssembly.Instance(new Module(wasm), {});
  const functions = exports as unknown as Record<string, () => void>;
  const memory = new Uint8Array((exports.m as WebAssembly.Memory).buffer);
  return { functions, memory, fuel: exports[FUEL_EXPORT] as unknown as { value: bigint } };
}

/** The fuel that one call uses. */
function fuelUsed(body: number[], ...more: number[][]): bigint {
  const { functions, fuel } = instantiate(addFuel(moduleOf(NOTHING, body, ...more)));
  fuel.value = 1_000_000n;
  functions.b!();
  return 1_000_000n - fuel.value;
}

describe("a module with fuel", () => {
  test.each([
    ["a loop", LOOP_FOR_EVER],
    ["a recursion", CALL_ITSELF],
  ])("%s without an end traps when the fuel is used up, and so does every later call", (_, body) => {
    const { functions, fuel } = instantiate(addFuel(moduleOf(body, NOTHING)));
    fuel.value = 2000n;
    expect(() => functions.a!()).toThrow(WASM_TRAP);
    expect(fuel.value).toBe(0n);
    expect(() => functions.b!()).toThrow(WASM_TRAP);
    fuel.value = 1n;
    expect(() => functions.b!()).not.toThrow();
  });

  test("burns one unit for a function, and one for each function that it calls", () => {
    expect(fuelUsed(NOTHING)).toBe(1n);
    expect(fuelUsed(CALL_TWICE)).toBe(3n);
  });

  test("burns by the size of what memory.fill and memory.copy move, and does what they do", () => {
    expect(fuelUsed(FILL_A_PAGE)).toBe(1n + 65_536n / 32n);
    expect(fuelUsed(COPY_64_BYTES)).toBe(1n + 64n / 32n);
    const { functions, fuel, memory } = instantiate(addFuel(moduleOf(FILL_A_PAGE, COPY_64_BYTES)));
    memory[0] = 7;
    functions.b!();
    expect([...memory.subarray(15, 18)]).toEqual([0, 7, 0]);
    functions.a!();
    expect(memory.every((byte) => byte === 1)).toBe(true);
    fuel.value = 1000n;
    expect(() => functions.a!()).toThrow(WASM_TRAP);
  });

  test("can run before the host sets the fuel, as a start function must", () => {
    expect(() => instantiate(addFuel(moduleOf(NOTHING))).functions.a!()).not.toThrow();
  });
});

test("an instruction that the rewriter does not know is refused, not guessed at", () => {
  expect(() => addFuel(moduleOf([0xfd, 0x0c]))).toThrow("does not know: 0xfd");
  expect(() => addFuel(Uint8Array.of(1, 2, 3))).toThrow("not a WebAssembly module");
  expect(() => addFuel(moduleOf(NOTHING).subarray(0, -1))).toThrow("ends in the middle");
});

describe("dist/quickjs-fuel.wasm", () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-wasm-"));
  const target = join(folder, "deep/quickjs-fuel.wasm");
  afterAll(() => rmSync(folder, { recursive: true }));

  test("is built once, and again only when it is missing or its sources changed", () => {
    expect(buildSandboxWasm(target)).toBe(true);
    const made = readFileSync(target);
    expect(WebAssembly.Module.exports(new Module(made))).toContainEqual({ name: FUEL_EXPORT, kind: "global" });
    const { mtimeMs } = statSync(target);
    expect(buildSandboxWasm(target)).toBe(false);
    expect(statSync(target).mtimeMs).toBe(mtimeMs);
    rmSync(target);
    expect(buildSandboxWasm(target)).toBe(true);
    writeFileSync(`${target}.made-from`, "an older package");
    expect(buildSandboxWasm(target)).toBe(true);
    expect(readFileSync(target).equals(made)).toBe(true);
  });
});
