import type { FailureKind, ProgramError } from "./program";

/** The name of the program's source in stack traces, and of our own code beside it. */
export const PROGRAM_FILE = "program.js";
export const PRELUDE_FILE = "<parley>";

const MOST_FRAMES = 30;

/** What the engine tells of a thrown value. */
export interface ThrownValue {
  name: string;
  message: string;
  stack: string;
  /** Of errors of our own. */
  kind: FailureKind | null;
}

/** A limit that was reached. It decides over whatever the engine throws then, which may be garbage. */
export interface LimitReached {
  kind: FailureKind;
  name: string;
  message: string;
  /** Where, if it is known better than from what was thrown. */
  stack?: string;
}

/** Where in the program a stack trace begins, from 1. */
export function position(stack: string): { line: number | null; column: number | null } {
  const match = /\bprogram\.js:(\d+):(\d+)\)?$/m.exec(stack);
  return { line: match ? Number(match[1]) : null, column: match ? Number(match[2]) : null };
}

/** @param thrownAt the stack of what the engine threw */
export function limitError(stop: LimitReached, thrownAt: string): ProgramError {
  const stack = ownFrames(stop.stack ?? thrownAt);
  return { kind: stop.kind, name: stop.name, message: stop.message, ...position(stack), stack };
}

/** @param compiling nothing of the program has run yet */
export function thrownError(thrown: ThrownValue, compiling: boolean): ProgramError {
  const stack = ownFrames(thrown.stack);
  return { kind: kindOf(thrown, compiling), ...explain(thrown), ...position(stack), stack };
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
  // A wish beyond the address space is refused before the memory is asked, which would have told us.
  return name === "InternalError" && message === "out of memory" ? "out_of_memory" : "runtime";
}

/** What the engine says in a way that only its makers understand. */
function explain({ name, message, kind }: ThrownValue): { name: string; message: string } {
  if (kind === "no_entry_point") return { name: "NoEntryPoint", message };
  if (message.startsWith("could not load module")) {
    return { name, message: `${message}: a program can import nothing; agents.call is its only door` };
  }
  return { name, message };
}

function ownFrames(stack: string): string {
  const frames = stack.split("\n").filter((frame) => frame.trim() && !frame.includes(PRELUDE_FILE));
  return frames.slice(0, MOST_FRAMES).join("\n");
}
