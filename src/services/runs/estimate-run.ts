import { MOCK_MODEL } from "#llm";
import type { Owner } from "#core/owner";
import type { Price } from "#llm/types";
import type { DryCall, DryChild, DryResult } from "#workflow-kit/dry-run";
import type { WorkflowDefinition } from "#workflow-kit/workflow";
import type { Services } from "../services";
import type { RunEstimate } from "./estimate-schema";
import { parseRunRequest, type RunRequest } from "./parse-run-request";
import type { RunCreator } from "./check-run";

interface Range {
  low: number;
  high: number;
}

/** Estimated use, without its price when a model has none. */
interface Use {
  calls: Range;
  input_tokens: Range;
  output_tokens: Range;
  cost_usd: Range | null;
}

const CHARACTERS_PER_TOKEN = 4;

/** Earlier runs of a workflow of which the tokens a call are read, and how many there must be. */
const EARLIER_RUNS = 50;
const MIN_EARLIER_RUNS = 5;

/**
 * How far tokens of live calls lie from the mock ones, without earlier runs: models write more than the mock model, and later prompts
 * hold what they wrote.
 */
const UNKNOWN: Record<"input" | "output", Range> = { input: { low: 0.8, high: 2 }, output: { low: 0.5, high: 5 } };

/** Children of a dry run, over all variants. */
const SAMPLED_CHILDREN = 40;

/** A judge reads what a child wrote and a prompt of ours, and writes reasons with scores. Tokens. */
const JUDGE = { prompt: 900, answer: { low: 150, high: 600 } };

/**
 * The estimated use of a run, as a range: its calls are counted by running it with mock answers twice, once smoothly and once through every
 * loop; its tokens are those of the rendered prompts, and of earlier runs of the same workflow where there are enough.
 * @throws Problem with every error of the request, as `POST /v1/runs` does
 */
export async function estimateRun(services: Services, owner: RunCreator, body: unknown): Promise<RunEstimate> {
  const parsed = await parseRunRequest(services, owner, body);
  const { workflow } = parsed;
  const estimator = new Estimator(services, owner);
  const { use, children, isCut } = await estimator.of(parsed);
  const unpriced = [...estimator.unpriced].toSorted();
  return {
    object: "run_estimate",
    workflow: workflow.name,
    ...rounded(use),
    unpriced_models: unpriced,
    earlier_runs: await estimator.earlierRuns(workflow.name),
    children: children.map(({ name, runs, use: together }) => ({ name, runs, ...rounded(together) })),
    notes: notesOn(isCut, unpriced),
  };
}

interface Estimated {
  use: Use;
  children: { name: string; runs: number; use: Use; isCut: boolean }[];
  /** Of the run, or of one of its children. */
  isCut: boolean;
}

class Estimator {
  readonly unpriced = new Set<string>();
  private readonly scales = new Map<string, Promise<Scale>>();

  constructor(
    private readonly services: Services,
    private readonly owner: RunCreator,
  ) {}

  async earlierRuns(workflow: string): Promise<number> {
    return (await this.earlier(workflow)).runs;
  }

  async of({ workflow, request, models }: RunRequest): Promise<Estimated> {
    const { few = {}, many = {} } = workflow.outcomes ?? {};
    const { input, options } = request;
    const run = (outcomes: Readonly<Record<string, string>>) =>
      this.services.dryRun({ owner: ownerOf(this.owner), workflow, input, options, models, outcomes });
    const [smooth, long] = [await run(few), await run(many)];
    const own = await this.useOf(workflow, smooth, long);
    const children = await this.childrenOf({ workflow, request, models } as RunRequest, smooth.children);
    return {
      use: children.reduce((sum, child) => added(sum, child.use), own),
      children,
      isCut: smooth.is_cut || long.is_cut || children.some((child) => child.isCut),
    };
  }

