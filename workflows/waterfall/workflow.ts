import type { Artifact, DocumentReference } from "#workflow-kit/artifact";
import { ReviewRejectedError } from "#workflow-kit/rejected";
import { reference, type Run } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import { REVIEW_KINDS, KINDS, type Plan, type Response } from "./artifacts";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  PAPER_OPTIONS,
  type Input,
  type Options,
  type Output,
  type SKIPPABLE,
  type StopReason,
  type Unverified,
} from "./contract";
import type { Evidence, GenerateCodeInput } from "./inputs";
import { PRESENTERS } from "./reports/presenters";
import { roles } from "./roles";
import { analyse, receive } from "./stages/analysis";
import { design, redesign } from "./stages/design";
import {
  answerAlone,
  draftOf,
  execute,
  writeProgram,
  writeRevision,
  type Execution,
  type Program,
  type Revision,
} from "./stages/implementation";
import { reflect, type Repair } from "./stages/reflection";
import { Context, type Ending, type PlanningInput, type Stop, type Turns } from "./context";

/** How the next program comes about: written anew, as it was repaired, rewritten for a reason, or by the author of a response that is revised. */
type NextProgram =
  | { rewrite: GenerateCodeInput["revision"] }
  | { repaired: Artifact<string> }
  | { author: string; revision: Revision };

/** One run: its flow through the stages (WaAgents, Fig. 1), and its results so far. The fields change between stages only. */
class Waterfall {
  private turns: Turns = {};
  private readonly visits: Record<string, number> = {};
  private planning: PlanningInput | null = null;
  private gherkin: Artifact | null = null;
  private plan: Artifact<Plan> | null = null;
  private pseudocode: Artifact<string> | null = null;
  private code: Artifact<string> | null = null;
  private response: Artifact<Response> | null = null;
  private answer: DocumentReference | null = null;
  /** What the author of a response was told, if the last program revises one. */
  private revision: Revision | null = null;
  private executions = 0;
  private reason: string | null = null;
  private readonly unverified: Unverified[] = [];

  constructor(
    private readonly run: Run,
    private readonly input: Input,
    private readonly options: Options,
  ) {}

  async execute(): Promise<Output> {
    try {
      const { strategy } = this.options;
      return this.output(strategy === "single_agent" ? await this.answerAlone() : await this.flow());
    } catch (error) {
      if (!(error instanceof ReviewRejectedError)) throw error;
      this.keepRejected(error.artifact);
      this.reason = `A person rejected the ${error.artifact.kind.replaceAll("_", " ")}.`;
      return this.output("rejected_by_human");
    }
  }

  /** Requirement analysis, design, implementation; a failure leads back through reflection, a rejected response through design. */
  private async flow(): Promise<StopReason> {
    const { max_response_revisions, max_repairs, max_executions } = this.options;
    const stopped = (await this.analysis()) ?? (await this.design());
    if (stopped) return this.stopBecause(stopped);

    let rejections = 0;
    let repairs = 0;
    let repair: Repair | null = null;
    let next: NextProgram = { rewrite: null };
    for (;;) {
      const execution = await this.implementation(next);
      if (execution.ok) {
        repair = null;
        if (execution.rejected === null) return this.improve(execution);
        this.reason = execution.rejected;
        if (rejections++ === max_response_revisions) return this.rejectResponse(execution.rejected);
        if (this.executions === max_executions) return "max_executions";
        const revised = await this.revise(execution, execution.rejected);
        if ("stop" in revised) return this.stopBecause(revised.stop);
        next = revised;
      } else {
        const { failure } = execution.evidence;
        this.reason = `${failure.name}: ${failure.message}`;
        if (this.skips("reflection")) return "execution_failed";
        if (repairs++ === max_repairs) return "max_repairs";
        if (this.executions === max_executions) return "max_executions";
        const reflection = await this.reflection(execution.evidence, repair);
        if (reflection.stop) return this.stopBecause(reflection.stop);
        repair = reflection.repair;
        next = reflection.code
          ? { repaired: reflection.code }
          : { rewrite: { code: this.code!.content, reason: reflection.report } };
      }
    }
  }

