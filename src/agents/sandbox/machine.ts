import loadQuickJs from "@jitl/quickjs-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-wasmfile-release-sync/ffi";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import quickJs from "../../../dist/quickjs-fuel.wasm";
import {
  PRELUDE_FILE,
  PROGRAM_FILE,
  type LimitReached,
  limitError,
  thrownError,
  type ThrownValue,
  unreadableSource,
} from "./failure";
import { PRELUDE } from "./prelude";
import type { LogLine, ProgramError, ProgramLimits } from "./program";

const PAGE = 65_536;
/** The minimum with which the engine can be instantiated. */
const MIN_MEMORY_BYTES = 256 * PAGE;
/**
 * QuickJS counts its own stack, whose frames are smaller than V8's; V8's stack is 984 KiB. With this limit QuickJS always throws "stack
 * overflow" first, at the same depth of about 550 nested calls.
 */
const STACK_BYTES = 96 * 1024;
/** When the fuel is used up, the engine is interrupted, which yields the line. After this much more (a loop in C) it traps. */
const RESERVE = 5_000_000n;
/** Fuel for describing a thrown value after the program's fuel is used up. */
const GRACE = 1_000_000n;
const MAX_LINE_LENGTH = 4000;
/** The engine cannot compile, without running, some sources of 36 to 43 characters; blanks at the end change nothing else. */
const MIN_SOURCE = 64;

/** The exported global that scripts/assets/wasm-fuel.ts adds: the remaining fuel; the engine traps at 0. */
interface FuelCounter {
  value: bigint;
}

/** The host's functions for a program. A call is numbered and settled later. */
export interface Host {
  call(agent: string, task: string, input: string, stack: string): number | LimitReached;
  /** @returns true when the log is full */
  log(level: LogLine["level"], text: string): boolean;
}

export interface MachineOptions {
  limits: ProgramLimits;
  host: Host;
  /** Seed of `Math.random`. */
  seed: number;
  /** JSON of the second argument of `main`. */
  given: string;
}

/** End of a program: JSON of its result, or its error; null while it waits. */
export type ProgramEnd = { returned: string } | { failed: ProgramError } | null;

/**
 * One QuickJS instance with one program. It is used once and then garbage collected: nothing in it is disposed of, which would be impossible
 * after a trap.
 */
export class Machine {
  private limit: LimitReached | null = null;
  private initialFuel = 0n;
  private describing = false;
  private broken = false;
  private functions: Record<"start" | "settle" | "describe", QuickJSHandle>;
  private end: QuickJSHandle | null = null;
  private readonly limits: ProgramLimits;
  private readonly host: Host;
  private readonly vm: QuickJSContext;

  private constructor(
    private readonly runtime: QuickJSRuntime,
    private readonly fuel: FuelCounter,
    { limits, host, seed, given }: MachineOptions,
  ) {
    this.limits = limits;
    this.host = host;
    this.vm = runtime.newContext();
    runtime.setMaxStackSize(STACK_BYTES);
    this.functions = this.installPrelude(seed, given);
    this.initialFuel = BigInt(limits.fuel) + RESERVE;
    fuel.value = this.initialFuel;
    runtime.setInterruptHandler(() => this.shouldInterrupt());
  }

  static async make(options: MachineOptions): Promise<Machine> {
    const { limits } = options;
    let machine: Machine | null = null;
    let fuel!: FuelCounter;
    const memory = fixedMemory(limits.memory_bytes, () => machine?.halt(outOfMemory(limits)));
    const engine = await newQuickJSWASMModuleFromVariant({
      type: "sync",
      importFFI: async () => QuickJSFFI,
      importModuleLoader: async () => () =>
        loadQuickJs({
          wasmMemory: memory,
          instantiateWasm(imports, done) {
            const instance = new WebAssembly.Instance(quickJs, imports);
            fuel = instance.exports.fuel as unknown as FuelCounter;
            done(instance);
            return instance.exports;
          },
        }),
    });
    machine = new Machine(engine.newRuntime(), fuel, options);
    return machine;
  }