  /** The range between the run's shortest and its longest course. */
  private async useOf(workflow: WorkflowDefinition, smooth: DryResult, long: DryResult): Promise<Use> {
    const [low, high] = smooth.calls.length <= long.calls.length ? [smooth, long] : [long, smooth];
    const { scaleOf } = await this.earlier(workflow.name);
    const scales = { low: scaleOf(low.calls), high: scaleOf(high.calls) };
    const at = (end: "low" | "high") => {
      const { calls } = { low, high }[end];
      const { input, output } = scales[end];
      return this.tokensOf(calls, input[end], output[end]);
    };
    const [least, most] = [at("low"), at("high")];
    return {
      calls: { low: low.calls.length, high: high.calls.length },
      input_tokens: { low: least.input, high: most.input },
      output_tokens: { low: least.output, high: most.output },
      cost_usd: least.cost === null || most.cost === null ? null : { low: least.cost, high: most.cost },
    };
  }

  private tokensOf(calls: readonly DryCall[], input: number, output: number) {
    const sum = { input: 0, output: 0, cost: 0 as number | null };
    for (const call of calls) {
      const tokens = {
        input: (call.input / CHARACTERS_PER_TOKEN) * input,
        output: (call.output / CHARACTERS_PER_TOKEN) * output,
      };
      sum.input += tokens.input;
      sum.output += tokens.output;
      const price = this.priceOf(call.model);
      sum.cost = price && sum.cost !== null ? sum.cost + costOf(price, tokens) : null;
    }
    return sum;
  }

  /** Test mode costs nothing. */
  private priceOf(label: string): Price | null {
    if (this.owner.mode === "test" || label === MOCK_MODEL) return { input: 0, output: 0 };
    const slash = label.indexOf("/");
    const { byName } = this.services.providers;
    const price = byName.get(label.slice(0, slash))?.models.get(label.slice(slash + 1))?.price ?? null;
    if (!price) this.unpriced.add(label);
    return price;
  }

  /** Children by the part of their name before the first stroke; some of each are run, and stand for the others. */
  private async childrenOf({ workflow, request: parent, models }: RunRequest, children: readonly DryChild[]) {
    const groups = [...Map.groupBy(children, ({ key }) => key.split("/")[0]!)];
    const each = Math.max(1, Math.floor(SAMPLED_CHILDREN / groups.length));
    const estimated: Estimated["children"] = [];
    for (const [name, group] of groups) {
      const sample = spread(group, each);
      let use = NOTHING;
      let isCut = false;
      for (const { request: child } of sample) {
        const { repetition: _, ...request } = child;
        const parsed = await parseRunRequest(this.services, { ...this.owner, workflows: null }, request);
        const one = await this.of(parsed);
        use = added(use, one.use);
        isCut ||= one.isCut;
      }
      const together = scaled(use, group.length / sample.length);
      const judges = workflow.calls_after_child?.(parent, name) ?? null;
      const judging = judges
        ? this.judged(together, { each: judges.calls, of: group.length }, models.roles[judges.role]!.model)
        : NOTHING;
      estimated.push({ name, runs: group.length, use: added(together, judging), isCut });
    }
    return estimated;
  }

  /** Calls of judges, each of which reads a prompt of ours and what one child wrote, or two. */
  private judged(children: Use, { each: times, of }: { each: number; of: number }, model: string): Use {
    const calls = times * of;
    if (calls === 0) return NOTHING;
    const input = each(
      children.output_tokens,
      (written, end) => calls * JUDGE.prompt + times * { low: 1, high: 2 }[end] * written,
    );
    const output = each(JUDGE.answer, (tokens) => calls * tokens);
    const price = this.priceOf(model);
    return {
      calls: { low: calls, high: calls },
      input_tokens: input,
      output_tokens: output,
      cost_usd: price && each(input, (tokens, end) => costOf(price, { input: tokens, output: output[end] })),
    };
  }

