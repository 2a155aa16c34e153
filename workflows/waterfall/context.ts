import type { Action } from "#workflow-kit/action";
import type { AgentProfile } from "#workflow-kit/agents";
import type { Artifact } from "#workflow-kit/artifact";
import type { Run } from "#workflow-kit/run";
import type { Contents, Kind, Refined, UserLog } from "./artifacts";
import type { Input, Options, StopReason, Unverified } from "./contract";
import type { Brief } from "./inputs";

/** The number of steps of each action and each recorded kind so far: it numbers steps over all stages. */
export type Turns = Readonly<Record<string, number>>;

/** The end of a run that was not accepted: the stop reason, and the last objection. */
export interface Stop {
  because: Exclude<StopReason, "accepted" | "answered">;
  reason: string;
}

/** What a loop of verification ends with: nothing, a document that continues unverified, or the end of the run. */
export interface Ending {
  unverified: Unverified | null;
  stop: Stop | null;
}

export const VERIFIED: Ending = { unverified: null, stop: null };

/** The end of a loop at its limit: the run ends, or continues with what there is. */
export const atLimit = ({ options }: Context, stop: Stop, kind: Unverified["kind"]): Ending =>
  options.on_verifier_limit === "fail"
    ? { unverified: null, stop }
    : { unverified: { kind, reason: stop.reason }, stop: null };

/** What the steps of one stage execution share. Its counts continue those of the previous execution, and a replayed execution starts from them again. */
export class Context {
  private readonly counts: Record<string, number>;

  constructor(
    readonly run: Run,
    readonly input: Input,
    readonly options: Options,
    turns: Turns,
  ) {
    this.counts = { ...turns };
  }

  get turns(): Turns {
    return this.counts;
  }

  /** Whether all experts of the paper are asked, where code or nobody serves otherwise. */
  get isPaper(): boolean {
    return this.options.profile === "paper";
  }

  /** Whether a person wants to see artifacts of one of these kinds, so that its expert must make them. */
  reviews(...kinds: readonly Options["reviews"][number][]): boolean {
    return this.options.reviews.some((kind) => kinds.includes(kind));
  }

  /** An expert performs an action. */
  perform<I, O>(action: Action<I, O>, input: I, inputs: readonly (Artifact | null)[]): Promise<Artifact<O>> {
    return this.run.step(action, input, {
      iteration: this.countUp(action.name),
      inputs: present(inputs),
    });
  }

  /** Records an artifact that no model made. */
  publish<K extends Kind>(
    kind: K,
    content: Contents[K],
    by: { action: string; role: string; inputs?: readonly (Artifact | null)[]; mediaType?: string },
  ): Promise<Artifact<Contents[K]>> {
    return this.run.record({
      ...by,
      kind,
      content,
      iteration: this.countUp(`record ${kind}`),
      inputs: present(by.inputs ?? []),
    });
  }

  private countUp(name: string): number {
    const turn = (this.counts[name] ?? 0) + 1;
    this.counts[name] = turn;
    return turn;
  }
}

const present = (artifacts: readonly (Artifact | null)[]): Artifact[] =>
  artifacts.filter((artifact) => artifact !== null);

/** The request as every expert after the analysis knows it, and the agents to plan over. */
export interface PlanningInput {
  log: Artifact<UserLog>;
  requirement: Artifact<Refined>;
  /** null without requirement analysis. */
  gherkin: Artifact<string> | null;
  /** The agents that a plan may use; of a large registry the most relevant. */
  agents: AgentProfile[];
}

export const briefOf = ({ options }: Context, { log, requirement, gherkin }: PlanningInput): Brief => ({
  requirement: requirement.content.refined_requirement,
  context: log.content.context,
  gherkin: gherkin?.content ?? null,
  functions: options.functions ?? [],
});
