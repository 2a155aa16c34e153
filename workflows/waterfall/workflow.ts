import type { Artifact } from "#workflow-kit/artifact";
import { Rejected } from "#workflow-kit/rejected";
import { type Run } from "#workflow-kit/run";
import { defineWorkflow } from "#workflow-kit/workflow";
import { actions } from "./actions";
import { CHECKPOINT_KINDS, KINDS, type Plan, type Response } from "./artifacts";
import {
  inputSchema,
  optionsSchema,
  outputSchema,
  type Input,
  type Options,
  type Output,
  type SKIPPABLE,
  type StopReason,
} from "./contract";
import type { Evidence, GenerateCodeInput } from "./inputs";
import { roles } from "./roles";
import { analyse, receive } from "./stages/analysis";
import { design, redesign } from "./stages/design";
import { answerAlone, execute, program } from "./stages/implementation";
import { reflect, type Repair } from "./stages/reflection";
import { StageTeam, type WaterfallContext, type PlanningInput, type Stop, type Turns } from "./context";
import { reference } from "#workflow-kit/run";

/** One run: what it has come to, and the way it takes (WaAgents, Fig. 1). What it has come to changes between stages only. */
class Waterfall {
  private turns: Turns = {};
  private readonly visits: Record<string, number> = {};
  private desk: PlanningInput | null = null;
  private gherkin: Artifact | null = null;
  private plan: Artifact<Plan> | null = null;
  private pseudocode: Artifact<string> | null = null;
  private code: Artifact<string> | null = null;
  private response: Artifact<Response> | null = null;
  private executions = 0;
  private reason: string | null = null;

  constructor(private readonly assignment: WaterfallContext) {}

  async play(): Promise<Output> {
    try {
      const { strategy } = this.assignment.options;
      return this.output(strategy === "single_agent" ? await this.answerAlone() : await this.flow());
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      this.keep(error.artifact);
      this.reason = `A person rejected the ${error.artifact.kind.replaceAll("_", " ")}.`;
      return this.output("rejected_by_human");
    }
  }

  /** Requirement analysis, design, implementation; from there back by reflection, or by a rejected response. */
  private async flow(): Promise<StopReason> {
    const { max_response_revisions, max_repairs, max_executions } = this.assignment.options;
    const stopped = (await this.analysis()) ?? (await this.design());
    if (stopped) return this.stop(stopped);

    let rejections = 0;
    let repairs = 0;
    let repair: Repair | null = null;
    let revision: GenerateCodeInput["revision"] = null;
    for (;;) {
      const execution = await this.implementation(revision);
      revision = null;
      if (execution.ok) {
        repair = null;
        if (execution.rejected === null) return "accepted";
        this.reason = execution.rejected;
        if (rejections++ === max_response_revisions) return "max_response_revisions";
        if (this.executions === max_executions) return "max_executions";
        const failed = await this.redesign(execution.response.content.answer, execution.rejected);
        if (failed) return this.stop(failed);
        revision = { code: this.code!.content, reason: execution.rejected };
      } else {
        const { failure } = execution.evidence;
        this.reason = `${failure.name}: ${failure.message}`;
        if (this.skips("reflection")) return "execution_failed";
        if (repairs++ === max_repairs) return "max_repairs";
        if (this.executions === max_executions) return "max_executions";
        const reflection = await this.reflection(execution.evidence, repair);
        if (reflection.stop) return this.stop(reflection.stop);
        repair = reflection.repair;
        if (reflection.code) this.code = reflection.code;
        else revision = { code: this.code!.content, reason: reflection.report };
      }
    }
  }

  private async analysis(): Promise<Stop | null> {
    if (this.skips("requirement_analysis")) return null;
    const { stop, ...desk } = await this.stage("requirement_analysis", analyse);
    this.desk = desk;
    this.gherkin = desk.gherkin;
    return stop;
  }

  private async design(): Promise<Stop | null> {
    if (this.skips("design")) return null;
    const { desk, made } = await this.stage("design", async (team) => {
      const received = this.desk ?? (await receive(team));
      return { desk: received, made: await design(team, received) };
    });
    this.desk = desk;
    this.plan = made.plan;
    this.pseudocode = made.pseudocode;
    return made.stop;
  }

  /** A rejected response goes back to the design; without one, the program is written anew. */
  private async redesign(response: string, reason: string): Promise<Stop | null> {
    const { plan, pseudocode, desk } = this;
    if (!plan || !pseudocode) return null;
    const made = await this.stage("design", (team) => redesign(team, desk!, plan, { pseudocode, response, reason }));
    this.pseudocode = made.pseudocode;
    return made.stop;
  }

  /** @param revision what was wrong with the program before, when it is written anew */
  private async implementation(revision: GenerateCodeInput["revision"]) {
    const number = this.executions + 1;
    const { plan, pseudocode } = this;
    const { desk, code, execution } = await this.stage("implementation", async (team) => {
      const received = this.desk ?? (await receive(team));
      const standing = revision ? null : this.code;
      const written = standing ?? (await program(team, received, { plan, pseudocode }, revision));
      return { desk: received, code: written, execution: await execute(team, received, written, number) };
    });
    this.desk = desk;
    this.code = code;
    this.executions = number;
    if (execution.ok) this.response = execution.response;
    return execution;
  }

  private async reflection(evidence: Evidence, before: Repair | null) {
    const { plan, pseudocode, code, desk } = this;
    const reflection = await this.stage("reflection", (team) =>
      reflect(team, desk!, { plan, pseudocode, code: code!, evidence, before }),
    );
    this.pseudocode = reflection.pseudocode;
    return reflection;
  }

  private async answerAlone(): Promise<StopReason> {
    this.response = await this.stage("implementation", answerAlone);
    return "answered";
  }

  /** A stay in a stage, with the experts who count on from the stay before. */
  private async stage<T>(name: string, fn: (team: StageTeam) => Promise<T>): Promise<T> {
    const iteration = (this.visits[name] ?? 0) + 1;
    this.visits[name] = iteration;
    const { result, turns } = await this.assignment.run.stage(
      name,
      async () => {
        const team = new StageTeam(this.assignment, this.turns);
        return { result: await fn(team), turns: team.turns };
      },
      { iteration },
    );
    this.turns = turns;
    return result;
  }

  private skips(stage: (typeof SKIPPABLE)[number]): boolean {
    return this.assignment.options.skip_stages.includes(stage);
  }

  private stop({ because, reason }: Stop): StopReason {
    this.reason = reason;
    return because;
  }

  /** The one version of a document that there is stands in the output, although a person rejected it. */
  private keep(artifact: Artifact): void {
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
      ...(this.assignment.options.functions ? { calls: response?.calls ?? [] } : {}),
      accepted,
      gherkin: reference(this.gherkin),
      plan: reference(this.plan),
      pseudocode: reference(this.pseudocode),
      code: reference(this.code),
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
  checkpoint_kinds: CHECKPOINT_KINDS,
  input: inputSchema,
  options: optionsSchema,
  output: outputSchema,
  example: {
    input: {
      requirement: "Plan a weekend in Lisbon for two people who like science museums, and say what it costs.",
    },
    options: { clarification: "ask", max_executions: 4 },
  },
  agents: ({ agents, strategy }) => agents ?? (strategy === "single_agent" ? [] : null),
  run: (run: Run, input, options) => new Waterfall({ run, input, options }).play(),
});
