import type { FailureKind, ProgramError } from "./program";

/** File names of the program and of the prelude in stack traces. */
export const PROGRAM_FILE = "program.js";
export const PRELUDE_FILE = "<parley>";

const MAX_FRAMES = 30;
/** Characters of a frame: the position is at its end, and the name of a function may be of any length. */
const MAX_FRAME_LENGTH = 300;

/** The engine's description of a thrown value. */
export interface ThrownValue {
  name: string;
  message: string;
  stack: string;
  /** Set for errors of the prelude. */
  kind: FailureKind | null;
}

/** A reached limit. It takes precedence over errors that the engine throws afterwards, which are unreliable. */
export interface LimitReached {
  kind: FailureKind;
  name: string;
  message: string;
  /** Set when it is more exact than the stack of the thrown value. */
  stack?: string;
}

/** Position of the first frame of the program in a stack trace, from 1. */
export function position(stack: string): { line: number | null; column: number | null } {
  const match = /\bprogram\.js:(\d+):(\d+)\)?$/m.exec(stack);
  return { line: match ? Number(match[1]) : null, column: match ? Number(match[2]) : null };
}

/** @param thrownAt stack of the value that the engine threw */
export function limitError(limit: LimitReached, thrownAt: string): ProgramError {
  const stack = programFrames(limit.stack ?? thrownAt);
  return { kind: limit.kind, name: limit.name, message: limit.message, ...position(stack), stack };
}

/** @param compiling true while nothing of the program has run */
export function thrownError(thrown: ThrownValue, compiling: boolean): ProgramError {
  const stack = programFrames(thrown.stack);
  return { kind: kindOf(thrown, compiling), ...explain(thrown), ...position(stack), stack };
}

/** The error of a source with a character that the engine cannot read: its strings end at a NUL and are UTF-8. Null when there is none. */
export function unreadableSource(source: string): ProgramError | null {
  const at = source.search(/\0|\p{Surrogate}/u);
  if (at < 0) return null;
  const what = source[at] === "\0" ? "a NUL character" : "half of a surrogate pair";
  const before = source.slice(0, at).split("\n");
  return {
    kind: "syntax",
    name: "SyntaxError",
    message: `The program contains ${what}; write it as an escape`,
    line: before.length,
    column: before.at(-1)!.length + 1,
    stack: "",
  };
}

export const DEADLOCK: ProgramError = {
  kind: "deadlock",
  name: "Deadlock",
  message: "The program awaits a promise that nothing can settle any more: no agent call is under way.",
  line: null,
  column: null,
  stack: "",
};

function kindOf({ name, message, kind }: ThrownValue, compiling: boolean): FailureKind {
  if (kind) return kind;
  if (compiling && name === "SyntaxError") return "syntax";
  // The engine refuses a request beyond its address space before it calls `memory.grow`, which would have reported the limit.
  return name === "InternalError" && message === "out of memory" ? "out_of_memory" : "runtime";
}

/** Explains messages of the engine that a program's author cannot understand. */
function explain({ name, message, kind }: ThrownValue): { name: string; message: string } {
  if (kind === "no_entry_point") return { name: "NoEntryPoint", message };
  if (message.startsWith("could not load module")) {
    return { name, message: `${message}: a program can import nothing; agents.call is its only door` };
  }
  return { name, message };
}

function programFrames(stack: string): string {
  const frames = stack.split("\n").filter((frame) => frame.trim() && !frame.includes(PRELUDE_FILE));
  return frames
    .slice(0, MAX_FRAMES)
    .map((frame) =>
      frame.length > MAX_FRAME_LENGTH
        ? `${frame.slice(0, MAX_FRAME_LENGTH / 2)}…${frame.slice(-MAX_FRAME_LENGTH / 2)}`
        : frame,
    )
    .join("\n");
}
