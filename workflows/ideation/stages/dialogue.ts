import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { reference } from "#workflow-kit/run";
import { clip } from "#workflow-kit/text";
import { critiqueIdeas, proposeIdeas, reviseIdeas } from "../actions";
import {
  type Critique,
  type Ideas,
  type IdeaSet,
  type Paper,
  type PaperBank,
  type SourcedIdea,
  type Trial,
  type Persona,
} from "../artifacts";
import { CALLS_AT_ONCE, type IdeationContext } from "../context";
import { drawn } from "../rules/chance";
import { EXAMPLES } from "../actions/examples";
import { groundingOf } from "../rules/papers";
import { personasOf } from "../rules/personas";
import type { Configuration } from "../rules/presets";
import { Semaphore } from "#workflow-kit/semaphore";

/** Of names in lists: two thousand of them go through a step's result. Characters. */
const LONGEST_NAME = 100;

/** An idea as later stages and the output speak of it; its text stands in the idea set. */
export type ListedIdea = Pick<SourcedIdea, "id" | "name" | "configuration" | "trial">;

export interface Conceived {
  /** The idea set. */
  set: DocumentReference;
  listed: ListedIdea[];
}

/** Propose, critique, revise (Ueda et al., 3.2): every trial of every configuration, as many at once as the options say. */
export async function converse(assignment: IdeationContext, bank: DocumentReference | null): Promise<Conceived> {
  const { run, options, configurations } = assignment;
  const papers = bank ? (await assignment.read<PaperBank>(bank)).content.papers : [];
  const semaphore = new Semaphore(CALLS_AT_ONCE);
  const trials = configurations.flatMap((configuration) =>
    Array.from({ length: options.trials }, (_, index) => ({ configuration, trial: index + 1 })),
  );
  const played = await run.parallel(
    trials,
    ({ configuration, trial }) => new Dialogue(assignment, semaphore, configuration, trial, papers).play(),
    options.parallelism,
  );
  const ideas = played.flat().map((idea, index): SourcedIdea => ({ ...idea, id: `i${index + 1}` }));
  return handOn(assignment, ideas);
}

/** Keeps all ideas under their ids. */
async function handOn(assignment: IdeationContext, ideas: SourcedIdea[]): Promise<Conceived> {
  const content: IdeaSet = { topic: assignment.topic, ideas };
  const set = await assignment.keep("idea_set", { action: "merge_trials" }, () => content);
  return { set: reference(set)!, listed: ideas.map(listed) };
}

export const listed = ({ id, name, configuration, trial }: SourcedIdea): ListedIdea => ({
  id,
  name: clip(name, LONGEST_NAME),
  configuration,
  trial,
});

/** What one proposer came to in one trial. */
interface Branch {
  proposer: Persona;
  proposal: Artifact<Ideas>;
  critiques: Artifact[];
  revisions: Artifact<Ideas>[];
}

/** One trial: each proposer with the critics, over the rounds of the configuration. */
class Dialogue {
  private readonly seed: number;
  private readonly critics: Persona[];
  private readonly papers: Paper[];

  constructor(
    private readonly assignment: IdeationContext,
    private readonly semaphore: Semaphore,
    private readonly configuration: Configuration,
    private readonly trial: number,
    papers: readonly Paper[],
  ) {
    this.seed = assignment.seed + trial - 1;
    this.critics = personasOf(configuration.critic_personas, this.seed, "critics");
    this.papers = groundingOf(papers, assignment.options.grounding_papers, this.seed);
  }

  async play(): Promise<Omit<SourcedIdea, "id">[]> {
    const { run } = this.assignment;
    const { name, proposer_personas } = this.configuration;
    const proposers = personasOf(proposer_personas, this.seed, "proposers");
    const branches = await run.parallel(proposers, (proposer, index) => this.branch(proposer, index + 1));
    await this.keep(branches);
    return branches.flatMap(({ proposal, revisions }, index) =>
      (revisions.at(-1) ?? proposal).content.ideas.map((idea) => ({
        ...idea,
        configuration: name,
        trial: this.trial,
        proposer: index + 1,
      })),
    );
  }

