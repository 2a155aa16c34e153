import type { DocumentReference } from "#workflow-kit/artifact";
import { ReviewRejectedError } from "#workflow-kit/rejected";
import { reference } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import {
  KINDS,
  type Drop,
  type IdeaSet,
  type Proposal,
  type Ranking,
  REVIEW_KINDS,
  type SelectionKind,
} from "./artifacts";
import { Context } from "./context";
import {
  configurationsOf,
  inputSchema,
  optionsSchema,
  outputSchema,
  type Input,
  PAPER_OPTIONS,
  type Options,
  type Output,
  type StopReason,
} from "./contract";
import { identicalCritics } from "./rules/identical-critics";
import { ideasMarkdown } from "./reports/markdown";
import { metricsOf, type Metrics } from "./rules/metrics";
import { reportMarkdown } from "./reports/report";
import { PRESENTERS } from "./reports/presenters";
import { roles } from "./roles";
import { deduplicate, type DeduplicationResult } from "./stages/deduplication";
import { runDialogues, type GeneratedIdeas, type ListedIdea } from "./stages/dialogue";
import { filter } from "./stages/filtering";
import { collectPapers, type CollectedPapers } from "./stages/paper-bank";
import { expand, type ExpandedIdea } from "./stages/proposals";
import { rank, type RankingResult } from "./stages/ranking";
import { review } from "./stages/review";

/** One run: its state and its control flow. The state changes between stages only. */
class Ideation {
  private papers: CollectedPapers | null = null;
  private ideas: GeneratedIdeas | null = null;
  /** Ids of the ideas that are still in the run. */
  private remaining: string[] = [];
  private readonly dropped: Drop[] = [];
  private duplicates: DeduplicationResult | null = null;
  private ranked: RankingResult | null = null;
  private proposals: ExpandedIdea[] = [];
  private readonly notes: string[] = [];
  private reviews = 0;

  constructor(private readonly context: Context) {}

  async execute(): Promise<Output> {
    try {
      return await this.output(await this.flow());
    } catch (error) {
      if (!(error instanceof ReviewRejectedError)) throw error;
      return this.output("rejected_by_human");
    }
  }

  /** The pipeline of Si et al., with the paper's dialogue in place of its single proposer (Ueda et al., section 3). */
  private async flow(): Promise<StopReason> {
    const { run, options } = this.context;
    this.papers = await run.stage("paper_bank", () => collectPapers(this.context));
    this.ideas = await run.stage("dialogue", () => runDialogues(this.context, this.papers!.bank));
    this.remaining = this.ideas.listed.map(({ id }) => id);
    await this.review("idea_set", this.ideas.set);

    this.duplicates = await run.stage("deduplication", () => deduplicate(this.context, this.set, this.remaining));
    this.drop(this.duplicates.dropped);
    this.notes.push(...this.duplicates.notes);
    await this.review("kept_ideas", this.duplicates.verdict);
    await this.filter();
    if (this.remaining.length === 0) return "nothing_left";

    if (options.expand === "all") {
      await this.expand(this.remaining);
      await this.rank(this.proposals);
      await this.review("ranking", this.ranked!.ranking);
      this.proposals = this.proposals.filter(({ idea }) => this.remaining.includes(idea));
      return this.remaining.length ? "expanded" : "nothing_left";
    }
    await this.rank(null);
    const changed = await this.review("ranking", this.ranked!.ranking);
    if (changed) await this.rank(null, 2);
    if (options.expand === "none") return "ranked";
    if (this.remaining.length === 0) return "nothing_left";
    await this.expand(this.places.slice(0, options.proposals).map(({ id }) => id));
    return "expanded";
  }

  private get set(): DocumentReference {
    return this.ideas!.set;
  }

  /** Places of the ideas that are still in the run. */
  private get places() {
    return (this.ranked?.places ?? []).filter(({ id }) => this.remaining.includes(id));
  }

  private async filter(): Promise<void> {
    const { run, options } = this.context;
    if (options.filters.length === 0) return;
    const { set, remaining, papers } = this;
    const { dropped, notes } = await run.stage("filtering", () => filter(this.context, set, remaining, papers!.bank));
    this.drop(dropped);
    this.notes.push(...notes);
  }

  private async rank(proposals: readonly ExpandedIdea[] | null, attempt = 1): Promise<void> {
    const { set, remaining } = this;
    this.ranked = await this.context.run.stage(
      "ranking",
      () => rank(this.context, { set, remaining, proposals, attempt }),
      { iteration: attempt },
    );
  }

  private async expand(ids: readonly string[]): Promise<void> {
    const expansion = { set: this.set, ids, bank: this.papers!.bank, ranking: this.ranked?.ranking ?? null };
    this.proposals = await this.context.run.stage("proposals", () => expand(this.context, expansion));
  }

  /**
   * Lets a person review the ideas, if the options ask for it.
   * @returns whether ideas were added or edited
   */
  private async review(kind: SelectionKind, about: DocumentReference): Promise<boolean> {
    const { run, options } = this.context;
    if (!options.reviews.includes(kind) || this.remaining.length === 0) return false;
    const { set, remaining } = this;
    this.reviews++;
    const reviewed = await run.stage(
      "review",
      () => review(this.context, { kind, about, set, remaining, hasProposals: this.proposals.length > 0 }),
      { iteration: this.reviews },
    );
    if (!reviewed) return false;
    this.ideas = { set: reviewed.set, listed: reviewed.listed };
    this.drop(reviewed.dropped.map((idea) => ({ idea, because: { cause: "human" } })));
    this.remaining = [...reviewed.added, ...this.remaining];
    return reviewed.added.length > 0 || reviewed.edited.some((id) => this.remaining.includes(id));
  }

