// Adds fuel metering to a WebAssembly module, so that no code in it runs without end: neither a loop in the interpreted language nor a
// loop in the interpreter's own C code, where no interrupt handler is called.
//
// Every function entry and every head of a loop costs one unit (wasm jumps backwards only to a `loop`). memory.copy and memory.fill cost
// one unit for every 32 bytes, because one instruction can move megabytes. At 0 the module traps (`unreachable`), and so does every later
// call. The fuel counter is an exported mutable i64 global.
//
// The rewriter appends types, functions, globals and exports, and changes only function bodies, so no index changes.

/** Name of the exported global. */
export const FUEL_EXPORT = "fuel";

/** Fuel at instantiation: the start function runs before the host can set the counter. */
const INITIAL_FUEL = 2n ** 40n;
/** Log2 of the bytes that one unit pays for in a bulk instruction. */
const BYTES_PER_UNIT_LOG2 = 5;

const SECTION = { custom: 0, type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 };
/** The order of sections that the format demands; custom sections may stand anywhere. */
const ORDER = [1, 2, 3, 4, 5, 13, 6, 7, 8, 9, 12, 10, 11];
const KIND = { function: 0, table: 1, memory: 2, global: 3 };
const I32 = 0x7f;
const I64 = 0x7e;
const OP = {
  unreachable: 0x00,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  localGet: 0x20,
  globalGet: 0x23,
  globalSet: 0x24,
  i32Const: 0x41,
  i64Const: 0x42,
  i64LtS: 0x53,
  i32ShrU: 0x76,
  i64Sub: 0x7d,
  i64ExtendI32U: 0xad,
  prefixed: 0xfc,
};
const NO_RESULT = 0x40;
const MEMORY_COPY = 10;
const MEMORY_FILL = 11;

/**
 * @param wasm a module without fuel
 * @returns the module with fuel
 * @throws Error when the module uses an instruction that the rewriter does not know
 */
export function addFuel(wasm: Uint8Array): Uint8Array {
  const sections = readSections(wasm);
  const imported = countImports(sections.get(SECTION.import));
  const types = items(sections.get(SECTION.type));
  const functions = items(sections.get(SECTION.function));
  const globals = items(sections.get(SECTION.global));
  const exported = items(sections.get(SECTION.export));

  const fuel = imported.globals + globals.count;
  sections.set(SECTION.global, vector(globals, [[I64, 1, OP.i64Const, ...signed(INITIAL_FUEL), OP.end]]));
  sections.set(SECTION.export, vector(exported, [[...name(FUEL_EXPORT), KIND.global, ...unsigned(fuel)]]));

  // Two added functions replace the two bulk instructions: they pay fuel by size, then execute the instruction.
  const firstAdded = imported.functions + functions.count;
  sections.set(SECTION.type, vector(types, [[0x60, 3, I32, I32, I32, 0]]));
  sections.set(SECTION.function, vector(functions, [unsigned(types.count), unsigned(types.count)]));

  const rewriter: Rewriter = { burn: burnOne(fuel), copy: firstAdded, fill: firstAdded + 1 };
  const reader = new Reader(sections.get(SECTION.code) ?? Uint8Array.of(0));
  const bodies = Array.from({ length: reader.unsigned() }, () => rewriteBody(reader.take(reader.unsigned()), rewriter));
  bodies.push(bulkBody(fuel, [OP.prefixed, MEMORY_COPY, 0, 0]), bulkBody(fuel, [OP.prefixed, MEMORY_FILL, 0]));
  sections.set(SECTION.code, Buffer.concat([Buffer.from(unsigned(bodies.length)), ...bodies.flatMap(sized)]));

  return writeSections(wasm.subarray(0, 8), sections);
}

/** What function bodies are rewritten with. */
interface Rewriter {
  burn: Buffer;
  /** indexes of the functions in the place of the bulk instructions */
  copy: number;
  fill: number;
}

const trapIfEmpty = (fuel: number) => [
  OP.globalGet,
  ...unsigned(fuel),
  OP.i64Const,
  1,
  OP.i64LtS,
  OP.if,
  NO_RESULT,
  OP.unreachable,
  OP.end,
];

/** if (fuel < 1) trap; fuel -= 1 */
const burnOne = (fuel: number) =>
  Buffer.from([
    ...trapIfEmpty(fuel),
    OP.globalGet,
    ...unsigned(fuel),
    OP.i64Const,
    1,
    OP.i64Sub,
    OP.globalSet,
    ...unsigned(fuel),
  ]);

/** (a, b, size): fuel -= size >> 5; if (fuel < 1) trap; the instruction. The body declares no locals. */
function bulkBody(fuel: number, instruction: number[]) {
  const units = [OP.localGet, 2, OP.i32Const, BYTES_PER_UNIT_LOG2, OP.i32ShrU, OP.i64ExtendI32U];
  const burn = [
    OP.globalGet,
    ...unsigned(fuel),
    ...units,
    OP.i64Sub,
    OP.globalSet,
    ...unsigned(fuel),
    ...trapIfEmpty(fuel),
  ];
  return Buffer.from([0, ...burn, OP.localGet, 0, OP.localGet, 1, OP.localGet, 2, ...instruction, OP.end]);
}