  get fuelUsed(): number {
    const left = this.fuel.value > 0n ? this.fuel.value : 0n;
    return Number(this.initialFuel - left);
  }

  /** Whether a limit was reached; then the program's last calls are not started. */
  get halted(): boolean {
    return this.limit !== null;
  }

  /** Runs the program until it ends or waits for agents. */
  start(source: string): ProgramEnd {
    const unreadable = unreadableSource(source);
    if (unreadable) return { failed: unreadable };
    return this.enter(() => {
      const compiled = this.vm.evalCode(source.padEnd(MIN_SOURCE), PROGRAM_FILE, {
        type: "module",
        compileOnly: true,
      });
      if (compiled.error) return { failed: thrownError(this.describe(compiled.error), true) };
      const module = this.vm.evalCode(source, PROGRAM_FILE, { type: "module" });
      if (module.error) return this.failed(module.error);
      const end = this.vm.callFunction(this.functions.start, this.vm.undefined, module.value);
      if (end.error) return this.failed(end.error);
      this.end = end.value;
      return this.runJobs();
    });
  }

  /** Passes one outcome to the program and runs it until it ends or waits again. */
  settle(call: number, ok: boolean, json: string): ProgramEnd {
    return this.enter(() => {
      const { vm } = this;
      const text = vm.newString(json);
      if (this.limit) return null;
      const settled = vm.callFunction(
        this.functions.settle,
        vm.undefined,
        vm.newNumber(call),
        ok ? vm.true : vm.false,
        text,
      );
      if (settled.error) return this.failed(settled.error);
      return this.runJobs();
    });
  }

  /** Runs all runnable jobs. */
  private runJobs(): ProgramEnd {
    const jobs = this.runtime.executePendingJobs();
    if (jobs.error) return this.failed(jobs.error);
    const state = this.vm.getPromiseState(this.end!);
    if (state.type === "pending") return null;
    if (state.type === "rejected") return this.failed(state.error);
    const json = this.vm.getString(state.value);
    if (sizeOf(json) > this.limits.max_output_bytes) this.halt(outputTooLarge("what main returned", this.limits));
    return { returned: json };
  }

  /** Wraps every entry into the engine. A reached limit takes precedence over the step's result; a trap ends only this instance. */
  private enter(step: () => ProgramEnd): ProgramEnd {
    let ending: ProgramEnd = null;
    try {
      ending = step();
    } catch (error) {
      // Other errors are bugs of ours or of the platform.
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.halt(this.trapped(error));
    }
    if (!this.limit) return ending;
    return { failed: limitError(this.limit, ending && "failed" in ending ? ending.failed.stack : "") };
  }

  private trapped(error: Error): LimitReached {
    if (this.fuel.value < 1n && !this.broken) return outOfFuel(this.limits);
    if (error instanceof RangeError || this.broken)
      return { kind: "runtime", name: "InternalError", message: "stack overflow" };
    return { kind: "runtime", name: "InternalError", message: `The engine broke down: ${error.message}` };
  }

  /** Keeps the first limit reached. */
  private halt(limit: LimitReached): void {
    this.limit ??= limit;
  }

  private shouldInterrupt(): boolean {
    if (this.fuel.value < RESERVE && !this.describing) this.halt(outOfFuel(this.limits));
    return this.describing ? this.fuel.value < RESERVE : this.limit !== null;
  }

  private failed(error: QuickJSHandle): ProgramEnd {
    return { failed: thrownError(this.describe(error), false) };
  }

  private describe(error: QuickJSHandle): ThrownValue {
    const left = this.fuel.value;
    this.describing = true;
    this.fuel.value = RESERVE + GRACE;
    const described = this.vm.callFunction(this.functions.describe, this.vm.undefined, error);
    const json = described.error ? "" : this.vm.getString(described.value);
    this.describing = false;
    this.fuel.value = left;
    return json
      ? JSON.parse(json)
      : { name: "Error", message: "The program failed, and hid how.", stack: "", kind: null };
  }