  private async branch(proposer: Persona, number: number): Promise<Branch> {
    const proposal = await this.propose(proposer, number);
    const branch: Branch = { proposer, proposal, critiques: [], revisions: [] };
    let ideas = proposal;
    let earlier: Critique[] = [];
    for (let round = 1; round <= this.configuration.depth; round++) {
      const critiques = await this.assignment.run.parallel(this.critics, (critic, index) =>
        this.critique(ideas, earlier, critic, { number, round, critic: index + 1 }),
      );
      earlier = critiques.map(({ content }) => content);
      ideas = await this.revise(ideas, critiques, proposer, { number, round });
      branch.critiques.push(...critiques);
      branch.revisions.push(ideas);
    }
    return branch;
  }

  private propose(proposer: Persona, number: number): Promise<Artifact<Ideas>> {
    const { run, topic, options, input, seed: base_seed } = this.assignment;
    const seed = this.seedOf(number);
    const about = {
      topic,
      method: options.method,
      persona: proposer.text,
      papers: this.papers,
      examples: drawn(EXAMPLES, seed, "examples"),
      existing: input.existing_ideas ?? [],
      count: options.ideas,
      seed,
      base_seed,
    };
    return this.semaphore.use(() => run.act(proposeIdeas, about, { ...this.of(number), member: number, seed }));
  }

  private critique(
    ideas: Artifact<Ideas>,
    earlier: readonly Critique[],
    { name, text: persona }: Persona,
    { number, round, critic }: { number: number; round: number; critic: number },
  ) {
    const { run, topic } = this.assignment;
    const seed = this.seedOf(number, round, critic);
    const about = {
      topic,
      persona,
      ideas: ideas.content.ideas,
      papers: this.assignment.does("critic_papers") ? this.papers : null,
      earlier: this.assignment.does("earlier_criticisms") ? earlier : [],
      seed,
    };
    const place = this.of(number, `r${round}`, `c${critic}`);
    const of = { ...place, subject: `${place.subject}, ${name}` };
    return this.semaphore.use(() => run.act(critiqueIdeas, about, { ...of, member: critic, seed, inputs: [ideas] }));
  }

  private revise(
    ideas: Artifact<Ideas>,
    critiques: Awaited<ReturnType<Dialogue["critique"]>>[],
    { text: persona }: Persona,
    { number, round }: { number: number; round: number },
  ): Promise<Artifact<Ideas>> {
    const { run, topic, options } = this.assignment;
    const about = {
      topic,
      method: options.method,
      persona,
      ideas: ideas.content.ideas,
      critiques: critiques.map(({ content }) => content),
    };
    const seed = this.seedOf(number, round, this.critics.length > 1 ? this.critics.length + 1 : 1);
    const of = this.of(number, `r${round}`);
    return this.semaphore.use(() =>
      run.act(reviseIdeas, about, { ...of, member: number, seed, inputs: [ideas, ...critiques] }),
    );
  }

  /**
   * The seed of a call (spec, "Configurations"): s for the first proposal; with one critic s + round for its critique and the revision; with
   * N of them s + 1 … s + N, and s + N + 1 for the revision. Later rounds and proposers count on from there.
   * @param speaker 1 to N for the critics of a round, then the reviser; absent for the proposal
   */
  private seedOf(proposer: number, round = 1, speaker = 0): number {
    const a_round = this.critics.length > 1 ? this.critics.length + 1 : 1;
    const a_proposer = 1 + this.configuration.depth * a_round;
    return this.seed + (proposer - 1) * a_proposer + (speaker ? (round - 1) * a_round + speaker : 0);
  }

  private of(proposer: number, ...more: string[]) {
    const key = [this.configuration.name, `t${this.trial}`, `p${proposer}`, ...more].join(".");
    return { key, subject: key, iteration: this.trial };
  }

  private async keep(branches: readonly Branch[]): Promise<void> {
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
    await this.assignment.keep("trial", { action: "play_trial", key, subject: key, inputs }, () => content);
  }
}
