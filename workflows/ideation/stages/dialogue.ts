import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { critiqueIdeas, proposeIdeas, reviseIdeas } from "../actions";
import {
  type Critique,
  type Idea,
  type Ideas,
  type IdeaSet,
  type Paper,
  type Revision,
  type SourcedIdea,
  type Trial,
  type Persona,
} from "../artifacts";
import { CALL_CONCURRENCY, type Context } from "../context";
import { drawn } from "../rules/chance";
import { examplesOf, PAPER_EXAMPLES } from "../actions/examples";
import { Semaphore } from "#workflow-kit/semaphore";
import { mostCriticisms, PAPER_CRITICISMS } from "../rules/limits";
import { groundingOf, keyOf } from "../rules/papers";
import { changedFields, repliesIn, revised } from "../rules/revisions";
import { personasOf } from "../rules/personas";
import type { Configuration } from "../rules/presets";
import type { CritiqueIdeasInput } from "../inputs";

/** Limit of names in lists: a step's result may hold two thousand of them. Characters. */
const MAX_NAME_LENGTH = 100;

/** An idea as later stages and the output refer to it; its text is in the idea set. */
export type ListedIdea = Pick<SourcedIdea, "id" | "name" | "configuration" | "trial">;

export interface GeneratedIdeas {
  /** The idea set. */
  set: DocumentReference;
  listed: ListedIdea[];
}

/** Propose, critique, revise (Ueda et al., 3.2): every trial of every configuration, `parallelism` at once. */
export async function runDialogues(context: Context, bank: DocumentReference | null): Promise<GeneratedIdeas> {
  const { run, options, configurations } = context;
  const papers = await context.papersOf(bank);
  const semaphore = new Semaphore(CALL_CONCURRENCY);
  const trials = configurations.flatMap((configuration) =>
    Array.from({ length: options.trials }, (_, index) => ({ configuration, trial: index + 1 })),
  );
  const ran = await run.parallel(
    trials,
    ({ configuration, trial }) => new Dialogue(context, semaphore, configuration, trial, papers).execute(),
    options.parallelism,
  );
  const ideas = ran.flat().map((idea, index): SourcedIdea => ({ ...idea, id: `i${index + 1}` }));
  const content: IdeaSet = { topic: context.topic, ideas };
  const set = await context.compute("idea_set", { action: "merge_trials" }, () => content);
  return { set: reference(set)!, listed: ideas.map(listed) };
}

export const listed = ({ id, name, configuration, trial }: SourcedIdea): ListedIdea => ({
  id,
  name: clip(name, MAX_NAME_LENGTH),
  configuration,
  trial,
});

/** The dialogue of one proposer in one trial. */
interface Branch {
  proposer: Persona;
  proposal: Artifact<Ideas>;
  critiques: Artifact<Critique>[];
  revisions: Artifact<Revision>[];
  /** The ideas after the last revision. */
  ideas: readonly Idea[];
}

/** A batch of ideas, and the artifact that it comes from. */
interface Batch {
  source: Artifact;
  ideas: readonly Idea[];
}

/** The round before, as critics read it. */
type Earlier = Pick<CritiqueIdeasInput, "replies" | "changed"> & { critiques: readonly Artifact<Critique>[] };

const NO_ROUND: Earlier = { critiques: [], replies: [], changed: null };

/** One trial: each proposer with the critics, over the rounds of the configuration. */
class Dialogue {
  private readonly seed: number;
  private readonly critics: Persona[];
  private readonly papers: Paper[];

  constructor(
    private readonly context: Context,
    private readonly semaphore: Semaphore,
    private readonly configuration: Configuration,
    private readonly trial: number,
    papers: readonly Paper[],
  ) {
    this.seed = context.seed + trial - 1;
    this.critics = personasOf(configuration.critic_personas, this.seed, "critics");
    this.papers = groundingOf(papers, context.options.grounding_papers, this.seed);
  }

  async execute(): Promise<Omit<SourcedIdea, "id">[]> {
    const { run } = this.context;
    const { name, proposer_personas } = this.configuration;
    const proposers = personasOf(proposer_personas, this.seed, "proposers");
    const branches = await run.parallel(proposers, (proposer, index) => this.branch(proposer, index + 1));
    await this.recordTrial(branches);
    return branches.flatMap(({ critiques, ideas }, index) =>
      ideas.map((idea) => ({
        ...idea,
        configuration: name,
        trial: this.trial,
        proposer: index + 1,
        critiques: critiques.slice(-this.critics.length).map(({ id }) => id),
      })),
    );
  }

  private async branch(proposer: Persona, number: number): Promise<Branch> {
    const proposal = await this.propose(proposer, number);
    const branch: Branch = { proposer, proposal, critiques: [], revisions: [], ideas: proposal.content.ideas };
    let source: Artifact = proposal;
    let earlier = NO_ROUND;
    for (let round = 1; round <= this.configuration.depth; round++) {
      const batch = { source, ideas: branch.ideas };
      const critiques = await this.context.run.parallel(this.critics, (critic, index) =>
        this.critique(batch, earlier, critic, { number, round, critic: index + 1 }),
      );
      const revision = await this.revise(batch, critiques, proposer, { number, round });
      branch.ideas = revised(batch.ideas, revision.content);
      if (this.context.hasExtra("earlier_criticisms"))
        earlier = {
          critiques,
          replies: repliesIn(revision.content),
          changed: changedFields(batch.ideas, branch.ideas),
        };
      source = revision;
      branch.critiques.push(...critiques);
      branch.revisions.push(revision);
    }
    return branch;
  }