  /** Evaluates the prelude, which sets up the program's environment. */
  private installPrelude(seed: number, given: string): Machine["functions"] {
    const { vm, limits } = this;
    const host = vm.newObject();
    const offer = (name: string, fn: (...args: QuickJSHandle[]) => QuickJSHandle | void) =>
      vm.setProp(
        host,
        name,
        vm.newFunction(name, (...args) => this.guard(() => fn(...args))),
      );
    const text = (handle: QuickJSHandle) => JSON.parse(vm.getString(handle)) as string;

    offer("call", (agent, task, input, stack) => {
      if (this.limit) return;
      const [name, what, json] = [text(agent!), text(task!), vm.getString(input!)];
      const at = vm.getString(stack!);
      if (sizeOf(name) + sizeOf(what) + sizeOf(json) > limits.max_output_bytes)
        return this.halt({ ...outputTooLarge("what agents.call is given", limits), stack: at });
      const answer = this.host.call(name, what, json, at);
      if (typeof answer !== "number") return this.halt(answer);
      return vm.newNumber(answer);
    });
    offer("log", (level, line) =>
      this.host.log(vm.getString(level!) as LogLine["level"], text(line!)) ? vm.true : vm.false,
    );
    offer("tooLarge", (what, stack) =>
      this.halt({ ...outputTooLarge(vm.getString(what!), limits), stack: vm.getString(stack!) }),
    );

    const prelude = vm.unwrapResult(vm.evalCode(PRELUDE, PRELUDE_FILE));
    const numbers = [limits.max_output_bytes, MAX_LINE_LENGTH, seed | 0].map((number) => vm.newNumber(number));
    const made = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, host, ...numbers, vm.newString(given)));
    const [start, settle, describe] = (["start", "settle", "describe"] as const).map((name) => vm.getProp(made, name));
    return { start: start!, settle: settle!, describe: describe! };
  }

  /**
   * Runs a host function inside the engine. If the engine traps or the stack overflows meanwhile, the library would throw the error into the
   * program and continue with a broken instance; so the fuel is set to 0.
   */
  private guard<T>(fn: () => T): T {
    try {
      return fn();
    } catch (error) {
      this.broken = this.fuel.value > 0n;
      this.fuel.value = 0n;
      throw error;
    }
  }
}

/** Memory that cannot grow: a request for more reaches the limit. (The library also breaks when memory grows during a job.) */
function fixedMemory(bytes: number, onGrow: () => void): WebAssembly.Memory {
  if (bytes < MIN_MEMORY_BYTES)
    throw new RangeError(`memory_bytes is ${bytes}; the engine needs ${MIN_MEMORY_BYTES} at least.`);
  const pages = Math.floor(bytes / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  memory.grow = () => {
    onGrow();
    throw new RangeError("The memory cannot grow.");
  };
  return memory;
}

const sizeOf = (text: string) => new TextEncoder().encode(text).length;
const amount = (number: number) => number.toLocaleString("en");

const outOfFuel = ({ fuel }: ProgramLimits): LimitReached => ({
  kind: "out_of_fuel",
  name: "OutOfFuel",
  message: `The program used up its ${amount(fuel)} units of fuel: it loops for ever, or does work itself that belongs to an agent.`,
});

const outOfMemory = ({ memory_bytes }: ProgramLimits): LimitReached => ({
  kind: "out_of_memory",
  name: "OutOfMemory",
  message: `The program wanted more than its ${amount(memory_bytes)} bytes of memory.`,
});

const outputTooLarge = (what: string, { max_output_bytes }: ProgramLimits): LimitReached => ({
  kind: "output_too_large",
  name: "OutputTooLarge",
  message: `As JSON, ${what} has more than ${amount(max_output_bytes)} bytes.`,
});