  /**
   * An accepted response is bettered by its agent, when the verifier named improvements. The new response is not judged: it takes the place
   * of one that was accepted. When it fails, the accepted one stays.
   */
  private async improve({ response, author, improvements }: Execution & { ok: true }): Promise<StopReason> {
    const { improve_response, max_executions } = this.options;
    if (improve_response && author && improvements.length && this.executions < max_executions) {
      const revision = { draft: draftOf(response.content), objection: null, suggestions: improvements };
      await this.implementation({ author, revision });
    }
    return "accepted";
  }

  /** What follows on a rejected response: the agent that did everything writes it again; otherwise the design is revised, and the program written anew. */
  private async revise(
    { response, author, improvements }: Execution & { ok: true },
    objection: string,
  ): Promise<NextProgram | { stop: Stop }> {
    if (author && !this.pseudocode && this.plan) {
      return { author, revision: { draft: draftOf(response.content), objection, suggestions: improvements } };
    }
    const stop = await this.redesign(response.content.answer, objection);
    return stop ? { stop } : { rewrite: { code: this.code!.content, reason: objection } };
  }

  /** The last allowed response was rejected: it is the answer all the same, or the run has none. */
  private rejectResponse(reason: string): StopReason {
    if (this.options.on_verifier_limit === "fail") this.response = null;
    else this.unverified.push({ kind: "response", reason });
    return "max_response_revisions";
  }

  private async analysis(): Promise<Stop | null> {
    if (this.skips("requirement_analysis")) return null;
    const { stop, unverified, ...planning } = await this.stage("requirement_analysis", analyse);
    this.planning = planning;
    this.gherkin = planning.gherkin;
    return this.goOn({ stop, unverified });
  }

  private async design(): Promise<Stop | null> {
    if (this.skips("design")) return null;
    const { planning, made } = await this.stage("design", async (context) => {
      const received = this.planning ?? (await receive(context));
      return { planning: received, made: await design(context, received) };
    });
    this.planning = planning;
    this.plan = made.plan;
    this.pseudocode = made.pseudocode;
    return this.goOn(made);
  }

  /** Revises the pseudocode after a rejected response. Without a design nothing is revised, and the program is rewritten. */
  private async redesign(response: string, reason: string): Promise<Stop | null> {
    const { plan, pseudocode, planning } = this;
    if (!plan || !pseudocode) return null;
    const made = await this.stage("design", (context) =>
      redesign(context, planning!, plan, { pseudocode, response, reason }),
    );
    this.pseudocode = made.pseudocode;
    return this.goOn(made);
  }

  /** Gets the next program and runs it. One that revises an accepted response is not verified, and its failure changes nothing. */
  private async implementation(next: NextProgram): Promise<Execution> {
    const number = this.executions + 1;
    const { plan } = this;
    const improves = "revision" in next && next.revision.objection === null;
    const { planning, program, execution } = await this.stage("implementation", async (context) => {
      const received = this.planning ?? (await receive(context));
      const written = await this.nextProgram(context, received, next);
      const options = { number, plan, verify: !improves };
      return { planning: received, program: written, execution: await execute(context, received, written, options) };
    });
    this.planning = planning;
    this.executions = number;
    if (execution.ok) this.keepAnswer(execution);
    if (execution.ok || !improves) this.code = program.code;
    this.revision = program.revision;
    return execution;
  }

  private async nextProgram(context: Context, planning: PlanningInput, next: NextProgram): Promise<Program> {
    if ("repaired" in next) return { code: next.repaired, author: null, revision: this.revision };
    if ("revision" in next) return writeRevision(context, next.author, next.revision);
    return writeProgram(context, planning, { plan: this.plan, pseudocode: this.pseudocode }, next.rewrite);
  }

  private async reflection(evidence: Evidence, lastRepair: Repair | null) {
    const { plan, pseudocode, code, planning } = this;
    const reflection = await this.stage("reflection", (context) =>
      reflect(context, planning!, { plan, pseudocode, code: code!, evidence, lastRepair }),
    );
    this.pseudocode = reflection.pseudocode;
    this.goOn(reflection);
    return reflection;
  }

