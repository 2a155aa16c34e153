import { FailedAttempts } from "./failed-attempts";
import { ProviderOutages } from "./provider-outages";
import { Queueing } from "./queueing";
import type { NewArtifact } from "#store/artifacts";
import type { StageKey } from "#store/stages";
import type { Failure } from "#workflow-kit/run";

/** The part of the memory that a step's result carries to an instance that was restarted; the rest is read from D1 again. */
export interface Carried {
  /** Model calls that the run has made: the position in `test.faults.llm`. */
  calls: number;
  attempts: Record<string, number>;
}

/** Facts that an instance keeps from one Workflow step to the next while it is in memory. */
export class InstanceMemory {
  calls = 0;
  /** Whether the run's owner had keys for providers when D1 last told. */
  ownsKeys = true;
  readonly attempts = new FailedAttempts();
  readonly queueing = new Queueing();
  readonly providers = new ProviderOutages();
  /** Why acts that may fail gave nothing, by their names: D1 holds no artifact of theirs, and another step would pay their calls again. */
  readonly failures = new Map<string, Failure>();
  private readonly values = new Map<string, unknown>();
  private readonly uncommitted = new Map<string, NewArtifact>();

  get carried(): Carried {
    return { calls: this.calls, attempts: this.attempts.all };
  }

  restore({ calls, attempts }: Carried): void {
    this.calls = calls;
    this.attempts.restore(attempts);
  }

  /** Keeps what a finished stage returned, once its writes are in D1, so that the next step need not play it again over D1. */
  keep(stage: StageKey, value: unknown, written: Promise<void>): void {
    const copy = structuredClone(value);
    written.then(
      () => void this.values.set(nameOf(stage), copy),
      () => {},
    );
  }

  /** Keeps an artifact that storage was away for too long to take, so that the next step need not pay for it again. */
  keepUncommitted(artifact: NewArtifact): void {
    this.uncommitted.set(nameOfAct(artifact), artifact);
  }

  /** Hands out what `keepUncommitted` has kept of an act; null: nothing. */
  takeUncommitted(act: Pick<NewArtifact, "act" | "generation">): NewArtifact | null {
    const kept = this.uncommitted.get(nameOfAct(act)) ?? null;
    this.uncommitted.delete(nameOfAct(act));
    return kept;
  }

  /** The result of a finished stage; null: this instance has not finished it. */
  valueOf(stage: StageKey): { value: unknown } | null {
    const name = nameOf(stage);
    return this.values.has(name) ? { value: structuredClone(this.values.get(name)) } : null;
  }
}

const nameOf = ({ stage, iteration, generation }: StageKey): string => `${stage}#${iteration}.${generation}`;
const nameOfAct = ({ act, generation }: Pick<NewArtifact, "act" | "generation">): string => `${act}.${generation}`;
