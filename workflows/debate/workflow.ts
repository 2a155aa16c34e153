import { Rejected } from "#workflow-kit/rejected";
import { type Run } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import { CHECKPOINT_KINDS, KINDS, type DebateRecord } from "./artifacts";
import { createContext, type DebateContext } from "./context";
import { shownInOutput } from "./rules/citations";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  requestFaults,
  type Input,
  type Options,
  type Output,
} from "./contract";
import { roles } from "./roles";
import { answerByVote, answerOnce } from "./stages/alone";
import { open, rebut } from "./stages/debate";
import { judge } from "./stages/judgment";
import { gather, prepare } from "./stages/preparation";
import { crossExamine, review } from "./stages/questions";
import { reference } from "#workflow-kit/run";
import type { Answered, Judged } from "./outcome";
import { heldBy, seatsOf, type DebateState, type SideReply } from "./rules/debate-state";

/** One run (Silva et al., 3.2: the round schedule). What lies on the floor changes between stages only. */
class Debate {
  private floor: DebateState = { positions: [], pool: [], sources: [], missing: [], passages: 0, rounds: [] };

  constructor(private readonly theCase: DebateContext) {}

  async play(): Promise<Output> {
    try {
      return this.theCase.options.strategy === "debate" ? await this.debate() : this.answered(await this.baseline());
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      return this.rejected();
    }
  }

  private async debate(): Promise<Output> {
    const { run, options } = this.theCase;
    const prepared = await run.stage("retrieval_prep", () => prepare(this.theCase));
    this.floor = { ...this.floor, ...prepared };
    const openings = await run.stage("opening", () => open(this.theCase, this.floor));
    this.floor = { ...this.floor, rounds: [openings] };
    const ended = await this.rebuttals();
    const replies = options.cross_examiner
      ? await run.stage("cross_examination", () => crossExamine(this.theCase, this.floor))
      : [];
    if (!options.human_review) return this.judgment(replies, null, ended);
    const {
      rejected,
      note,
      replies: more,
      ...added
    } = await run.stage("review", () => review(this.theCase, this.floor, replies));
    if (rejected) return this.rejected();
    this.floor = { ...this.floor, ...added };
    return this.judgment([...replies, ...more], note, ended);
  }

  /** Rounds 2 to R; fewer when all hold the same position and `early_stop` says so. */
  private async rebuttals(): Promise<DebateRecord["ended"]> {
    const { run, options } = this.theCase;
    for (let round = 2; round <= options.rounds; round++) {
      const { statements, ...added } = await run.stage("rebuttal", () => rebut(this.theCase, this.floor, round), {
        iteration: round - 1,
      });
      this.floor = { ...this.floor, ...added, rounds: [...this.floor.rounds, statements] };
      if (options.early_stop && this.agreed()) return "agreed";
    }
    return "rounds";
  }

  private agreed(): boolean {
    return new Set(seatsOf(this.floor).map((debater) => heldBy(debater, this.floor).label)).size === 1;
  }

  private async judgment(replies: SideReply[], note: string | null, ended: DebateRecord["ended"]): Promise<Output> {
    const { run } = this.theCase;
    const judged = await run.stage("judgment", () => judge(this.theCase, { floor: this.floor, replies, note, ended }));
    return this.judged(judged);
  }

  private async baseline(): Promise<Answered> {
    const { run, options } = this.theCase;
    const gathered = await run.stage("retrieval_prep", () => gather(this.theCase));
    return run.stage("answering", () =>
      options.strategy === "single_agent" ? answerOnce(this.theCase, gathered) : answerByVote(this.theCase, gathered),
    );
  }

  private judged({ answer, verdict, winner, parties, citations, stop_reason, report }: Judged): Output {
    return {
      answer,
      confidence: stop_reason === "judged" || stop_reason === "agreed" ? verdict.confidence : null,
      rationale: verdict.rationale,
      checklist: verdict.checklist,
      winner,
      parties,
      ...shownInOutput(citations),
      rounds: this.floor.rounds.length,
      stop_reason,
      report: reference(report),
    };
  }

  private answered({ answer, alone, confidence, citations, stop_reason, report }: Answered): Output {
    return {
      answer,
      confidence: answer === null ? null : confidence,
      rationale: alone.rationale,
      checklist: alone.checklist,
      winner: null,
      parties: [],
      ...shownInOutput(citations),
      rounds: 0,
      stop_reason,
      report: reference(report),
    };
  }

  /** A person has ended the run: nothing was decided. */
  private rejected(): Output {
    return {
      answer: null,
      confidence: null,
      rationale: [],
      checklist: null,
      winner: null,
      parties: [],
      citations: [],
      invented_citations: [],
      rounds: this.floor.rounds.length,
      stop_reason: "rejected_by_human",
      report: null,
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
  checkpoint_kinds: CHECKPOINT_KINDS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
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
  check: ({ input, options }) => requestFaults(input, options),
  run: (run: Run, input, options) => new Debate(createContext(run, input, options)).play(),
});
