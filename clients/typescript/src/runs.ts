import type { Core } from "./core.ts";
import { ApiError, apiError, ConnectionError } from "./errors.ts";
import * as api from "./generated/sdk.gen.ts";
import type { Answer, CreateRun, Event, Interaction, Run } from "./generated/types.gen.ts";
import { serverSentEvents } from "./streams.ts";
import { backoff, type RequestOptions, sleep } from "./transport.ts";

/** Types of events after which a question needs no answer. */
const CLOSING_EVENTS = new Set<string>([
  "run.input_received",
  "run.input_expired",
  "run.input_withdrawn",
] satisfies Event["type"][]);

export type WorkflowName = CreateRun["workflow"];
/** The request that starts a run of this workflow. */
export type CreateRunOf<W extends WorkflowName> = Extract<CreateRun, { workflow: W }>;
/** A run of this workflow. */
export type RunOf<W extends WorkflowName> = Extract<Run, { workflow: W }>;

export interface EventsOptions extends RequestOptions {
  /** `seq` of the event to continue behind. */
  after?: number;
  /** Sees the calls to models that are under way, each time that one begins or ends. Nothing stores them: a broken connection leaves some out. */
  onCalls?: (calls: LiveCall[]) => void;
}

/** A call to a model that is under way. */
export interface LiveCall {
  step: string;
  /** null for an encoder. */
  role: string | null;
  model: string;
  since: string;
}

export interface WaitOptions extends RequestOptions {
  /**
   * Answers a question of the run; undefined leaves it to others. The run's other events are read meanwhile. `signal` is aborted once the question
   * needs no answer any more.
   */
  onQuestion?: (interaction: Interaction, signal: AbortSignal) => Promise<Answer | undefined> | Answer | undefined;
  /** Sees every event of the run, from the first. */
  onEvent?: (event: Event) => Promise<void> | void;
}

/** How many times in a row a stream breaks before it brings another event. */
const MAX_RECONNECTS = 8;
const ENDS: readonly string[] = ["completed", "failed", "canceled"];
const NEEDLESS: readonly unknown[] = ["already_answered", "interaction_expired", "interaction_canceled"];

export const runs = (core: Core) => {
  const get = core.one(api.getRun);

  /** Starts a run. Its workflow decides the types of `input` and `options`. */
  const create = <W extends WorkflowName>(body: { workflow: W } & CreateRunOf<W>, options?: RequestOptions) =>
    core.send(api.createRun, { body }, options) as Promise<RunOf<W>>;

  /** Events of the run, past and future, until it has ended: each once and in order, however often the connection breaks. */
  async function* events(id: string, { after = 0, onCalls, ...options }: EventsOptions = {}): AsyncGenerator<Event> {
    let seq = after;
    let breaks = 0;
    for (let hadEnded = false, ended = false; ;) {
      try {
        for await (const event of connect(core, id, seq, options, onCalls)) {
          if (event.seq <= seq) continue;
          seq = event.seq;
          breaks = 0;
          ended = ENDS.includes(event.type.replace("run.", ""));
          yield event;
        }
        if (ended || hadEnded) return;
        // Without another event the stream ends where the run had ended before: at the next connection it is known.
        hadEnded = ENDS.includes((await get(id, options)).status);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (error instanceof ApiError || ++breaks > MAX_RECONNECTS) throw error;
      }
      await sleep(hadEnded ? 0 : backoff(Math.max(0, breaks - 1)), options.signal);
    }
  }

  /** Waits until the run has ended, and returns it: completed, failed or canceled. */
  async function wait(id: string, { onQuestion, onEvent, ...options }: WaitOptions = {}): Promise<Run> {
    const failed = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
    const open = new Map<string, AbortController>();
    const ask = async (interactionId: string) => {
      const closed = new AbortController();
      open.set(interactionId, closed);
      await answer(core, interactionId, onQuestion!, { ...options, signal: AbortSignal.any([signal, closed.signal]) });
    };
    try {
      for (let after = 0; ;) {
        for await (const event of events(id, { ...options, after, signal })) {
          after = event.seq;
          await onEvent?.(event);
          if (CLOSING_EVENTS.has(event.type) && "interaction_id" in event.data)
            open.get(event.data.interaction_id)?.abort();
          if (event.type === "run.input_required" && onQuestion)
            ask(event.data.interaction_id).catch((error: unknown) => failed.abort(error));
        }
        const run = await get(id, { ...options, signal });
        if (ENDS.includes(run.status)) return run;
      }
    } finally {
      for (const closed of open.values()) closed.abort();
    }
  }

  /** Starts a run and waits until it has ended. */
  async function createAndWait<W extends WorkflowName>(
    body: { workflow: W } & CreateRunOf<W>,
    options: WaitOptions = {},
  ): Promise<RunOf<W>> {
    const { onQuestion: _, onEvent: __, ...request } = options;
    const { id } = (await create<W>(body, request)) as Run;
    const { idempotencyKey: ___, ...waiting } = options;
    return (await wait(id, waiting)) as RunOf<W>;
  }

  return {
    create,
    createAndWait,
    get,
    events,
    wait,
    /** What the run of this request would use; nothing is started. */
    estimate: core.body(api.estimateRun),
    list: core.list(api.listRuns),
    delete: core.one(api.deleteRun),
    cancel: core.one(api.cancelRun),
    pause: core.one(api.pauseRun),
    resume: core.one(api.resumeRun),
    /** Continues a run that failed or was canceled; with `from_stage`, that stage and all after it are done again. */
    retry: core.bodyFor(api.retryRun),
    /** The models, prompts and usage behind the run's artifacts. */
    manifest: core.one(api.getManifest),
    /** The events so far. */
    listEvents: core.listOf(api.listEvents),
  };
};

/** One connection. @throws ConnectionError when it is cut off */
async function* connect(
  core: Core,
  id: string,
  seq: number,
  options: RequestOptions,
  onCalls?: EventsOptions["onCalls"],
): AsyncGenerator<Event> {
  const headers = { Accept: "text/event-stream", "Last-Event-ID": String(seq) };
  const query = onCalls && { calls: "true" };
  const body = await core.stream(api.listEvents, { path: { id }, headers, query }, options);
  const messages = serverSentEvents(body);
  try {
    for (;;) {
      const { done, value } = await messages.next().catch((cause: unknown) => {
        throw new ConnectionError(`The stream of events of ${id} was cut off.`, { cause });
      });
      if (done) return;
      if (value.type === "stream.closed") throw apiError(JSON.parse(value.data).status, new Headers(), value.data);
      const data = JSON.parse(value.data);
      if (value.type === "stream.calls") onCalls?.(data.calls);
      else yield data as Event;
    }
  } finally {
    await messages.return(undefined);
  }
}

/** Asks for an answer to a question that is still open, and sends it. */
async function answer(
  core: Core,
  id: string,
  onQuestion: NonNullable<WaitOptions["onQuestion"]>,
  options: RequestOptions,
) {
  const signal = options.signal!;
  try {
    const interaction = await core.send(api.getInteraction, { path: { id } }, options);
    const body = interaction.status === "open" && (await onQuestion(interaction, signal));
    if (body && !signal.aborted) await core.send(api.answerInteraction, { path: { id }, body }, options);
  } catch (error) {
    if (!signal.aborted && !(error instanceof ApiError && NEEDLESS.includes(error.code))) throw error;
  }
}
