import { hash } from "node:crypto";
import type { Json } from "../../scripts/lib/json.ts";
import { mockVector } from "../../src/llm/mock/mock-vector.ts";
import { between, chooseFault } from "./roll.ts";

/**
 * Faults with their shares of all calls. `truncated` stops at the token limit, `malformed` breaks the requested form, `garbled` breaks the
 * HTTP body.
 */
const FAULTS: [name: string, share: number][] = [
  ["rate_limited", 0.1],
  ["server_error", 0.05],
  ["silent", 0.03],
  ["truncated", 0.01],
  ["malformed", 0.01],
  ["garbled", 0.01],
];

/** Faults that a step repairs with one more call; two in a row fail the step. */
export const FLAWS = ["truncated", "malformed"];

/** Milliseconds until the model answers. */
const LATENCY = { from: 20, to: 300 };

/** One call of a model. */
export interface Call {
  run: string;
  step: string;
  /** the step; for an embedding with a hash of its texts, because a step can embed several times */
  subject: string;
  started_at: number;
  /** Infinity while it is not answered */
  ended_at: number;
  /** `good`, `unplanned`, or the name of its fault */
  outcome: string;
  /** whether the whole answer was sent */
  delivered: boolean;
}

/** What a model does with one request. */
export interface Reply {
  /** is kept up by the caller: `ended_at` and `delivered` */
  call: Call;
  /** milliseconds until the answer */
  latency: number;
  /** null: the model stays silent */
  response: { status: number; headers: Record<string, string>; body: string } | null;
}

/** A model that answers each step as in its mock run, unless a fault is due. The name of a model identifies the run. */
export class FaultyModel {
  /** The answer in each step, by the name of the model. */
  #plans: Map<string, Map<string, string>> = new Map();
  calls: Call[] = [];
  /** The mock run's step for each call of a program, by model and step. */
  #standIns: Map<string, string> = new Map();
  /** The number of calls by model and subject. */
  #counts: Map<string, number> = new Map();
  /** The model of each run that called: a search embeds with the deployment's model, so its call does not name the run's. */
  #models = new Map<string, string>();
  readonly seed: string;
  readonly latency: { from: number; to: number };
  readonly faults: [name: string, share: number][];

  constructor({
    seed,
    latency = LATENCY,
    faults = FAULTS,
  }: {
    seed: string;
    latency?: { from: number; to: number };
    faults?: [name: string, share: number][];
  }) {
    this.seed = seed;
    this.latency = latency;
    this.faults = faults;
  }

  /**
   * Sets the answers of a model.
   * @param contents by step
   */
  plan(model: string, contents: Map<string, string>) {
    this.#plans.set(model, contents);
  }

  /** The mock response for a step. A program's calls get the responses of its execution, in order of arrival. */
  #contentOf(model: string, step: string) {
    const plan = this.#plans.get(model);
    if (!plan || plan.has(step)) return plan?.get(step);
    const key = `${model} ${step}`;
    if (!this.#standIns.has(key)) {
      const taken = new Set(this.#standIns.values());
      const name = nameInEveryRun(step);
      const free = [...plan.keys()].find((one) => nameInEveryRun(one) === name && !taken.has(`${model} ${one}`));
      if (free !== undefined) this.#standIns.set(key, `${model} ${free}`);
    }
    return plan.get(this.#standIns.get(key)?.slice(model.length + 1) ?? "");
  }

  /** Takes a request, and decides the answer to it. */
  take({ run, step, body }: { run: string; step: string; body: Json }): Reply {
    if (this.#plans.has(body.model)) this.#models.set(run, body.model);
    const model = this.#models.get(run) ?? "";
    const texts = body.input && hash("sha256", JSON.stringify(body.input)).slice(0, 12);
    const subject = texts ? `${step} of ${texts}` : step;
    const count = (this.#counts.get(`${model} ${subject}`) ?? 0) + 1;
    this.#counts.set(`${model} ${subject}`, count);

    const content = this.#contentOf(model, step);
    const answer = texts ? vectors(body) : completion(body, content ?? "");
    const previous = this.calls.findLast((call) => call.run === run && call.subject === subject)?.outcome ?? "";
    const due = chooseFault(this.faults, "good", this.seed, "model", model, subject, count);
    // Two flaws in a row would fail an agent's call inside a program, and the program would then take a path that is not in the mock run.
    const spared = step.includes("/execution#") && FLAWS.includes(due) && FLAWS.includes(previous);
    const outcome = !texts && content === undefined ? "unplanned" : spared ? "good" : due;
    const call: Call = { run, step, subject, started_at: Date.now(), ended_at: Infinity, outcome, delivered: false };
    this.calls.push(call);
    const { from, to } = this.latency;
    const latency = between(from, to, this.seed, "latency", model, subject, count);
    return { call, latency, response: responseOf(outcome, answer) };
  }
}

/** The name of a step as it is in every run: a program's call is named by a hash of its input, in which the words of the run's people stand. */
export const nameInEveryRun = (step: string) => step.replace(/(\/execution#[^/]+\/)[0-9a-f]{16}-\d+/, "$1call");

/** A good answer, and one with each flaw. */
type Answers = Record<"good" | "truncated" | "malformed", object>;

/** A chat completion: good, and with each flaw. */
function completion(body: Json, content: string): Answers {
  const half = content.slice(0, Math.ceil(content.length / 2));
  const broken = body.response_format ? half : "```\nA block that is never closed";
  const withText = (text: string, finish_reason = "stop") => ({
    id: "chatcmpl-chaos",
    object: "chat.completion",
    created: 0,
    model: body.model,
    choices: [{ index: 0, finish_reason, message: { role: "assistant", content: text } }],
    usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  });
  return { good: withText(content), truncated: withText(half, "length"), malformed: withText(broken) };
}

/** The vectors that the mock model gives, good and with each flaw. */
function vectors({ model, input }: { model: string; input: string[] }): Answers {
  const data = input.map((text, index) => ({ object: "embedding", index, embedding: [...mockVector(text)] }));
  const withData = (items: object[]) => ({
    object: "list",
    model,
    data: items,
    usage: { prompt_tokens: 10, total_tokens: 10 },
  });
  return { good: withData(data), truncated: withData(data.slice(1)), malformed: withData([]) };
}

function responseOf(outcome: string, answer: Answers): Reply["response"] {
  const of = (status: number, body: object | string, headers = {}) => ({
    status,
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const error = (message: string) => ({ error: { message } });
  switch (outcome) {
    case "silent":
      return null;
    case "rate_limited":
      return of(429, error("Chaos: slow down."), { "retry-after": String(Math.round(Math.random())) });
    case "server_error":
      return of(500, error("Chaos: the server broke down."));
    case "garbled":
      return of(200, JSON.stringify(answer.good).slice(0, -40));
    case "unplanned":
      return of(400, error("Chaos: the mock run has nothing of this kind."));
    default:
      return of(200, answer[outcome as keyof Answers]);
  }
}
