import loadQuickJs from "@jitl/quickjs-wasmfile-release-sync/emscripten-module";
import { QuickJSFFI } from "@jitl/quickjs-wasmfile-release-sync/ffi";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import quickJs from "../../../dist/quickjs-fuel.wasm";
import { PRELUDE_FILE, PROGRAM_FILE, type Stop, stopped, threw, type Thrown } from "./failure";
import { PRELUDE } from "./prelude";
import type { LogLine, ProgramError, ProgramLimits } from "./program";

const PAGE = 65_536;
/** The engine cannot be instantiated with less. */
const LEAST_MEMORY = 256 * PAGE;
/**
 * QuickJS counts its own stack, in which its frames are small; those of V8 are larger, and 984 KiB is all of them. With this much
 * QuickJS says "stack overflow" first, at about 550 nested calls, and always at the same depth.
 */
const STACK_BYTES = 96 * 1024;
/** At the end of the fuel the engine is interrupted, which tells the line; with this much more gone (a loop in C) it traps. */
const RESERVE = 5_000_000n;
/** For reading what was thrown, after the fuel is used up. */
const GRACE = 1_000_000n;
const MOST_LINE = 4000;

/** The exported global that scripts/assets/wasm-fuel.mjs puts in: what is left, and a trap at 0. */
interface Tank {
  value: bigint;
}

/** What a program asks for. A call is numbered, and settled later. */
export interface Host {
  call(agent: string, task: string, input: string, stack: string): number | Stop;
  /** @returns true when the log takes no more */
  log(level: LogLine["level"], text: string): boolean;
}

/** How the program ended: with JSON, or not; null while it waits. */
export type Ending = { returned: string } | { failed: ProgramError } | null;

/**
 * One QuickJS with one program in it. It is used once and left to the garbage collector: nothing in it is disposed of, and after a trap
 * nothing could be.
 */
export class Machine {
  private stop: Stop | null = null;
  private tank = 0n;
  private graceful = false;
  private broken = false;
  private functions: Record<"start" | "settle" | "describe", QuickJSHandle>;
  private end: QuickJSHandle | null = null;

  private constructor(
    private readonly fuel: Tank,
    private readonly runtime: QuickJSRuntime,
    private readonly vm: QuickJSContext,
    private readonly limits: ProgramLimits,
    private readonly host: Host,
    seed: number,
    given: string,
  ) {
    runtime.setMaxStackSize(STACK_BYTES);
    this.functions = this.furnish(seed, given);
    this.tank = BigInt(limits.fuel) + RESERVE;
    fuel.value = this.tank;
    runtime.setInterruptHandler(() => this.shouldInterrupt());
  }

  /** @param given JSON of what `main` is given */
  static async make(limits: ProgramLimits, host: Host, seed: number, given: string): Promise<Machine> {
    let machine: Machine | null = null;
    let fuel!: Tank;
    const memory = wholeMemory(limits.memory_bytes, () => machine?.halt(outOfMemory(limits)));
    const engine = await newQuickJSWASMModuleFromVariant({
      type: "sync",
      importFFI: async () => QuickJSFFI,
      importModuleLoader: async () => () =>
        loadQuickJs({
          wasmMemory: memory,
          instantiateWasm(imports, done) {
            const instance = new WebAssembly.Instance(quickJs, imports);
            fuel = instance.exports.fuel as unknown as Tank;
            done(instance);
            return instance.exports;
          },
        }),
    });
    const runtime = engine.newRuntime();
    machine = new Machine(fuel, runtime, runtime.newContext(), limits, host, seed, given);
    return machine;
  }

  get fuelUsed(): number {
    const left = this.fuel.value > 0n ? this.fuel.value : 0n;
    return Number(this.tank - left);
  }

  /** Whether a limit was reached: then calls that the program has just made are not begun. */
  get halted(): boolean {
    return this.stop !== null;
  }

  /** Runs the program until it has ended or waits for agents. */
  start(source: string): Ending {
    return this.enter(() => {
      const compiled = this.vm.evalCode(source, PROGRAM_FILE, { type: "module", compileOnly: true });
      if (compiled.error) return { failed: threw(this.describe(compiled.error), true) };
      const module = this.vm.evalCode(source, PROGRAM_FILE, { type: "module" });
      if (module.error) return this.failed(module.error);
      const end = this.vm.callFunction(this.functions.start, this.vm.undefined, module.value);
      if (end.error) return this.failed(end.error);
      this.end = end.value;
      return this.rest();
    });
  }

  /** Hands one outcome to the program and runs it until it has ended or waits again. */
  settle(call: number, ok: boolean, json: string): Ending {
    return this.enter(() => {
      const { vm } = this;
      const text = vm.newString(json);
      if (this.stop) return null;
      const settled = vm.callFunction(
        this.functions.settle,
        vm.undefined,
        vm.newNumber(call),
        ok ? vm.true : vm.false,
        text,
      );
      if (settled.error) return this.failed(settled.error);
      return this.rest();
    });
  }

