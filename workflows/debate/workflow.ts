import { ReviewRejectedError } from "#workflow-kit/rejected";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import { REVIEW_KINDS, KINDS, type Authority, type DebateRecord } from "./artifacts";
import { Context } from "./context";
import { shownInOutput } from "./rules/citations";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  PAPER_OPTIONS,
  requestErrors,
  type Input,
  type Options,
  type Output,
} from "./contract";
import { PRESENTERS } from "./reports/presenters";
import { roles } from "./roles";
import { answerByVote, answerOnce, answerUndisputed } from "./stages/alone";
import { open, rebut } from "./stages/debate";
import { judge } from "./stages/judgment";
import { gather, prepare } from "./stages/preparation";
import { crossExamine, review } from "./stages/questions";
import { reference } from "#workflow-kit/run";
import type { DirectAnswer, Judged } from "./outcome";
import { heldBy, debatersOf, type DebateState, type SideReply } from "./rules/debate-state";

const namesOf = ({ id, external_id }: Authority) => ({ authority_id: id, external_id });

/** One run (Silva et al., 3.2: the round schedule). `state` changes between stages only. */
class Debate {
  private state: DebateState = {
    positions: [],
    authorities: [],
    sources: [],
    missing: [],
    not_shown: [],
    passages: 0,
    rounds: [],
  };

  constructor(private readonly context: Context) {}

  async execute(): Promise<Output> {
    try {
      return this.context.options.strategy === "debate" ? await this.debate() : await this.baseline();
    } catch (error) {
      if (!(error instanceof ReviewRejectedError)) throw error;
      return this.rejectedOutput();
    }
  }

  private async debate(): Promise<Output> {
    const { run, options } = this.context;
    const { consensus, ...prepared } = await run.stage("retrieval_prep", () => prepare(this.context));
    if (consensus)
      return this.baselineOutput(
        await run.stage("answering", () => answerUndisputed(this.context, prepared, consensus)),
        prepared.authorities,
      );
    this.state = { ...this.state, ...prepared };
    const openings = await run.stage("opening", () => open(this.context, this.state));
    this.state = { ...this.state, rounds: [openings] };
    const ended = await this.rebuttals();
    const replies = options.cross_examiner
      ? await run.stage("cross_examination", () => crossExamine(this.context, this.state))
      : [];
    if (!options.human_review) return this.judgment(replies, null, ended);
    const {
      rejected,
      note,
      replies: more,
      ...added
    } = await run.stage("review", () => review(this.context, this.state, replies));
    if (rejected) return this.rejectedOutput();
    this.state = { ...this.state, ...added };
    return this.judgment([...replies, ...more], note, ended);
  }

  /** Rounds 2 to R; with `early_stop`, until all debaters hold the same position. */
  private async rebuttals(): Promise<DebateRecord["ended"]> {
    const { run, options } = this.context;
    for (let round = 2; round <= options.rounds; round++) {
      const { statements, ...added } = await run.stage("rebuttal", () => rebut(this.context, this.state, round), {
        iteration: round - 1,
      });
      this.state = { ...this.state, ...added, rounds: [...this.state.rounds, statements] };
      if (options.early_stop && this.agreed()) return "agreed";
    }
    return "rounds";
  }

  private agreed(): boolean {
    return new Set(debatersOf(this.state).map((debater) => heldBy(debater, this.state).label)).size === 1;
  }

  private async judgment(replies: SideReply[], note: string | null, ended: DebateRecord["ended"]): Promise<Output> {
    const { run } = this.context;
    const judged = await run.stage("judgment", () => judge(this.context, { state: this.state, replies, note, ended }));
    return this.judgedOutput(judged);
  }

  private async baseline(): Promise<Output> {
    const { run, options } = this.context;
    const gathered = await run.stage("retrieval_prep", () => gather(this.context));
    const answered = await run.stage("answering", () =>
      options.strategy === "single_agent" ? answerOnce(this.context, gathered) : answerByVote(this.context, gathered),
    );
    return this.baselineOutput(answered, gathered.authorities);
  }

