import type { Action } from "#workflow-kit/action";
import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact } from "#workflow-kit/artifact";
import type { Run } from "#workflow-kit/run";
import type { Contents, Kind, Refined, UserLog } from "./artifacts";
import type { Input, Options, StopReason } from "./contract";
import type { Brief } from "./inputs";

/** What one run works on. */
export interface WaterfallContext {
  run: Run;
  input: Input;
  options: Options;
}

/** How often each action has been performed, and each kind recorded: what tells their acts apart over all stages. */
export type Turns = Readonly<Record<string, number>>;

/** Where a run ends that was not accepted, and what was said last. */
export interface Stop {
  because: Exclude<StopReason, "accepted" | "answered">;
  reason: string;
}

/** The experts in one stay in a stage. It counts on from where the stage before ended, so that a stay can begin anew. */
export class StageTeam {
  private readonly counted: Record<string, number>;

  constructor(
    readonly assignment: WaterfallContext,
    turns: Turns,
  ) {
    this.counted = { ...turns };
  }

  get turns(): Turns {
    return this.counted;
  }

  get options(): Options {
    return this.assignment.options;
  }

  /** An expert acts. */
  perform<I, O>(action: Action<I, O>, input: I, inputs: readonly (Artifact | null)[]): Promise<Artifact<O>> {
    return this.assignment.run.act(action, input, {
      iteration: this.next(action.name),
      inputs: present(inputs),
    });
  }

  /** Keeps what no model made. */
  publish<K extends Kind>(
    kind: K,
    content: Contents[K],
    by: { action: string; role: string; inputs?: readonly (Artifact | null)[] },
  ): Promise<Artifact<Contents[K]>> {
    return this.assignment.run.record({
      ...by,
      kind,
      content,
      iteration: this.next(`record ${kind}`),
      inputs: present(by.inputs ?? []),
    });
  }

  private next(what: string): number {
    const turn = (this.counted[what] ?? 0) + 1;
    this.counted[what] = turn;
    return turn;
  }
}

const present = (artifacts: readonly (Artifact | null)[]): Artifact[] =>
  artifacts.filter((artifact) => artifact !== null);

/** What lies before every expert once the request has been received. */
export interface PlanningInput {
  log: Artifact<UserLog>;
  requirement: Artifact<Refined>;
  /** null without requirement analysis. */
  gherkin: Artifact<string> | null;
  /** The agents that may be planned over; of a large registry the nearest. */
  agents: AgentProfile[];
}

export const briefOf = ({ options }: StageTeam, { log, requirement, gherkin }: PlanningInput): Brief => ({
  requirement: requirement.content.refined_requirement,
  context: log.content.context,
  gherkin: gherkin?.content ?? null,
  functions: options.functions ?? [],
});
