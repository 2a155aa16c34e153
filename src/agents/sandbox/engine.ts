import type { AgentCalls, SettledCall } from "./calls";
import type { EnginePlaces } from "./engine-places";
import { Machine, type MachineOptions, type ProgramEnd } from "./machine";
import { ProgramLog } from "./program-log";

type EngineOptions = Omit<MachineOptions, "host">;

/**
 * The engine of one program. While the program waits for agents it may be dropped for another program; then a new one runs the program from
 * its top over the outcomes so far, on the same path. Calls that were issued before are not issued again.
 */
export class Engine {
  private machine: Machine | null = null;
  private readonly outcomes: SettledCall[] = [];
  private issued = 0;
  private hasRun = false;
  private readonly drop = () => void (this.machine = null);
  /** Output of the program so far. */
  log: ProgramLog;
  fuelUsed = 0;
  /** Whether a limit was reached; then the program's last calls are not started. */
  halted = false;

  constructor(
    private readonly source: string,
    private readonly options: EngineOptions,
    private readonly calls: AgentCalls,
    private readonly places: EnginePlaces,
  ) {
    this.log = new ProgramLog(options.limits);
  }

  /** Runs the program until it ends or waits for agents. */
  async start(): Promise<ProgramEnd> {
    await this.places.acquire(this.drop);
    return this.run();
  }

  /** Passes one outcome to the program and runs it until it ends or waits again. */
  async settle(settled: SettledCall): Promise<ProgramEnd> {
    if (!this.machine) await this.start();
    this.outcomes.push(settled);
    return this.observed(this.deliver(settled));
  }

  /** Waits for agents; meanwhile another program may take the place. */
  async whileAtRest<T>(wait: () => Promise<T>): Promise<T> {
    this.places.rest(this.drop);
    try {
      return await wait();
    } finally {
      this.places.resume(this.drop);
    }
  }

  /** Drops the engine for good. */
  end(): void {
    this.places.release(this.drop);
    this.drop();
  }

  /** Runs the program from its top over the outcomes so far. */
  private async run(): Promise<ProgramEnd> {
    let replayed = 0;
    this.log = new ProgramLog(this.options.limits);
    const log = this.log.add.bind(this.log);
    const call: MachineOptions["host"]["call"] = (...request) => {
      if (replayed < this.issued) return ++replayed;
      const answer = this.calls.issue(...request);
      if (typeof answer === "number") replayed = this.issued = answer;
      return answer;
    };
    const before = this.issued;
    const isReplay = this.hasRun;
    this.hasRun = true;
    this.machine = await Machine.make({ ...this.options, host: { call, log } });
    let end = this.machine.start(this.source);
    for (const outcome of this.outcomes) end = this.deliver(outcome);
    if (isReplay && (end || this.issued !== before || replayed !== before))
      throw new Error("A replay of the program took another path than the program.");
    return this.observed(end);
  }

  private deliver({ id, outcome: { ok, value } }: SettledCall): ProgramEnd {
    return this.machine!.settle(id, ok, JSON.stringify(ok ? (value ?? null) : String(value)));
  }

  private observed(end: ProgramEnd): ProgramEnd {
    this.fuelUsed = this.machine!.fuelUsed;
    this.halted = this.machine!.halted;
    return end;
  }
}