  private earlier(workflow: string): Promise<Scale> {
    const known = this.scales.get(workflow) ?? this.readScale(workflow);
    this.scales.set(workflow, known);
    return known;
  }

  private async readScale(workflow: string): Promise<Scale> {
    const runs = await this.services.store.runs.usageOfEarlier(ownerOf(this.owner), workflow, EARLIER_RUNS);
    if (runs.length < MIN_EARLIER_RUNS) return { runs: 0, scaleOf: () => UNKNOWN };
    const aCall = (tokens: "input_tokens" | "output_tokens") => {
      const sorted = runs.map((run) => run[tokens] / run.llm_calls).toSorted((a, b) => a - b);
      return { low: at(sorted, 0.1), high: at(sorted, 0.9) };
    };
    const [input, output] = [aCall("input_tokens"), aCall("output_tokens")];
    return {
      runs: runs.length,
      scaleOf(calls) {
        const mean = (side: "input" | "output") =>
          Math.max(
            1,
            calls.reduce((sum, call) => sum + call[side], 0) / CHARACTERS_PER_TOKEN / Math.max(1, calls.length),
          );
        const factor = (of: Range, base: number) => ({ low: of.low / base, high: of.high / base });
        const [own, written] = [factor(input, mean("input")), factor(output, mean("output"))];
        // A longer input than those of earlier runs needs at least its own prompts.
        return { input: { low: Math.min(1, own.low), high: Math.max(1, own.high) }, output: written };
      },
    };
  }
}

/** How many tokens live calls take for each mock one. */
interface Scale {
  /** Earlier runs that it comes from. */
  runs: number;
  scaleOf(calls: readonly DryCall[]): Record<"input" | "output", Range>;
}

const ZERO: Range = { low: 0, high: 0 };
const NOTHING: Use = { calls: ZERO, input_tokens: ZERO, output_tokens: ZERO, cost_usd: ZERO };

const ownerOf = ({ tenant_id, mode }: RunCreator): Owner => ({ tenant_id, mode });

/** USD. */
const costOf = (price: Price, tokens: { input: number; output: number }): number =>
  (tokens.input * price.input + tokens.output * price.output) / 1_000_000;

/** The value at a share of a sorted list. */
const at = (sorted: readonly number[], share: number): number => sorted[Math.round((sorted.length - 1) * share)]!;

/** Some elements, evenly spread. */
const spread = <T>(list: readonly T[], most: number): T[] =>
  list.length <= most
    ? [...list]
    : Array.from({ length: most }, (_, index) => list[Math.floor((index * list.length) / most)]!);

const each = (one: Range, change: (value: number, end: "low" | "high") => number): Range => ({
  low: change(one.low, "low"),
  high: change(one.high, "high"),
});

const combine = (use: Use, change: (of: Range, part: keyof Use) => Range | null): Use => ({
  calls: change(use.calls, "calls")!,
  input_tokens: change(use.input_tokens, "input_tokens")!,
  output_tokens: change(use.output_tokens, "output_tokens")!,
  cost_usd: use.cost_usd && change(use.cost_usd, "cost_usd"),
});

const added = (one: Use, other: Use): Use =>
  combine(one, (of, part) => {
    const more = other[part];
    return more && each(of, (value, end) => value + more[end]);
  });

const scaled = (use: Use, factor: number): Use => combine(use, (of) => each(of, (value) => value * factor));

/** Whole calls and tokens; dollars to four places. */
const rounded = (use: Use): Use =>
  combine(use, (of, part) => each(of, (value) => (part === "cost_usd" ? Number(value.toFixed(4)) : Math.round(value))));

const notesOn = (isCut: boolean, unpriced: readonly string[]): string[] => [
  ...(isCut ? ["The run makes more calls than were counted: the estimate is too low."] : []),
  ...(unpriced.length ? ["Set prices in PROVIDERS to get a cost."] : []),
  "Repairs of unusable answers, embeddings and rounds of agents' tools are left out.",
];
