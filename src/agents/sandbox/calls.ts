import { position, type LimitReached } from "./failure";
import type { AgentCall, CallOutcome } from "./program";

export interface SettledCall {
  id: number;
  outcome: CallOutcome;
}

/** The agent calls of one execution: numbered, started when the program has no runnable jobs, and delivered strictly by `completed_seq`. */
export class AgentCalls {
  private readonly occurrences = new Map<string, number>();
  private issued: { id: number; call: AgentCall }[] = [];
  private count = 0;
  private readonly underWay = new Set<Promise<void>>();
  private readonly early = new Map<number, SettledCall>();
  private nextSeq = 1;
  private fatal: { reason: unknown } | null = null;
  /** Number of started calls. */
  started = 0;

  constructor(
    private readonly perform: (call: AgentCall) => Promise<CallOutcome>,
    private readonly maxCalls: number,
  ) {}

  /** Records a call of the program and returns its number, or the reached limit. */
  issue(agent: string, task: string, json: string, stack: string): number | LimitReached {
    if (this.count >= this.maxCalls) {
      return {
        kind: "too_many_calls",
        name: "TooManyCalls",
        message: `The program made more than ${this.maxCalls} agent calls.`,
        stack,
      };
    }
    const same = JSON.stringify([agent, task, json]);
    const occurrence = (this.occurrences.get(same) ?? 0) + 1;
    this.occurrences.set(same, occurrence);
    const id = ++this.count;
    this.issued.push({ id, call: { agent, task, input: JSON.parse(json), occurrence, ...position(stack) } });
    return id;
  }

  /** Starts the recorded calls in order. Not called for a stopped program, so that its last calls cost nothing. */
  start(): void {
    for (const { id, call } of this.issued.splice(0)) {
      this.started++;
      const running = this.run(id, call).finally(() => this.underWay.delete(running));
      this.underWay.add(running);
    }
  }

  /** Whether the next outcome is there already. */
  get hasNext(): boolean {
    return !this.fatal && this.early.has(this.nextSeq);
  }

  /**
   * The next outcome by `completed_seq`; null when no call is under way.
   * @throws whatever `perform` threw, after all calls have settled
   */
  async next(): Promise<SettledCall | null> {
    for (;;) {
      if (this.fatal) await this.allSettled();
      const next = this.early.get(this.nextSeq);
      if (next) {
        this.early.delete(this.nextSeq++);
        return next;
      }
      if (this.underWay.size === 0) {
        if (this.early.size === 0) return null;
        throw new Error(
          `Outcome ${this.nextSeq} of the execution is missing; there are ${[...this.early.keys()].join(", ")}.`,
        );
      }
      await Promise.race(this.underWay);
    }
  }

  /** Waits for all calls under way, including those that lost a `Promise.race`. */
  async allSettled(): Promise<void> {
    await Promise.all(this.underWay);
    if (this.fatal) throw this.fatal.reason;
  }

  /** Never rejects; an error is kept for `next` and `allSettled`, and the program does not see it. */
  private async run(id: number, call: AgentCall): Promise<void> {
    try {
      const outcome = await this.perform(call);
      const seq = outcome.completed_seq;
      if (!Number.isInteger(seq) || seq < this.nextSeq || this.early.has(seq)) {
        throw new Error(`completed_seq ${seq} of ${call.agent} was given before, or is no number from 1.`);
      }
      this.early.set(seq, { id, outcome });
    } catch (reason) {
      this.fatal ??= { reason };
    }
  }
}
