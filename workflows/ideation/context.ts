import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { RecordEntry, Run } from "#workflow-kit/run";
import { listed } from "#workflow-kit/text";
import type { Kind } from "./artifacts";
import { configurationsOf, type Extra, type Input, type Options } from "./contract";
import type { Configuration } from "./rules/presets";
import type { Role } from "./roles";

/** Of the paper's ranking and proposals; trials count on from it. */
const SEED = 2024;

/** Calls to models that one run makes at once, over all of its trials, proposers and critics: a provider is not to be flooded. */
export const CALLS_AT_ONCE = 32;

/** Whose models a report names. */
const SPEAKERS = ["proposer", "critic", "reviser", "ranker"] as const satisfies readonly Role[];

/** What one run works on. */
export class IdeationContext {
  readonly configurations: readonly Configuration[];
  /** The caller's, or the paper's. */
  readonly seed: number;
  readonly topic: string;

  constructor(
    readonly run: Run,
    readonly input: Input,
    readonly options: Options,
  ) {
    this.configurations = configurationsOf(options);
    this.seed = run.seed ?? SEED;
    this.topic = input.topic;
  }

  get source(): "given" | "semantic_scholar" | "none" {
    const { papers, corpus_ids } = this.input;
    return this.options.paper_source ?? (papers || corpus_ids ? "given" : "semantic_scholar");
  }

  /** Whether the run does something beyond the paper. */
  does(extra: Extra): boolean {
    return this.options.extras.includes(extra);
  }

  /** How the ideas came about, a sentence. */
  told(ideas: number): string {
    const { trials } = this.options;
    const presets = this.configurations.map(({ name }) => `\`${name}\``).join(" and ");
    const models = Map.groupBy(SPEAKERS, (role) => this.run.modelOf(role));
    const spoken = [...models].map(([model, roles]) => `${model} as ${listed(roles)}`).join("; ");
    return `${ideas} ideas from ${trials} ${trials === 1 ? "trial" : "trials"} of ${presets}, seed ${this.seed}, after Ueda et al. (arXiv 2507.08350). Models: ${spoken}.`;
  }

  /** Keeps what no model made; `make` runs once. */
  keep<T>(
    kind: Kind,
    entry: {
      action: string;
      role?: string;
      key?: string;
      subject?: string;
      inputs?: readonly Artifact[];
      mediaType?: string;
    },
    make: () => T | Promise<T>,
  ): Promise<Artifact<T>> {
    const described: Omit<RecordEntry<T>, "content"> = { role: "workflow", ...entry, kind };
    return this.run.compute(described, make);
  }

  /** One artifact that a stage before has handed on. */
  async read<T>(reference: DocumentReference): Promise<Artifact<T>> {
    const [artifact] = await this.run.read<T>([reference]);
    return artifact!;
  }
}
