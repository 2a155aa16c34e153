import { ModelOutages } from "./model-outages";
import { queueTime } from "./queue-time";
import type { NewArtifact } from "#store/artifacts";
import type { StageKey } from "#store/stages";
import type { Failure } from "#workflow-kit/run";

/** The part of the memory that a Workflow step's result carries to a restarted instance; the rest is read from D1 again. */
export interface Carried {
  /** Model calls that the run has made: the position in `test.faults.llm`. */
  calls: number;
  /** Counter -> failed attempts. */
  attempts: Record<string, number>;
}

/** What an instance remembers from one segment to the next while it is in memory. */
export class InstanceMemory {
  calls = 0;
  /** Whether the run's owner had keys for providers when D1 was last asked. */
  ownsKeys = true;
  readonly queueTime = queueTime();
  readonly outages = new ModelOutages();
  /** Why tolerant steps gave nothing, by their names: D1 holds no artifact of theirs, and the next segment would pay for their calls again. */
  readonly failures = new Map<string, Failure>();
  private attempts: Record<string, number> = {};
  private readonly results = new Map<string, unknown>();
  private readonly uncommitted = new Map<string, NewArtifact>();

  get carried(): Carried {
    return { calls: this.calls, attempts: this.attempts };
  }

  restore({ calls, attempts }: Carried): void {
    this.calls = calls;
    this.attempts = attempts;
  }

  /**
   * Counts a failed attempt. Counters of a step begin with its name and "~". They survive a suspension, so a step gives up on a provider that
   * keeps asking for a wait.
   * @returns the number of this attempt, from 1
   */
  countAttempt(counter: string): number {
    return (this.attempts[counter] = this.attemptsOf(counter) + 1);
  }

  attemptsOf(counter: string): number {
    return this.attempts[counter] ?? 0;
  }

  resetAttempts(counter: string): void {
    delete this.attempts[counter];
  }

  /** Forgets all counters of a step that has its answer: a Workflow step's result has a limit, and would grow with each step that ever failed. */
  resetAttemptsOfStep(step: string): void {
    for (const counter of Object.keys(this.attempts)) if (counter.startsWith(`${step}~`)) this.resetAttempts(counter);
  }

  /** Keeps what a finished stage returned, once its writes are in D1, so that the next segment need not read the stage from D1. */
  keepResult(stage: StageKey, value: unknown, stored: Promise<void>): void {
    const copy = structuredClone(value);
    stored.then(
      () => void this.results.set(nameOfStage(stage), copy),
      () => {},
    );
  }

  /** The result of a finished stage; null: this instance has not finished it. */
  resultOf(stage: StageKey): { value: unknown } | null {
    const name = nameOfStage(stage);
    return this.results.has(name) ? { value: structuredClone(this.results.get(name)) } : null;
  }

  /** Keeps an artifact that D1 could not take within one segment, so that the next one need not pay for it again. */
  keepUncommitted(artifact: NewArtifact): void {
    this.uncommitted.set(nameOfStep(artifact), artifact);
  }

  /** Hands out what `keepUncommitted` has kept of a step; null: nothing. */
  takeUncommitted(step: Pick<NewArtifact, "step" | "generation">): NewArtifact | null {
    const kept = this.uncommitted.get(nameOfStep(step)) ?? null;
    this.uncommitted.delete(nameOfStep(step));
    return kept;
  }
}

const nameOfStage = ({ stage, iteration, generation }: StageKey): string => `${stage}#${iteration}.${generation}`;
const nameOfStep = ({ step, generation }: Pick<NewArtifact, "step" | "generation">): string => `${step}.${generation}`;
