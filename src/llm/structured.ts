import { acceptedParameters, adapted, lessonOf, type CapabilityBook } from "./capabilities";
import { chat, type ChatAnswer, type ChatRequest } from "./chat";
import { readJson, withoutThinking } from "./extract";
import { conversation, responseFormat, shownProblems, type Flaw } from "./instructions";
import { unfence } from "./markdown";
import { RequestRefused } from "./provider-errors";
import type { Target } from "./targets";
import { LlmError, type Capabilities, type ModelAnswer, type ModelCall, type Rung, type Usage } from "./types";
import { addUsage, estimateOf, unreportedUsage } from "./usage";

type Reading<T> = { ok: true; value: T; rung: Rung | "markdown" } | { ok: false; flaw: Flaw };

/**
 * An answer in the form that was asked for: down the ladder as far as the model needs, and with one more round when the
 * first answer is malformed, cut off or empty.
 * @throws LlmError, its usage the sum of all requests; or whatever `call.reserve` threw
 */
export async function complete<T>(call: ModelCall<T>, target: Target, book: CapabilityBook): Promise<ModelAnswer<T>> {
  const dialogue = new Dialogue(call, target, book);
  try {
    const first = await dialogue.ask(null);
    const last = first.ok ? first : await dialogue.ask(first.flaw);
    if (!last.ok) throw unusable(call, target, [first, last]);
    return {
      value: last.value,
      model: target.label,
      rung: last.rung,
      repairs: first.ok ? 0 : 1,
      usage: dialogue.usage,
    };
  } catch (error) {
    if (!(error instanceof LlmError)) throw error;
    throw new LlmError(error.code, error.message, { ...error.options, usage: dialogue.usage });
  }
}

/** One call's requests, with what they used and what they taught of the model. */
class Dialogue<T> {
  usage: Usage;
  #capabilities: Capabilities | null = null;

  constructor(
    private readonly call: ModelCall<T>,
    private readonly target: Target,
    private readonly book: CapabilityBook,
  ) {
    this.usage = unreportedUsage(0, target.price);
  }

  /** Asks, and asks again without whatever the model refuses, until it answers. */
  async ask(flaw: Flaw | null): Promise<Reading<T>> {
    let capabilities = (this.#capabilities ??= await this.book.of(this.target));
    const learnt: Partial<Capabilities>[] = [];
    const tried = new Set<string>();
    for (;;) {
      tried.add(JSON.stringify(capabilities));
      const request = this.request(capabilities, flaw);
      const answer = await this.send(request);
      if (!(answer instanceof RequestRefused)) {
        if (learnt.length > 0) await this.book.learn(this.target, learnt);
        this.#capabilities = capabilities;
        return read(this.call, answer, capabilities.rung);
      }
      const sent = { json: this.call.output.type === "json", parameters: request.parameters };
      const lesson = lessonOf(answer, capabilities, sent);
      if (!lesson) throw answer;
      capabilities = adapted(capabilities, lesson.change);
      if (tried.has(JSON.stringify(capabilities))) throw answer;
      if (lesson.lasting) learnt.push(lesson.change);
    }
  }

  private request(capabilities: Capabilities, flaw: Flaw | null): ChatRequest {
    return {
      messages: conversation(this.call, capabilities.rung, flaw),
      parameters: acceptedParameters(this.call.model, capabilities),
      response_format: responseFormat(this.call.output, capabilities.rung),
      labels: this.call.labels,
      timeout_ms: this.call.timeout_ms,
    };
  }

  /** One request, reserved before and accounted for after. A refusal comes back as a value, for there may be a way around it. */
  private async send(request: ChatRequest): Promise<ChatAnswer | RequestRefused> {
    const prompt = request.messages.map(({ content }) => content);
    await this.call.reserve?.(estimateOf(prompt, this.call.model.max_output_tokens, this.target.price));
    try {
      const answer = await chat(this.target, request);
      this.spend(answer.usage);
      return answer;
    } catch (error) {
      if (error instanceof LlmError && error.options.usage) this.spend(error.options.usage);
      if (error instanceof RequestRefused) return error;
      throw error;
    }
  }

  private spend(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
    this.call.spent?.(usage);
  }
}

function read<T>({ output }: ModelCall<T>, answer: ChatAnswer, rung: Rung): Reading<T> {
  const text = withoutThinking(answer.text);
  if (answer.finish_reason === "length") return { ok: false, flaw: { code: "output_truncated", text, problems: [] } };
  if (text === "") return { ok: false, flaw: { code: "output_empty", text, problems: [] } };
  const invalid = (problems: string[]): Reading<T> => ({ ok: false, flaw: { code: "output_invalid", text, problems } });
  if (output.type === "markdown") {
    const parsed = output.parse(unfence(text));
    return parsed.ok ? { ...parsed, rung: "markdown" } : invalid(parsed.problems);
  }
  const json = readJson(text, rung);
  if (!json.ok) return invalid([json.problem]);
  const parsed = output.parse(json.value);
  return parsed.ok ? { ...parsed, rung } : invalid(parsed.problems);
}

function unusable<T>(call: ModelCall<T>, target: Target, readings: Reading<T>[]): LlmError {
  const flaws = readings.flatMap((reading) => (reading.ok ? [] : [reading.flaw]));
  const [first, last] = flaws.map((flaw) => described(flaw, call.model.max_output_tokens));
  return new LlmError(
    flaws.at(-1)!.code,
    `Neither answer of ${target.label} could be used. The first ${first} The second ${last}`,
  );
}

function described({ code, problems }: Flaw, max_output_tokens: number | undefined): string {
  if (code === "output_empty") return "was empty.";
  if (code === "output_truncated")
    return `was cut off at ${max_output_tokens ? `${max_output_tokens} output tokens` : "the model's own limit"}.`;
  return `was not as asked: ${shownProblems(problems).join(" ")}`;
}