  private async answerAlone(): Promise<StopReason> {
    this.keepAnswer(await this.stage("implementation", answerAlone));
    return "answered";
  }

  private keepAnswer({ response, answer }: Pick<Execution & { ok: true }, "response" | "answer">): void {
    this.response = response;
    this.answer = answer;
  }

  /** Visits a stage, with a context whose counts continue those of the previous visit. */
  private async stage<T>(name: string, fn: (context: Context) => Promise<T>): Promise<T> {
    const iteration = (this.visits[name] ?? 0) + 1;
    this.visits[name] = iteration;
    const { result, turns } = await this.run.stage(
      name,
      async () => {
        const context = new Context(this.run, this.input, this.options, this.turns);
        return { result: await fn(context), turns: context.turns };
      },
      { iteration },
    );
    this.turns = turns;
    return result;
  }

  private skips(stage: (typeof SKIPPABLE)[number]): boolean {
    return this.options.skip_stages.includes(stage);
  }

  /** Notes a document that continues unverified. @returns the stop, if the run ends instead */
  private goOn({ unverified, stop }: Ending): Stop | null {
    if (unverified) this.unverified.push(unverified);
    return stop;
  }

  /** Sets the reason, and returns the stop reason. */
  private stopBecause({ because, reason }: Stop): StopReason {
    this.reason = reason;
    return because;
  }

  /** The output holds a rejected document when there is no other version. */
  private keepRejected(artifact: Artifact): void {
    if (artifact.kind === "gherkin") this.gherkin ??= artifact;
    if (artifact.kind === "task_plan") this.plan ??= artifact as Artifact<Plan>;
    if (artifact.kind === "pseudocode") this.pseudocode ??= artifact as Artifact<string>;
    if (artifact.kind === "code") this.code ??= artifact as Artifact<string>;
  }

  private output(stop_reason: StopReason): Output {
    const accepted = stop_reason === "accepted" || stop_reason === "answered";
    const response = this.response?.content;
    return {
      answer: response?.answer ?? null,
      ...(response?.answer_json === undefined ? {} : { answer_json: response.answer_json }),
      ...(this.options.functions ? { calls: response?.calls ?? [] } : {}),
      accepted,
      document: this.response ? this.answer : null,
      gherkin: reference(this.gherkin),
      plan: reference(this.plan),
      pseudocode: reference(this.pseudocode),
      code: reference(this.code),
      unverified: this.unverified,
      executions: this.executions,
      stop_reason,
      ...(accepted || this.reason === null ? {} : { reason: this.reason }),
    };
  }
}

export const waterfall = defineWorkflow<Input, Options, Output>({
  name: "waterfall",
  version: 1,
  title: "Waterfall of agents",
  summary:
    "Twelve experts clarify a request, specify it, plan over worker agents, write a program that calls them, run it, and repair what fails.",
  source: {
    title:
      "WaAgents: A Waterfall-Inspired Framework for Effective Multi-Agent Collaboration (anonymous, under review at ICLR)",
    url: "https://anonymous.4open.science/r/WaAgents-8887/README.md",
  },
  stages: ["requirement_analysis", "design", "implementation", "reflection"],
  roles,
  actions,
  kinds: KINDS,
  review_kinds: REVIEW_KINDS,
  presenters: PRESENTERS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  paper_options: PAPER_OPTIONS,
  about: ({ requirement }) => ({ title: null, excerpt: requirement }),
  asks: ({ clarification, skip_stages, strategy }) =>
    clarification === "ask" && strategy === "waagents" && !skip_stages.includes("requirement_analysis")
      ? ["clarification_questions"]
      : [],
  example: {
    input: {
      requirement: "Plan a weekend in Lisbon for two people who like science museums, and say what it costs.",
    },
    options: { clarification: "ask", max_executions: 4 },
  },
  agents: ({ agents, strategy }) => agents ?? (strategy === "single_agent" ? [] : null),
  outcomes: {
    few: { ask_clarifications: "none", decompose_task: "one_agent" },
    many: { decompose_task: "several_agents", verify_pseudocode: "reject", verify_response: "reject" },
  },
  run: (run, input, options) => new Waterfall(run, input, options).execute(),
});