  /** Runs all jobs that can run. */
  private rest(): Ending {
    const jobs = this.runtime.executePendingJobs();
    if (jobs.error) return this.failed(jobs.error);
    const state = this.vm.getPromiseState(this.end!);
    if (state.type === "pending") return null;
    if (state.type === "rejected") return this.failed(state.error);
    const json = this.vm.getString(state.value);
    if (sizeOf(json) > this.limits.max_output_bytes) this.halt(outputTooLarge("what main returned", this.limits));
    return { returned: json };
  }

  /** Every way into the engine. Its own account of a limit wins over what came out, and a trap ends this instance alone. */
  private enter(step: () => Ending): Ending {
    let ending: Ending = null;
    try {
      ending = step();
    } catch (error) {
      // Anything else is a fault of ours, or of the platform's.
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      this.halt(this.trapped(error));
    }
    if (!this.stop) return ending;
    return { failed: stopped(this.stop, ending && "failed" in ending ? ending.failed.stack : "") };
  }

  private trapped(error: Error): Stop {
    if (this.fuel.value < 1n && !this.broken) return outOfFuel(this.limits);
    if (error instanceof RangeError || this.broken)
      return { kind: "runtime", name: "InternalError", message: "stack overflow" };
    return { kind: "runtime", name: "InternalError", message: `The engine broke down: ${error.message}` };
  }

  /** The first limit that is reached is the one that counts. */
  private halt(stop: Stop): void {
    this.stop ??= stop;
  }

  private shouldInterrupt(): boolean {
    if (this.fuel.value < RESERVE && !this.graceful) this.halt(outOfFuel(this.limits));
    return this.graceful ? this.fuel.value < RESERVE : this.stop !== null;
  }

  private failed(error: QuickJSHandle): Ending {
    return { failed: threw(this.describe(error), false) };
  }

  private describe(error: QuickJSHandle): Thrown {
    const left = this.fuel.value;
    this.graceful = true;
    this.fuel.value = RESERVE + GRACE;
    const described = this.vm.callFunction(this.functions.describe, this.vm.undefined, error);
    const json = described.error ? "" : this.vm.getString(described.value);
    this.graceful = false;
    this.fuel.value = left;
    return json
      ? JSON.parse(json)
      : { name: "Error", message: "The program failed, and hid how.", stack: "", kind: null };
  }

  /** Evaluates the prelude, which makes what the program finds. */
  private furnish(seed: number, given: string): Machine["functions"] {
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
      if (this.stop) return;
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
    const numbers = [limits.max_output_bytes, MOST_LINE, seed | 0].map((number) => vm.newNumber(number));
    const made = vm.unwrapResult(vm.callFunction(prelude, vm.undefined, host, ...numbers, vm.newString(given)));
    const [start, settle, describe] = (["start", "settle", "describe"] as const).map((name) => vm.getProp(made, name));
    return { start: start!, settle: settle!, describe: describe! };
  }

  /**
   * A function of ours runs inside the engine. Should the engine trap, or the stack end, while it does, then the library would throw
   * the error into the program and go on with a broken instance; so the fuel is taken away.
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

/** Memory that cannot grow, so that a wish for more is the limit reached. (The library, too, cannot bear growth in a job.) */
function wholeMemory(bytes: number, onRefusal: () => void): WebAssembly.Memory {
  if (bytes < LEAST_MEMORY)
    throw new RangeError(`memory_bytes is ${bytes}; the engine needs ${LEAST_MEMORY} at least.`);
  const pages = Math.floor(bytes / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  memory.grow = () => {
    onRefusal();
    throw new RangeError("The memory cannot grow.");
  };
  return memory;
}

const sizeOf = (text: string) => new TextEncoder().encode(text).length;
const amount = (number: number) => number.toLocaleString("en");

const outOfFuel = ({ fuel }: ProgramLimits): Stop => ({
  kind: "out_of_fuel",
  name: "OutOfFuel",
  message: `The program used up its ${amount(fuel)} units of fuel: it loops for ever, or does work itself that belongs to an agent.`,
});

const outOfMemory = ({ memory_bytes }: ProgramLimits): Stop => ({
  kind: "out_of_memory",
  name: "OutOfMemory",
  message: `The program wanted more than its ${amount(memory_bytes)} bytes of memory.`,
});

const outputTooLarge = (what: string, { max_output_bytes }: ProgramLimits): Stop => ({
  kind: "output_too_large",
  name: "OutputTooLarge",
  message: `As JSON, ${what} has more than ${amount(max_output_bytes)} bytes.`,
});