  private drop(drops: readonly Drop[]): void {
    const dropped = new Set(drops.map(({ idea }) => idea));
    this.remaining = this.remaining.filter((id) => !dropped.has(id));
    this.dropped.push(...drops);
  }

  private async output(stop_reason: StopReason): Promise<Output> {
    const { metrics, ideas, report } = await this.report();
    const names = new Map(this.listed.map(({ id, name }) => [id, name]));
    const { papers } = this;
    return {
      ideas: this.listed,
      kept: this.remaining,
      dropped: this.dropped,
      ranking: this.places.map(({ id, score, tied, rubric }, index) => ({
        place: index + 1,
        idea: id,
        name: names.get(id)!,
        score,
        tied,
        rubric,
      })),
      proposals: this.proposals.map(({ idea, title, document }) => ({ idea, title, document })),
      metrics,
      paper_source: {
        source: papers?.source ?? "none",
        papers: papers?.papers ?? 0,
        note: this.allNotes.join(" ") || null,
      },
      document: this.bestProposal?.document ?? report,
      documents: {
        report,
        ideas,
        bracket: this.ranked?.bracket ?? null,
        similarity: this.duplicates?.picture ?? null,
      },
      stop_reason,
    };
  }

  /** The proposal of the idea that is placed best. */
  private get bestProposal(): ExpandedIdea | undefined {
    const proposals = new Map(this.proposals.map((proposal) => [proposal.idea, proposal]));
    return (
      this.places.map(({ id }) => proposals.get(id)).find((proposal) => proposal !== undefined) ?? this.proposals[0]
    );
  }

  private get listed(): ListedIdea[] {
    return this.ideas?.listed ?? [];
  }

  /** Failures, and how far novelty was checked. */
  private get allNotes(): string[] {
    const novelty = this.ideas ? noveltyNote(this.context) : [];
    return [...new Set([...(this.papers?.notes ?? []), ...this.notes, ...novelty])];
  }

  /** Records metrics and documents of the ideas; a rejected run reports what it has so far. */
  private report(): Promise<{
    metrics: Metrics;
    ideas: DocumentReference | null;
    report: DocumentReference | null;
  }> {
    const { context, ideas, duplicates, ranked, listed, remaining, dropped, proposals, places, papers } = this;
    const notes = this.allNotes;
    const configurations = context.configurations.map(({ name }) => name);
    return context.run.stage("report", async () => {
      const ranking = ranked ? (await context.read<Ranking>(ranked.ranking)).content : null;
      const by = { action: "report" };
      const metrics = await context.compute("metrics", by, () =>
        metricsOf(configurations, listed, duplicates, ranking),
      );
      if (!ideas) return { metrics: metrics.content, ideas: null, report: null };
      const { content } = await context.read<IdeaSet>(ideas.set);
      const byId = new Map(content.ideas.map((idea) => [idea.id, idea]));
      const kept = [...new Set([...places.map(({ id }) => id), ...remaining])];
      const document = await context.compute("ideas_markdown", by, () =>
        ideasMarkdown(
          context.topic,
          kept.map((id) => byId.get(id)!),
          places,
        ),
      );
      const bank = await context.papersOf(papers?.bank ?? null);
      const written = await context.run.read<string>(proposals.map((proposal) => proposal.document));
      const contents = await context.run.read<Proposal>(proposals.map(({ proposal }) => proposal));
      const report = await context.compute("report_markdown", by, () =>
        reportMarkdown({
          topic: context.topic,
          origin: context.describeOrigin(listed.length),
          ideas: byId,
          kept,
          dropped,
          duplicates,
          ranking,
          places,
          proposals: proposals.map(({ idea }, index) => ({
            idea,
            document: written[index]!.content,
            corrections: contents[index]!.content.corrections,
          })),
          papers: bank,
          metrics: metrics.content,
          notes,
        }),
      );
      return { metrics: metrics.content, ideas: reference(document), report: reference(report) };
    });
  }
}

/** Tells the reader of the report how far novelty was checked. */
function noveltyNote({ options, source }: Context): string[] {
  if (!options.filters.includes("novelty"))
    return ["Whether the ideas are new was not looked up; the filter `novelty` does."];
  return source === "given" ? ["Whether the ideas are new was looked up among the given papers only."] : [];
}

export const ideation = defineWorkflow<Input, Options, Output>({
  name: "ideation",
  version: 1,
  title: "Research ideation",
  summary:
    "Agents propose research ideas, criticise and revise them; duplicates are dropped, the rest is ranked by a tournament, and the best become proposals.",
  source: {
    title: "Exploring Design of Multi-Agent LLM Dialogues for Research Ideation (Ueda et al., SIGDIAL 2025)",
    url: "https://arxiv.org/abs/2507.08350",
  },
  stages: ["paper_bank", "dialogue", "review", "deduplication", "filtering", "ranking", "proposals", "report"],
  roles,
  actions,
  kinds: KINDS,
  review_kinds: REVIEW_KINDS,
  presenters: PRESENTERS,
  input: inputSchema,
  options: optionsSchema,
  paper_options: PAPER_OPTIONS,
  output: outputSchema,
  about: ({ topic }) => ({ title: null, excerpt: topic }),
  example: {
    input: { topic: "novel prompting methods that can better quantify uncertainty of large language models" },
    options: { preset: "panel", ideas: 5, trials: 2, proposals: 3 },
  },
  corpora: ({ corpus_ids = [] }) => corpus_ids,
  check: ({ options, roles: models }) =>
    configurationsOf(options).flatMap((configuration) => identicalCritics(configuration, models)),
  run: (run, input, options) => new Ideation(new Context(run, input, options)).execute(),
});
