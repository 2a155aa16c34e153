import type { Artifact } from "#workflow-kit/artifact";
import { Rejected } from "#workflow-kit/rejected";
import { reference, type Run } from "#workflow-kit/run";
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
import { answerAlone, execute, writeProgram } from "./stages/implementation";
import { reflect, type Repair } from "./stages/reflection";
import { StageTeam, type WaterfallContext, type PlanningInput, type Stop, type Turns } from "./context";

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
  private executions = 0;
  private reason: string | null = null;

  constructor(private readonly context: WaterfallContext) {}

  async play(): Promise<Output> {
    try {
      const { strategy } = this.context.options;
      return this.output(strategy === "single_agent" ? await this.answerAlone() : await this.flow());
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      this.keepRejected(error.artifact);
      this.reason = `A person rejected the ${error.artifact.kind.replaceAll("_", " ")}.`;
      return this.output("rejected_by_human");
    }
  }

  /** Requirement analysis, design, implementation; a failure leads back through reflection, a rejected response through design. */
  private async flow(): Promise<StopReason> {
    const { max_response_revisions, max_repairs, max_executions } = this.context.options;
    const stopped = (await this.analysis()) ?? (await this.design());
    if (stopped) return this.stopBecause(stopped);

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
        if (failed) return this.stopBecause(failed);
        revision = { code: this.code!.content, reason: execution.rejected };
      } else {
        const { failure } = execution.evidence;
        this.reason = `${failure.name}: ${failure.message}`;
        if (this.skips("reflection")) return "execution_failed";
        if (repairs++ === max_repairs) return "max_repairs";
        if (this.executions === max_executions) return "max_executions";
        const reflection = await this.reflection(execution.evidence, repair);
        if (reflection.stop) return this.stopBecause(reflection.stop);
        repair = reflection.repair;
        if (reflection.code) this.code = reflection.code;
        else revision = { code: this.code!.content, reason: reflection.report };
      }
    }
  }

  private async analysis(): Promise<Stop | null> {
    if (this.skips("requirement_analysis")) return null;
    const { stop, ...planning } = await this.stage("requirement_analysis", analyse);
    this.planning = planning;
    this.gherkin = planning.gherkin;
    return stop;
  }

  private async design(): Promise<Stop | null> {
    if (this.skips("design")) return null;
    // `desk` is a key of the stored step result here and in `implementation`: a new name would break runs under way.
    const { desk, made } = await this.stage("design", async (team) => {
      const planning = this.planning ?? (await receive(team));
      return { desk: planning, made: await design(team, planning) };
    });
    this.planning = desk;
    this.plan = made.plan;
    this.pseudocode = made.pseudocode;
    return made.stop;
  }

  /** Revises the pseudocode after a rejected response. Without a design nothing is revised, and the program is rewritten. */
  private async redesign(response: string, reason: string): Promise<Stop | null> {
    const { plan, pseudocode, planning } = this;
    if (!plan || !pseudocode) return null;
    const made = await this.stage("design", (team) =>
      redesign(team, planning!, plan, { pseudocode, response, reason }),
    );
    this.pseudocode = made.pseudocode;
    return made.stop;
  }

  /** @param revision the previous program and its fault, if it is to be rewritten */
  private async implementation(revision: GenerateCodeInput["revision"]) {
    const number = this.executions + 1;
    const { plan, pseudocode } = this;
    const { desk, code, execution } = await this.stage("implementation", async (team) => {
      const planning = this.planning ?? (await receive(team));
      const repaired = revision ? null : this.code;
      const written = repaired ?? (await writeProgram(team, planning, { plan, pseudocode }, revision));
      return { desk: planning, code: written, execution: await execute(team, planning, written, number) };
    });
    this.planning = desk;
    this.code = code;
    this.executions = number;
    if (execution.ok) this.response = execution.response;
    return execution;
  }

  private async reflection(evidence: Evidence, lastRepair: Repair | null) {
    const { plan, pseudocode, code, planning } = this;
    const reflection = await this.stage("reflection", (team) =>
      reflect(team, planning!, { plan, pseudocode, code: code!, evidence, lastRepair }),
    );
    this.pseudocode = reflection.pseudocode;
    return reflection;
  }

  private async answerAlone(): Promise<StopReason> {
    this.response = await this.stage("implementation", answerAlone);
    return "answered";
  }

  /** Visits a stage, with a team whose counts continue those of the previous visit. */
  private async stage<T>(name: string, fn: (team: StageTeam) => Promise<T>): Promise<T> {
    const iteration = (this.visits[name] ?? 0) + 1;
    this.visits[name] = iteration;
    const { result, turns } = await this.context.run.stage(
      name,
      async () => {
        const team = new StageTeam(this.context, this.turns);
        return { result: await fn(team), turns: team.turns };
      },
      { iteration },
    );
    this.turns = turns;
    return result;
  }

  private skips(stage: (typeof SKIPPABLE)[number]): boolean {
    return this.context.options.skip_stages.includes(stage);
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
      ...(this.context.options.functions ? { calls: response?.calls ?? [] } : {}),
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
  about: ({ requirement }) => ({ title: null, excerpt: requirement }),
  example: {
    input: {
      requirement: "Plan a weekend in Lisbon for two people who like science museums, and say what it costs.",
    },
    options: { clarification: "ask", max_executions: 4 },
  },
  agents: ({ agents, strategy }) => agents ?? (strategy === "single_agent" ? [] : null),
  run: (run: Run, input, options) => new Waterfall({ run, input, options }).play(),
});
