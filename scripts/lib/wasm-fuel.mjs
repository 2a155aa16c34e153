// Gives a WebAssembly module a fuel tank, so that nothing that runs in it can run for ever: not a loop in the language it
// interprets, and not a loop in the interpreter's own C code, where no interrupt handler is ever asked.
//
// One unit is burnt on entry to every function and at the head of every loop (wasm can jump backwards to a `loop` only), and one
// for every 32 bytes that memory.copy and memory.fill move, which would else do megabytes of work in a single instruction. At 0
// the module traps (`unreachable`), and traps again at any later call. The tank is an exported mutable i64 global.
//
// The rewriter appends to the types, functions, globals and exports, and changes nothing but function bodies: no index moves.

/** Name of the exported global. */
export const FUEL_EXPORT = "fuel";

/** What the tank holds when the module is instantiated: its start function runs before anybody can fill it. */
const INITIAL_FUEL = 2n ** 40n;
/** 2 ** this many bytes moved in bulk cost one unit. */
const BYTES_PER_UNIT_LOG2 = 5;

const SECTION = { custom: 0, type: 1, import: 2, function: 3, global: 6, export: 7, code: 10 };
/** Sections must stand in this order; custom ones may stand anywhere. */
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
 * @param {Uint8Array} wasm a module without fuel
 * @returns {{wasm: Uint8Array, functions: number, loops: number, bulk: number}} the module with fuel, and how many places burn it
 * @throws Error when the module uses an instruction that this rewriter does not know, which it will not guess at
 */
export function addFuel(wasm) {
  const sections = readSections(wasm);
  const imported = countImports(sections.get(SECTION.import));
  const types = items(sections.get(SECTION.type));
  const functions = items(sections.get(SECTION.function));
  const globals = items(sections.get(SECTION.global));
  const exported = items(sections.get(SECTION.export));

  const fuel = imported.globals + globals.count;
  sections.set(SECTION.global, vector(globals, [[I64, 1, OP.i64Const, ...signed(INITIAL_FUEL), OP.end]]));
  sections.set(SECTION.export, vector(exported, [[...name(FUEL_EXPORT), KIND.global, ...unsigned(fuel)]]));

  // Two functions of our own stand in for the two bulk instructions: they burn by size, then do the same.
  const ours = imported.functions + functions.count;
  sections.set(SECTION.type, vector(types, [[0x60, 3, I32, I32, I32, 0]]));
  sections.set(SECTION.function, vector(functions, [unsigned(types.count), unsigned(types.count)]));

  const rewriter = { burn: burnOne(fuel), copy: ours, fill: ours + 1, loops: 0, bulk: 0 };
  const reader = new Reader(sections.get(SECTION.code) ?? Uint8Array.of(0));
  const bodies = Array.from({ length: reader.unsigned() }, () => rewriteBody(reader.take(reader.unsigned()), rewriter));
  bodies.push(bulkBody(fuel, [OP.prefixed, MEMORY_COPY, 0, 0]), bulkBody(fuel, [OP.prefixed, MEMORY_FILL, 0]));
  sections.set(SECTION.code, Buffer.concat([Buffer.from(unsigned(bodies.length)), ...bodies.flatMap(sized)]));

  return {
    wasm: writeSections(wasm.subarray(0, 8), sections),
    functions: functions.count,
    loops: rewriter.loops,
    bulk: rewriter.bulk,
  };
}

const trapIfEmpty = (fuel) => [
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
const burnOne = (fuel) =>
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

/** (a, b, size): fuel -= size >> 5; if (fuel < 1) trap; the instruction. It has no locals of its own. */
function bulkBody(fuel, instruction) {
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

/** One function's locals and instructions, with burning put in at its entry, at its loops, and in place of bulk instructions. */
function rewriteBody(body, rewriter) {
  const reader = new Reader(body);
  const parts = [];
  let copied = 0;
  const copyUpTo = (at) => {
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
      rewriter.loops++;
    } else if (sub === MEMORY_COPY || sub === MEMORY_FILL) {
      copyUpTo(start);
      parts.push(Buffer.from([OP.call, ...unsigned(sub === MEMORY_COPY ? rewriter.copy : rewriter.fill)]));
      copied = reader.at;
      rewriter.bulk++;
    }
  }
  copyUpTo(body.length);
  return Buffer.concat(parts);
}

/** Moves past what follows an opcode: MVP, sign extension, saturating conversion and bulk memory; QuickJS needs no more. */
function skipImmediates(reader, op, sub) {
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
    `The wasm holds an instruction that wasm-fuel.mjs does not know: 0x${op.toString(16)}${sub === null ? "" : ` ${sub}`}. Teach it.`,
  );
}

// The binary format

class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    if (this.at >= this.bytes.length) throw new Error("The wasm ends in the middle of something.");
    return this.bytes[this.at++];
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new Error("The wasm ends in the middle of something.");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Moves past a LEB128 number of either kind. */
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

/** @returns {number[]} LEB128 */
function unsigned(value) {
  const bytes = [];
  do {
    bytes.push((value % 128) | (value >= 128 ? 0x80 : 0));
    value = Math.floor(value / 128);
  } while (value > 0);
  return bytes;
}

/** @param {bigint} value @returns {number[]} signed LEB128 */
function signed(value) {
  const bytes = [];
  for (;;) {
    const low = Number(value & 0x7fn);
    value >>= 7n;
    const done = (value === 0n && !(low & 0x40)) || (value === -1n && low & 0x40);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const name = (text) => [...unsigned(Buffer.byteLength(text)), ...Buffer.from(text)];
const sized = (bytes) => [Buffer.from(unsigned(bytes.length)), bytes];

/** A section that is a vector: how many items it has, and their bytes. */
function items(section) {
  if (!section) return { count: 0, bytes: new Uint8Array() };
  const reader = new Reader(section);
  const count = reader.unsigned();
  return { count, bytes: section.subarray(reader.at) };
}

const vector = ({ count, bytes }, more) =>
  Buffer.concat([Buffer.from(unsigned(count + more.length)), bytes, ...more.map((item) => Buffer.from(item))]);

/** @returns {Map<number, Uint8Array>} contents by section id; custom sections (names, tool marks) are left out */
function readSections(wasm) {
  if (Buffer.from(wasm.subarray(0, 8)).toString("hex") !== "0061736d01000000")
    throw new Error("This is not a WebAssembly module of version 1.");
  const reader = new Reader(wasm, 8);
  const sections = new Map();
  while (reader.at < wasm.length) {
    const id = reader.byte();
    const content = reader.take(reader.unsigned());
    if (id !== SECTION.custom) sections.set(id, content);
  }
  return sections;
}

function writeSections(header, sections) {
  const parts = [header];
  for (const id of ORDER) if (sections.has(id)) parts.push(Uint8Array.of(id), ...sized(sections.get(id)));
  return Buffer.concat(parts);
}

/** Imported functions and globals come first in their index spaces. */
function countImports(section) {
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
    } else throw new Error(`The wasm imports something of kind ${kind}, which wasm-fuel.mjs does not know. Teach it.`);
  }
  return counts;
}