  private propose(proposer: Persona, number: number): Promise<Artifact<Ideas>> {
    const { run, topic, method, options, input, seed: base_seed } = this.context;
    const seed = this.seedOf(number);
    const paper_examples = this.context.asPaper ? drawn(PAPER_EXAMPLES, seed, "examples") : null;
    const actionInput = {
      topic,
      method,
      persona: proposer.text,
      papers: this.papers,
      examples: options.examples ?? paper_examples ?? examplesOf(method ?? topic),
      existing: input.existing_ideas ?? [],
      count: options.ideas,
      seed,
      base_seed,
    };
    return this.semaphore.run(() =>
      run.step(proposeIdeas, actionInput, { ...this.metadataOf(number), member: number, seed }),
    );
  }

  private critique(
    { source, ideas }: Batch,
    { critiques: earlier, replies, changed }: Earlier,
    { name, text: persona }: Persona,
    { number, round, critic }: { number: number; round: number; critic: number },
  ) {
    const { run, topic } = this.context;
    const seed = this.seedOf(number, round, critic);
    const actionInput = {
      topic,
      persona,
      ideas,
      papers: this.context.hasExtra("critic_papers") ? this.papers : null,
      earlier: earlier.map(({ content }) => content),
      replies,
      changed,
      most: this.context.asPaper ? PAPER_CRITICISMS : mostCriticisms(ideas.length),
      seed,
    };
    const { key, iteration } = this.metadataOf(number, `r${round}`, `c${critic}`);
    const inputs = [source, ...earlier];
    const metadata = { key, iteration, subject: `${key}, ${name}`, member: critic, seed, inputs };
    return this.semaphore.run(() => run.step(critiqueIdeas, actionInput, metadata));
  }

  private revise(
    { source, ideas }: Batch,
    critiques: Awaited<ReturnType<Dialogue["critique"]>>[],
    { text: persona }: Persona,
    { number, round }: { number: number; round: number },
  ): Promise<Artifact<Revision>> {
    const { run, topic, method } = this.context;
    const said = critiques.map(({ content }) => content);
    const actionInput = {
      topic,
      method,
      persona,
      ideas,
      critiques: said,
      papers: this.citedPapers(said),
    };
    const seed = this.seedOf(number, round, this.critics.length > 1 ? this.critics.length + 1 : 1);
    const metadata = { ...this.metadataOf(number, `r${round}`), member: number, seed, inputs: [source, ...critiques] };
    return this.semaphore.run(() => run.step(reviseIdeas, actionInput, metadata));
  }

  /** The papers of the trial that criticisms name, with their ids. */
  private citedPapers(critiques: readonly Critique[]) {
    const cited = new Set(critiques.flatMap(({ criticisms }) => criticisms.flatMap(({ papers = [] }) => papers)));
    return this.papers.flatMap((paper, index) => {
      const key = keyOf(paper, index);
      return cited.has(key) ? [{ ...paper, key }] : [];
    });
  }

  /**
   * The seed of a call (spec, "Configurations"): s for the first proposal; with one critic, s + round for critique and revision; with N
   * critics, s + 1 … s + N for the critiques and s + N + 1 for the revision. Later rounds and proposers count up from there.
   * @param speaker 1 to N for the critics of a round, then the reviser; 0 for the proposal
   */
  private seedOf(proposer: number, round = 1, speaker = 0): number {
    const seeds_per_round = this.critics.length > 1 ? this.critics.length + 1 : 1;
    const seeds_per_proposer = 1 + this.configuration.depth * seeds_per_round;
    const offset = speaker ? (round - 1) * seeds_per_round + speaker : 0;
    return this.seed + (proposer - 1) * seeds_per_proposer + offset;
  }

  private metadataOf(proposer: number, ...more: string[]) {
    const key = [this.configuration.name, `t${this.trial}`, `p${proposer}`, ...more].join(".");
    return { key, subject: key, iteration: this.trial };
  }

  private async recordTrial(branches: readonly Branch[]): Promise<void> {
    const ids = (artifacts: readonly Artifact[]) => artifacts.map(({ id }) => id);
    const content: Trial = {
      configuration: this.configuration.name,
      trial: this.trial,
      seed: this.seed,
      critics: this.critics,
      papers: this.papers.map(({ title }) => title),
      dialogues: branches.map(({ proposer, proposal, critiques, revisions }) => ({
        proposer,
        proposal: proposal.id,
        critiques: ids(critiques),
        revisions: ids(revisions),
      })),
    };
    const key = `${this.configuration.name}.t${this.trial}`;
    const inputs = branches.map(({ proposal, revisions }) => revisions.at(-1) ?? proposal);
    await this.context.compute("trial", { action: "play_trial", key, subject: key, inputs }, () => content);
  }
}
