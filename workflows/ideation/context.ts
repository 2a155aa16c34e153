import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import type { Run } from "#workflow-kit/run";
import { listed } from "#workflow-kit/text";
import type { Kind, Paper, PaperBank } from "./artifacts";
import { configurationsOf, type Extra, type Input, type Options } from "./contract";
import type { Configuration } from "./rules/presets";
import type { Role } from "./roles";

/** The paper's seed for ranking and proposals; trials count up from it. */
const SEED = 2024;

/** Most model calls of one run at once, over all trials, proposers and critics, to spare the provider. */
export const CALL_CONCURRENCY = 32;

/** Roles whose models the report names. */
const SPEAKERS = ["proposer", "critic", "reviser", "ranker"] as const satisfies readonly Role[];

/** What the stages of a run share. */
export class Context {
  readonly configurations: readonly Configuration[];
  /** The caller's seed, or the paper's. */
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

  /** Whether the run follows the paper's prompts and bounds. */
  get asPaper(): boolean {
    return this.options.profile === "paper";
  }

  /** The kind of method that is asked for; null: any. */
  get method(): string | null {
    return this.options.method ?? null;
  }

  hasExtra(extra: Extra): boolean {
    return this.options.extras.includes(extra);
  }

  /** One sentence on the origin of the ideas. */
  describeOrigin(ideas: number): string {
    const { trials } = this.options;
    const presets = this.configurations.map(({ name }) => `\`${name}\``).join(" and ");
    const models = Map.groupBy(SPEAKERS, (role) => this.run.models.of(role));
    const speakers = [...models].map(([model, roles]) => `${model} as ${listed(roles)}`).join("; ");
    return `${ideas} ideas from ${trials} ${trials === 1 ? "trial" : "trials"} of ${presets}, seed ${this.seed}, after Ueda et al. (arXiv 2507.08350). Models: ${speakers}.`;
  }

  /** Records an artifact that no model made; `make` runs once. */
  compute<T>(
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
    return this.run.compute({ role: "workflow", ...entry, kind }, make);
  }

  /** Reads one artifact of an earlier stage. */
  async read<T>(reference: DocumentReference): Promise<Artifact<T>> {
    const [artifact] = await this.run.read<T>([reference]);
    return artifact!;
  }

  /** The papers of the bank, best first; none without a bank. */
  async papersOf(bank: DocumentReference | null): Promise<Paper[]> {
    return bank ? (await this.read<PaperBank>(bank)).content.papers : [];
  }
}