/** Rewrites one function body: fuel is paid at its entry and its loops, and bulk instructions become calls. */
function rewriteBody(body: Uint8Array, rewriter: Rewriter) {
  const reader = new Reader(body);
  const parts: Uint8Array[] = [];
  let copied = 0;
  const copyUpTo = (at: number) => {
    parts.push(body.subarray(copied, at));
    copied = at;
  };
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.unsigned();
    reader.byte();
  }
  copyUpTo(reader.at);
  parts.push(rewriter.burn);
  while (reader.at < body.length) {
    const start = reader.at;
    const op = reader.byte();
    const sub = op === OP.prefixed ? reader.unsigned() : null;
    skipImmediates(reader, op, sub);
    if (op === OP.loop) {
      copyUpTo(reader.at);
      parts.push(rewriter.burn);
    } else if (sub === MEMORY_COPY || sub === MEMORY_FILL) {
      copyUpTo(start);
      parts.push(Buffer.from([OP.call, ...unsigned(sub === MEMORY_COPY ? rewriter.copy : rewriter.fill)]));
      copied = reader.at;
    }
  }
  copyUpTo(body.length);
  return Buffer.concat(parts);
}

/** Skips the operands of an opcode: MVP, sign extension, saturating conversion and bulk memory, which is all that QuickJS uses. */
function skipImmediates(reader: Reader, op: number, sub: number | null) {
  if (sub !== null) {
    if (sub <= 7) return; // saturating conversions
    if (sub === MEMORY_COPY) return void reader.take(2);
    if (sub === MEMORY_FILL) return void reader.take(1);
  } else if (op === 0x02 || op === 0x03 || op === 0x04) {
    return reader.leb(); // block, loop, if: their type
  } else if (op === 0x0c || op === 0x0d || op === 0x10 || (op >= 0x20 && op <= 0x24)) {
    return reader.leb(); // br, br_if, call, locals and globals: an index
  } else if (op === 0x0e) {
    for (let targets = reader.unsigned() + 1; targets > 0; targets--) reader.leb(); // br_table
    return;
  } else if (op === 0x11 || (op >= 0x28 && op <= 0x3e)) {
    reader.leb(); // call_indirect: type and table; load, store: alignment and offset
    return reader.leb();
  } else if (op === 0x3f || op === 0x40) {
    return void reader.take(1); // memory.size, memory.grow
  } else if (op === 0x41 || op === 0x42) {
    return reader.leb(); // i32.const, i64.const
  } else if (op === 0x43 || op === 0x44) {
    return void reader.take(op === 0x43 ? 4 : 8); // f32.const, f64.const
  } else if ([0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(op) || (op >= 0x45 && op <= 0xc4)) {
    return; // unreachable, nop, else, end, return, drop, select; comparison, arithmetic, conversion
  }
  throw new Error(
    `The wasm holds an instruction that wasm-fuel.ts does not know: 0x${op.toString(16)}${sub === null ? "" : ` ${sub}`}. Add it to skipImmediates.`,
  );
}

// The binary format

class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    const byte = this.bytes[this.at++];
    if (byte === undefined) throw new Error("The wasm ends in the middle of an element.");
    return byte;
  }

  take(count: number) {
    if (this.at + count > this.bytes.length) throw new Error("The wasm ends in the middle of an element.");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Skips a LEB128 number, signed or unsigned. */
  leb() {
    while (this.byte() & 0x80);
  }

  unsigned() {
    let value = 0;
    for (let scale = 1, byte = 0x80; byte & 0x80; scale *= 128) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }
}

/** @returns LEB128 */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.push((value % 128) | (value >= 128 ? 0x80 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return bytes;
}

/** @returns signed LEB128 */
function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = Number(value & 0x7fn);
    value >>= 7n;
    const done = (value === 0n && !(low & 0x40)) || (value === -1n && low & 0x40);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const name = (text: string) => [...unsigned(Buffer.byteLength(text)), ...Buffer.from(text)];
const sized = (bytes: Uint8Array) => [Buffer.from(unsigned(bytes.length)), bytes];

/** A section that is a vector: its item count and their bytes. */
function items(section: Uint8Array | undefined) {
  if (!section) return { count: 0, bytes: new Uint8Array() };
  const reader = new Reader(section);
  const count = reader.unsigned();
  return { count, bytes: section.subarray(reader.at) };
}

const vector = ({ count, bytes }: ReturnType<typeof items>, more: number[][]) =>
  Buffer.concat([Buffer.from(unsigned(count + more.length)), bytes, ...more.map((item) => Buffer.from(item))]);

/** @returns contents by section id; custom sections (names, tool marks) are left out */
function readSections(wasm: Uint8Array): Map<number, Uint8Array> {
  if (Buffer.from(wasm.subarray(0, 8)).toString("hex") !== "0061736d01000000")
    throw new Error("This is not a WebAssembly module of version 1.");
  const reader = new Reader(wasm, 8);
  const sections = new Map<number, Uint8Array>();
  while (reader.at < wasm.length) {
    const id = reader.byte();
    const content = reader.take(reader.unsigned());
    if (id !== SECTION.custom) sections.set(id, content);
  }
  return sections;
}

function writeSections(header: Uint8Array, sections: Map<number, Uint8Array>) {
  const parts = [header];
  for (const id of ORDER) {
    const section = sections.get(id);
    if (section) parts.push(Uint8Array.of(id), ...sized(section));
  }
  return Buffer.concat(parts);
}

/** Imported functions and globals come first in their index spaces. */
function countImports(section: Uint8Array | undefined) {
  const counts = { functions: 0, globals: 0 };
  const reader = new Reader(section ?? Uint8Array.of(0));
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.take(reader.unsigned());
    reader.take(reader.unsigned());
    const kind = reader.byte();
    if (kind === KIND.function) {
      reader.leb();
      counts.functions++;
    } else if (kind === KIND.global) {
      reader.take(2);
      counts.globals++;
    } else if (kind === KIND.table || kind === KIND.memory) {
      if (kind === KIND.table) reader.byte();
      const limits = reader.byte();
      reader.leb();
      if (limits & 1) reader.leb();
    } else
      throw new Error(
        `The wasm imports an item of kind ${kind}, which wasm-fuel.ts does not know. Add it to countImports.`,
      );
  }
  return counts;
}