  private judgedOutput(judged: Judged): Output {
    const { answer, verdict, winner, prevailed, parties, citations, answers_by_round, stop_reason } = judged;
    const decided = stop_reason === "judged" || stop_reason === "agreed";
    return {
      answer,
      confidence: decided ? verdict.confidence : null,
      rationale: decided ? verdict.rationale : [],
      checklist: decided ? verdict.checklist : null,
      winner,
      prevailed,
      parties,
      ...shownInOutput(citations),
      retrieved: this.state.authorities.map(namesOf),
      rounds: this.state.rounds.length,
      ...(answers_by_round && { answers_by_round }),
      stop_reason,
      document: reference(judged.report),
      report: reference(judged.report),
      drawing: reference(judged.drawing),
    };
  }

  private baselineOutput(
    { answer, reasons, confidence, citations, stop_reason, report }: DirectAnswer,
    authorities: readonly Authority[],
  ): Output {
    return {
      answer,
      confidence: answer === null ? null : confidence,
      rationale: answer === null ? [] : reasons.rationale,
      checklist: answer === null ? null : reasons.checklist,
      winner: null,
      prevailed: [],
      parties: [],
      ...shownInOutput(citations),
      retrieved: authorities.map(namesOf),
      rounds: 0,
      stop_reason,
      document: reference(report),
      report: reference(report),
      drawing: null,
    };
  }

  /** Output when a person ended the run before a decision. */
  private rejectedOutput(): Output {
    return {
      answer: null,
      confidence: null,
      rationale: [],
      checklist: null,
      winner: null,
      prevailed: [],
      parties: [],
      citations: [],
      invented_citations: [],
      retrieved: this.state.authorities.map(namesOf),
      rounds: this.state.rounds.length,
      stop_reason: "rejected_by_human",
      document: null,
      report: null,
      drawing: null,
    };
  }
}

export const debate = defineWorkflow<Input, Options, Output>({
  name: "debate",
  version: 1,
  title: "Multi-agent debate",
  summary:
    "Debaters defend competing answers to a question on shared evidence, a judge decides, and every citation is checked against the evidence.",
  source: {
    title:
      "Multi-Agent Debate for Legal Reasoning (Silva, Liao, Buabeng, Han, Singh, Ma; University of Illinois, a proposal without a public address)",
    url: null,
  },
  stages: ["retrieval_prep", "opening", "rebuttal", "cross_examination", "review", "judgment", "answering"],
  roles,
  actions,
  kinds: KINDS,
  review_kinds: REVIEW_KINDS,
  presenters: PRESENTERS,
  input: inputSchema,
  options: optionsSchema,
  paper_options: PAPER_OPTIONS,
  output: outputSchema,
  about: ({ question }) => ({ title: null, excerpt: question }),
  asks: ({ human_review, strategy }) => (human_review && strategy === "debate" ? ["review_file"] : []),
  example: {
    input: {
      question:
        "A shop owner promises in writing to keep an offer for a used van open for ten days, and withdraws it on the fourth. The buyer, who is not a dealer, accepts on the fifth. Is there a contract?",
      choices: [
        { label: "A", text: "Yes, because a signed written offer of a merchant stays open for the time it states." },
        {
          label: "B",
          text: "No, because a promise without consideration can be withdrawn at any time before acceptance.",
        },
      ],
      jurisdiction: "US",
      evidence: [
        {
          source: "UCC § 2-205",
          jurisdiction: "US",
          text: "An offer by a merchant to buy or sell goods in a signed writing which by its terms gives assurance that it will be held open is not revocable, for lack of consideration, during the time stated.",
        },
      ],
    },
    options: { rounds: 2, cross_examiner: true },
  },
  corpora: ({ corpus_ids = [] }) => corpus_ids,
  check: ({ input, options }) => requestErrors(input, options),
  outcomes: { few: { answer_briefly: "alike" }, many: { answer_briefly: "apart" } },
  run: (run, input, options) => new Debate(new Context(run, input, options)).execute(),
});
